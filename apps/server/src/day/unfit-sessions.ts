import { sql } from 'kysely';
import { MOST_UNASSIGNED } from '@clinic/contract';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { lockAll, PAYERS_AS_THEY_ARE, personDay } from '../db/locks.ts';
import { readAgain } from '../db/retry.ts';
import type { Act } from '../access/act.ts';
import { requireTouched } from '../access/caller.ts';
import { publishAppointments } from '../platform/events.ts';
import { refusal } from '../platform/refusal.ts';
import type { UnfitSession } from './future-sessions.ts';
import { unassign } from './unassign.ts';
import type { LocationDay } from './facts/versions.ts';

/**
 * Locks everything that decides which sessions another therapist should take, and then returns these sessions. The
 * order of the locks is: what payers require, the days of the sessions' therapists and clients, and the rows to be
 * saved.
 * @param find returns the sessions that do not fit; those that no other therapist would make fit are left out
 * @param lock locks the rows that the save changes, unless they are locked already
 */
export async function lockUnfit(
  trx: Db,
  find: () => Promise<UnfitSession[]>,
  lock: () => Promise<unknown> = () => Promise.resolve(),
): Promise<UnfitSession[]> {
  await lockAll(trx, [PAYERS_AS_THEY_ARE]);
  const toCover = async () => (await find()).filter(({ byCover }) => byCover);
  const found = await toCover();
  // Each session takes two locks, and the database has room for a limited number of locks.
  if (found.length > MOST_UNASSIGNED) throw refusal('too-many-unfit', found.length, MOST_UNASSIGNED);
  const locks = new Set(found.flatMap(locksOf));
  await lockAll(trx, [...locks]);
  await lock();
  const unfit = await toCover();
  if (unfit.flatMap(locksOf).some((each) => !locks.has(each))) throw readAgain();
  return unfit;
}

const locksOf = ({ session: { therapist, client, date } }: UnfitSession): string[] => [
  personDay('therapist', therapist.id, date),
  personDay('client', client.id, date),
];

/**
 * Takes the therapists off these sessions, which then need cover, and records `why` in their histories. Refuses (403)
 * if one of the sessions is at a location that the account may not use.
 * @returns the days whose plans this changes
 */
export async function takeOff(
  trx: Db,
  act: Act,
  { name, why }: { readonly name: string; readonly why: string },
  unfit: readonly UnfitSession[],
): Promise<LocationDay[]> {
  if (unfit.length === 0) return [];
  const sessions = unfit.map(({ session }) => session);
  requireTouched(
    act.caller,
    sessions.map(({ location }) => location),
    (places) => refusal('person-booked-elsewhere', places, name),
  );
  const ids = sessions.map((session) => session.id);
  const free = await selectDaysOf(trx, ids);
  const settled = await unassign(trx, act, ids, why);
  const days = [...sessions, ...settled].map(({ location, date }) => ({ location, date }));
  await publishAppointments(trx, days, act.caller.id);
  return [...days, ...free];
}

/**
 * Returns the days whose plans can use these sessions' therapists: each therapist's home location, and every location
 * where the therapist is booked on that date.
 */
async function selectDaysOf(trx: Db, ids: readonly string[]): Promise<LocationDay[]> {
  const { rows } = await sql<LocationDay>`
    with freed as (
      select therapist_id, starts::date as date from appointment where id = ${anyOf(ids, 'uuid')}
    )
    select t.location, f.date from freed f join therapist t on t.id = f.therapist_id
    union
    select a.location, f.date from freed f join appointment a on a.therapist_id = f.therapist_id
      and a.occupies and a.starts >= f.date and a.starts < f.date + 1`.execute(trx);
  return rows;
}
