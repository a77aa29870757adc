import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { mondayOf, type IsoDate } from '@clinic/domain';
import type { Db } from './connection.ts';

/** The name of the lock on a person's day, so that only one transaction at a time changes that day. */
export const personDay = (kind: 'therapist' | 'client', id: string, date: string): string => `${kind}:${id}:${date}`;

/**
 * The name of the lock on a therapist's week. A transaction that adds hours to the week must hold this lock, because
 * the weekly limit applies to all days together.
 */
export const therapistWeek = (id: string, date: IsoDate): string => `therapist-week:${id}:${mondayOf(date)}`;

/**
 * Waits for these locks and holds them until the transaction ends. The locks are always acquired in the same order, so
 * that two transactions never wait for each other. If you will change data, read it only after this call.
 */
export async function lockAll(db: Db, things: readonly string[]): Promise<void> {
  const numbers = [...new Set(things)]
    .map((thing) => createHash('sha256').update(thing).digest().readBigInt64BE())
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    .map(String);
  if (numbers.length === 0) return;
  // NOTE: `with ordinality … order by` makes sure that the locks are acquired in this order.
  await sql`select pg_advisory_xact_lock(k) from (
    select k from unnest(${numbers}::bigint[]) with ordinality as t(k, n) order by n offset 0) as sorted`.execute(db);
}
