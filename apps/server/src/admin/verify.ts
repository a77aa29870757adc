import type { Db } from '../db/connection.ts';
import { hashOf } from '../access/audit.ts';
import { isoOf } from '../platform/clock.ts';

/** The result of checking the audit trail: how many rows it has, the newest row of each chain, and what is wrong. */
export interface Verification {
  readonly rows: number;
  /**
   * The last row of each chain as `chain:number:hash`. If these are stored separately, a later check can tell whether
   * rows were removed.
   */
  readonly heads: readonly string[];
  readonly faults: readonly string[];
}

/** How many rows to read at a time: few enough to fit into memory even if each row names hundreds of people. */
const BATCH = 500;
/** After this many errors, the rest of a chain is not checked. */
const MOST_FAULTS = 1000;

/**
 * Checks every chain of the trail: its numbers run from 1 without gaps, each hash matches the row and the previous
 * hash, and the last row is the one in the chain's head. This finds every row that was changed, deleted, added, moved
 * or cut off.
 * @param kept the `heads` that an earlier check returned; each of these rows must still be there
 */
export async function verifyAudit(db: Db, kept: readonly string[] = []): Promise<Verification> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const heads = await trx.selectFrom('audit_head').selectAll().orderBy('chain').execute();
      const chains = await trx.selectFrom('audit').select('chain').distinct().orderBy('chain').execute();
      const faults: string[] = [];
      let rows = 0;
      for (const { chain } of chains) {
        if (!heads.some((head) => head.chain === chain)) faults.push(`chain ${chain}: its head is missing`);
      }
      for (const head of heads) rows += await verifyChain(trx, head, kept, faults);
      for (const each of kept.filter((one) => !heads.some((head) => one.startsWith(`${head.chain}:`)))) {
        faults.push(`chain ${each.split(':')[0]}: it is missing`);
      }
      return { rows, heads: heads.map((head) => `${head.chain}:${head.number}:${head.hash.toString('hex')}`), faults };
    });
}

async function verifyChain(
  db: Db,
  head: { chain: number; number: string; hash: Buffer },
  kept: readonly string[],
  faults: string[],
): Promise<number> {
  const { chain } = head;
  const expected = new Map(
    kept
      .map((each) => each.split(':'))
      .flatMap(([of, number, hash]) => (of === String(chain) ? [[Number(number), hash]] : [])),
  );
  let number = 0;
  let previous: Buffer = Buffer.alloc(32);
  let rows = 0;
  for (;;) {
    const batch = await db
      .selectFrom('audit')
      .selectAll()
      .where('chain', '=', chain)
      .where('number', '>', String(number))
      .orderBy('number')
      .limit(BATCH)
      .execute();
    for (const row of batch) {
      const at = Number(row.number);
      if (at !== number + 1) faults.push(`chain ${chain}: rows ${number + 1} to ${at - 1} are missing`);
      if (!row.prev_hash.equals(previous)) faults.push(`chain ${chain}: row ${at} does not follow the row before it`);
      const hash = hashOf(
        {
          chain,
          number: at,
          at: isoOf(row.at),
          accountId: row.account_id,
          action: row.action,
          subjectKind: row.subject_kind,
          subjectIds: row.subject_ids,
          location: row.location,
          detail: row.detail as Record<string, unknown>,
          requestId: row.request_id,
        },
        row.prev_hash,
      );
      if (!hash.equals(row.hash)) faults.push(`chain ${chain}: row ${at} was changed`);
      if (expected.has(at) && expected.get(at) !== row.hash.toString('hex'))
        faults.push(`chain ${chain}: row ${at} is not the one that was there`);
      previous = row.hash;
      number = at;
      rows++;
    }
    if (batch.length < BATCH) break;
    if (faults.length >= MOST_FAULTS) {
      faults.push(`chain ${chain}: too many errors; rows after ${number} were not checked`);
      return rows;
    }
  }
  if (String(number) !== head.number)
    faults.push(`chain ${chain}: it ends at row ${number}, but should end at ${head.number}`);
  else if (number > 0 && !previous.equals(head.hash))
    faults.push(`chain ${chain}: its last row does not match its head`);
  for (const wanted of expected.keys()) if (wanted > number) faults.push(`chain ${chain}: row ${wanted} was cut off`);
  return rows;
}
