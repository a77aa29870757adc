import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { AuditAction } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { isoAt } from '../platform/clock.ts';

/** A change or a read to be recorded. `detail` contains ids and figures, and no more about a client than necessary. */
export interface AuditEntry {
  /** The action's name, with dots: `appointment.changed`, `calendar.read`, `session.begun`. */
  readonly action: AuditAction;
  /** The type of record affected: `appointment`, `client`, `day`, `proposal`, `account` … */
  readonly subjectKind: string;
  readonly subjectIds: readonly string[];
  /** The account that acted; null for a command, or for the server itself. */
  readonly accountId: string | null;
  readonly location?: string | null;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | null;
}

/** Who writes: an account, or the server itself (null) when it makes a series further. */
export interface Writer {
  readonly caller: { readonly id: string | null };
  readonly requestId: string | null;
  /** Milliseconds since 1970, by the access clock. */
  readonly at: number;
}

/** An entry of an act, which says whose it is, and in which request. */
export type ActEntry = Omit<AuditEntry, 'accountId' | 'requestId'>;

/** Repeats the entry for each location that the act affects, so that each location's administrators find it. */
export const atEach = <E extends Omit<ActEntry, 'location'>>(
  locations: Iterable<Location>,
  entry: E,
): (E & { readonly location: Location })[] =>
  [...new Set(locations)].sort().map((location) => ({ ...entry, location }));

/** A row of the trail in the form that is hashed. `at` is in ISO 8601, with milliseconds. */
export interface AuditRecord extends Required<Omit<AuditEntry, 'action'>> {
  readonly action: string;
  readonly chain: number;
  readonly number: number;
  readonly at: string;
}

/**
 * The trail is divided into this many chains. Each connection appends to its own chain, so that transactions need not
 * wait for each other.
 */
const CHAINS = 16;

/** The last row of a chain. */
export interface ChainEnd {
  readonly chain: number;
  readonly number: number;
  readonly hash: Buffer;
}

/**
 * Adds entries to the audit trail in the caller's transaction, so that they are stored with the change or not at all.
 * Call this function last, because it locks the end of a chain until the commit.
 * @param now milliseconds since 1970, by the access clock
 */
export async function audit(trx: Db, now: number, ...entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length > 0) await auditToEnd(trx, now, entries);
}

/** Adds an act's entries to the audit trail, as `audit` does. */
export function auditBy(trx: Db, { at, caller, requestId }: Writer, ...entries: readonly ActEntry[]): Promise<void> {
  return audit(trx, at, ...entries.map((entry) => ({ ...entry, accountId: caller.id, requestId })));
}

/** Like `audit`, for at least one entry; also returns the chain's new end, which is valid after the commit. */
export async function auditToEnd(trx: Db, now: number, entries: readonly AuditEntry[]): Promise<ChainEnd> {
  const { rows } = await sql<{ chain: number; number: string; hash: Buffer }>`
    insert into audit_head (chain, number, hash) values (pg_backend_pid() % ${CHAINS}, 0, ${Buffer.alloc(32)})
    on conflict (chain) do update set number = audit_head.number
    returning chain, number, hash`.execute(trx);
  const head = rows[0];
  if (!head) throw new Error('the audit trail has no head');
  const end = await auditAfter(trx, { ...head, number: Number(head.number) }, now, entries);
  if (!end) throw new Error('the audit trail was changed in spite of its lock');
  return end;
}

/**
 * Adds entries with a single statement, if the chain still ends at `last`. The statement itself checks this and locks
 * the end, so it never continues a chain from any other row.
 * @returns the chain's new end; undefined if the chain no longer ends at `last`, and then nothing is stored
 */
export async function auditAfter(
  db: Db,
  last: ChainEnd,
  now: number,
  entries: readonly AuditEntry[],
): Promise<ChainEnd | undefined> {
  const { values, end } = chained(last, now, entries);
  const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
  const rows = values.map((row, index) => ({
    ...row,
    detail: entries[index]?.detail ?? {},
    prev_hash: hex(row.prev_hash),
    hash: hex(row.hash),
  }));
  const { rows: added } = await sql`
    with head as (
      update audit_head set number = ${end.number}, hash = ${end.hash}
      where chain = ${last.chain} and number = ${last.number} and hash = ${last.hash}
      returning chain
    )
    insert into audit (chain, number, at, account_id, action, subject_kind, subject_ids, location, detail, request_id,
      prev_hash, hash)
    select head.chain, number, at, account_id, action, subject_kind, subject_ids, location, detail, request_id,
      prev_hash, hash
    from head, json_populate_recordset(null::audit, ${JSON.stringify(rows)}::json)
    returning chain`.execute(db);
  return added.length === entries.length ? end : undefined;
}

/** Makes the rows that continue a chain after `last`, each with the previous row's hash and its own. */
function chained(last: ChainEnd, now: number, entries: readonly AuditEntry[]) {
  const at = isoAt(now);
  let { number, hash } = last;
  const values = entries.map((entry) => {
    const record: AuditRecord = {
      ...entry,
      location: entry.location ?? null,
      detail: entry.detail ?? {},
      requestId: entry.requestId ?? null,
      chain: last.chain,
      number: ++number,
      at,
    };
    const previous = hash;
    hash = hashOf(record, previous);
    return {
      chain: record.chain,
      number: String(record.number),
      at,
      account_id: record.accountId,
      action: record.action,
      subject_kind: record.subjectKind,
      subject_ids: [...record.subjectIds],
      location: record.location,
      detail: JSON.stringify(record.detail),
      request_id: record.requestId,
      prev_hash: previous,
      hash,
    };
  });
  return { values, end: { chain: last.chain, number, hash } };
}

/**
 * SHA-256 over the previous hash and the record as JSON with sorted keys, because the database does not preserve the
 * keys' order.
 */
export function hashOf(record: AuditRecord, previous: Buffer): Buffer {
  return createHash('sha256').update(previous).update(canonical(record)).digest();
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
