import { sql } from 'kysely';
import type { LocationDay } from '../../clinic-day/versions.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll, personDay } from '../../db/locks.ts';
import { readAgain } from '../../db/retry.ts';
import type { Act } from '../../platform/access/act.ts';
import { requireTouched } from '../../platform/access/caller.ts';
import { publishAppointments } from '../../platform/events.ts';
import { refusal } from '../../platform/refusal.ts';
import { allowedRow } from './allowed-row.ts';
import type { UnfitSession } from './future-sessions.ts';
import type { ProfileBody, ProfileKind, StoredProfile } from './profile-kind.ts';
import { unassign } from './unassign.ts';

/**
 * The sessions that would no longer fit after a save. Locks their people's days and then the profile, so that none of
 * these sessions changes and no other such session is booked before the save.
 */
export async function lockUnfit<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  trx: Db,
  kind: ProfileKind<Row, Body, Profile>,
  act: Act,
  id: string,
  body: Body,
  now: string,
): Promise<UnfitSession[]> {
  const stored = await allowedRow(trx, kind, act.caller, id);
  const locks = new Set((await kind.unfitAfter(trx, stored, body, now)).flatMap(locksOf));
  await lockAll(trx, [...locks]);
  const before = await allowedRow(trx, kind, act.caller, id, true);
  const unfit = await kind.unfitAfter(trx, before, body, now);
  if (unfit.flatMap(locksOf).some((lock) => !locks.has(lock))) throw readAgain();
  return unfit;
}

const locksOf = ({ session: { therapist_id, client_id, date } }: UnfitSession): string[] => [
  personDay('therapist', therapist_id, date),
  personDay('client', client_id, date),
];

/**
 * Takes the therapists off these sessions, which then need cover. Refuses (403) if one of the sessions is at a location
 * that the account may not use.
 * @returns the days whose plans this changes
 */
export async function takeOff(trx: Db, act: Act, name: string, unfit: readonly UnfitSession[]): Promise<LocationDay[]> {
  if (unfit.length === 0) return [];
  const sessions = unfit.map(({ session }) => session);
  requireTouched(
    act.caller,
    sessions.map(({ location }) => location),
    (places) => refusal('person-booked-elsewhere', places, name),
  );
  const ids = sessions.map((session) => session.id);
  const free = await selectDaysOf(trx, ids);
  const settled = await unassign(trx, act, ids, 'No longer fits the profile');
  const days = [...sessions, ...settled].map(({ location, date }) => ({ location, date }));
  await publishAppointments(trx, days, act.caller.id);
  return [...days, ...free];
}

/**
 * The days whose plans can use these sessions' therapists: at their home location, and wherever they are booked that
 * day.
 */
async function selectDaysOf(trx: Db, ids: readonly string[]): Promise<LocationDay[]> {
  const { rows } = await sql<LocationDay>`
    with freed as (
      select therapist_id, starts::date as date from appointment where id = any(${[...ids]}::uuid[])
    )
    select t.location, f.date from freed f join therapist t on t.id = f.therapist_id
    union
    select a.location, f.date from freed f join appointment a on a.therapist_id = f.therapist_id
      and a.occupies and a.starts >= f.date and a.starts < f.date + 1`.execute(trx);
  return rows;
}
