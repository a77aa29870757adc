import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { mondayOf, type IsoDate, type PersonKind } from '@clinic/domain';
import type { Db } from './connection.ts';

/** The name of the lock that lets only one transaction at a time change a person's day. */
export const personDay = (kind: PersonKind, id: string, date: string): string => `${kind}:${id}:${date}`;

/** A session's people and its date. */
export interface PeopleDay {
  readonly clientId: string | null;
  readonly therapistId: string | null;
  readonly date: string;
}

/** The locks to hold before these people's days are read and written. */
export function locksOf(list: readonly PeopleDay[]): string[] {
  return list.flatMap(({ clientId, therapistId, date }) => [
    ...(therapistId === null ? [] : [personDay('therapist', therapistId, date)]),
    ...(clientId === null ? [] : [personDay('client', clientId, date)]),
  ]);
}

/**
 * The name of the lock on a therapist's week. A transaction that adds hours to the week must hold this lock, because
 * the weekly limit applies to all days together.
 */
export const therapistWeek = (id: string, date: IsoDate): string => `therapist-week:${id}:${mondayOf(date)}`;

/**
 * The two names of the lock on what payers require. A transaction that changes a payer takes the lock as `PAYERS` and
 * holds it alone. Transactions that check and write sessions take it as `PAYERS_AS_THEY_ARE` and share it, so that what
 * payers require cannot change before they end. The lock must be taken before the locks on people's days; `lockAll`
 * does this by itself.
 */
export const PAYERS = 'payers';
export const PAYERS_AS_THEY_ARE = 'payers as they are';

const isPersonDay = (thing: string): boolean => /^(therapist|client):/.test(thing);

/**
 * Waits for these locks and holds them until the transaction ends. The locks are always acquired in the same order, so
 * that two transactions never wait for each other. Data that will be changed must be read after this call. A lock on a
 * person's day also takes the shared lock on what payers require.
 */
export async function lockAll(db: Db, things: readonly string[]): Promise<void> {
  const alone = things.includes(PAYERS);
  const payers = alone || things.some((thing) => thing === PAYERS_AS_THEY_ARE || isPersonDay(thing));
  const numbers = [...new Set(things)]
    .filter((thing) => thing !== PAYERS && thing !== PAYERS_AS_THEY_ARE)
    .map(numberOf)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const locks = [...(payers ? [numberOf(PAYERS)] : []), ...numbers].map(String);
  if (locks.length === 0) return;
  // NOTE: `with ordinality … order by` makes sure that the locks are acquired in this order.
  await sql`select case when n = 1 and ${payers && !alone}
      then pg_advisory_xact_lock_shared(k) else pg_advisory_xact_lock(k) end
    from (
      select k, n from unnest(${locks}::bigint[]) with ordinality as t(k, n) order by n offset 0) as sorted`.execute(
    db,
  );
}

/**
 * Takes a lock for the transaction if no one holds it; returns whether it did. The transaction may then be idle for as
 * long as the work outside it takes.
 */
export async function lockIfFree(trx: Db, thing: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${String(numberOf(thing))}::bigint) as free,
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(trx);
  return rows[0]?.free === true;
}

const numberOf = (name: string): bigint => createHash('sha256').update(name).digest().readBigInt64BE();
