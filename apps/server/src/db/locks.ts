import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { mondayOf, type IsoDate } from '@clinic/domain';
import type { Db } from './connection.ts';

/** What a transaction is about to change: a person's day, or anything else with only one writer at a time. */
export const personDay = (kind: 'therapist' | 'client', id: string, date: string): string => `${kind}:${id}:${date}`;

/** A therapist's week, for what adds hours to it: its limit is checked against all of its days. */
export const therapistWeek = (id: string, date: IsoDate): string => `therapist-week:${id}:${mondayOf(date)}`;

/**
 * Waits for the locks of these things and holds them until the transaction ends. Always in the same order, so that two
 * transactions cannot wait for each other here. Read what you will change after this, not before.
 */
export async function lockAll(db: Db, things: readonly string[]): Promise<void> {
  const numbers = [...new Set(things)]
    .map((thing) => createHash('sha256').update(thing).digest().readBigInt64BE())
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    .map(String);
  if (numbers.length === 0) return;
  // NOTE: `with ordinality … order by` fixes the order in which the locks are taken.
  await sql`select pg_advisory_xact_lock(k) from (
    select k from unnest(${numbers}::bigint[]) with ordinality as t(k, n) order by n offset 0) as sorted`.execute(db);
}
