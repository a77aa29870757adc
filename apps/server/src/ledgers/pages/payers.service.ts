import { sql } from 'kysely';
import type { Payer, PayerBody, UnfitSessions } from '@clinic/contract';
import { byName, codePairOf, nameKey, type Location, type PayerSetting } from '@clinic/domain';
import { presentUnfit } from '../../day/future-sessions.ts';
import { selectPayers } from '../count/payers.ts';
import { lockUnfit, takeOff } from '../../day/unfit-sessions.ts';
import { bumpDays } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, PAYERS } from '../../db/locks.ts';
import { inTransaction } from '../../db/retry.ts';
import type { Act } from '../../access/act.ts';
import { auditBy } from '../../access/audit.ts';
import type { Caller } from '../../access/sessions.ts';
import { requireVersion, versionOf } from '../../platform/content-version.ts';
import { unfitForPayer } from './payers.check.ts';

/** The time at a location, as PostgreSQL writes timestamps. */
type NowAt = (location: Location) => string;

type Said = Pick<PayerSetting, 'credential' | 'tag' | 'concurrent'>;
const NOTHING: Said = { credential: null, tag: null, concurrent: null };
/** The values that make up a payer's version. */
const editable = ({ credential, tag, concurrent }: Said): unknown[] => [credential, tag, concurrent];

/** Returns the payers that authorizations name or that have requirements, sorted by name. */
export async function readPayers(db: Db): Promise<Payer[]> {
  const required = await selectPayers(db);
  const { rows } = await sql<{ payer: string; count: number }>`
    select payer, count(*)::int as count from client_authorization group by 1 order by 1`.execute(db);
  const payers = new Map(
    [...required].map(([key, { concurrent, ...payer }]): [string, Payer] => [
      key,
      {
        ...payer,
        concurrent: concurrent && [...concurrent],
        authorizations: 0,
        version: versionOf(editable({ ...payer, concurrent })),
      },
    ]),
  );
  for (const { payer: name, count } of rows) {
    const key = nameKey(name);
    const unsaid = { name, credential: null, tag: null, concurrent: null, authorizations: 0 };
    const known = payers.get(key) ?? { ...unsaid, version: versionOf(editable(NOTHING)) };
    payers.set(key, { ...known, authorizations: known.authorizations + count });
  }
  return byName([...payers.values()], ({ name }) => name);
}

/**
 * Finds the future sessions whose therapist the payer would no longer pay for if this body were saved; saves nothing.
 */
export async function checkPayer(db: Db, caller: Caller, payer: PayerBody, now: NowAt): Promise<UnfitSessions> {
  return presentUnfit(await unfitForPayer(db, payer, now), caller);
}

/**
 * Stores what a payer requires and which codes it pays for at the same time, and returns all payers. Refuses
 * (`stale-version`) to save over what someone else has saved since. With `unassignUnfit`: if the payer no longer pays
 * for a session's therapist, the session loses that therapist and needs cover.
 */
export async function savePayer(
  db: Db,
  act: Act,
  { payer, unassignUnfit }: { readonly payer: PayerBody; readonly unassignUnfit: boolean },
  now: NowAt,
): Promise<Payer[]> {
  return inTransaction(db, async (trx) => {
    await lockAll(trx, [PAYERS]);
    const key = nameKey(payer.name);
    const before = (await selectPayers(trx)).get(key) ?? null;
    const { name, credential, tag } = payer;
    const said = payer.concurrent === undefined ? before?.concurrent : payer.concurrent;
    const concurrent = said ? [...new Set(said.flatMap((pair) => codePairOf(pair) ?? []))].sort() : null;
    const after = { name, credential, tag, concurrent };
    requireVersion(payer.version, editable(before ?? NOTHING), editable(after));
    const unfit = unassignUnfit ? await lockUnfit(trx, () => unfitForPayer(trx, payer, now)) : [];
    await trx.deleteFrom('payer').where('name_key', '=', key).execute();
    if (credential !== null || tag !== null || concurrent !== null)
      await trx
        .insertInto('payer')
        .values({ name_key: key, ...after })
        .execute();
    await bumpDays(trx, await takeOff(trx, act, { name, why: `${name} no longer pays for this therapist` }, unfit));
    await auditBy(trx, act, {
      action: 'payer.changed',
      subjectKind: 'setting',
      subjectIds: [key],
      location: null,
      detail:
        unfit.length === 0 ? { before, after } : { before, after, unassigned: unfit.map(({ session }) => session.id) },
    });
    return readPayers(trx);
  });
}
