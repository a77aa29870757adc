import { sql } from 'kysely';
import { MOST_EXTRA, overlaps, union, type Interval, type IsoDate, type Location, type Reach } from '@clinic/domain';
import type { QueryRow } from '../db/query-row.ts';
import type { Db } from '../db/connection.ts';
import { isHere, rootOf, type ClinicDay, type DayTherapist, type ExtraHours } from './facts/day.ts';
import { declineOf } from '../tell/memory/declines.ts';
import type { AwayWindows } from './facts/uncovered.ts';

/** The requests for extra hours on a date at a location, except those from commits that were undone. */
export const extraHoursQuery = (db: Db, { location, date }: { location: Location; date: IsoDate }) =>
  db
    .selectFrom('extra_hours as e')
    .leftJoin('schedule_commit as c', 'c.id', 'e.commit_id')
    .select(['e.therapist_id', 'e.kind', 'e.start_minute', 'e.end_minute', 'e.session'])
    .select(['e.agreed_at', 'e.sheet_at'])
    .select(sql<string>`e.id::text`.as('id')) // in JSON, a bigint would arrive as a number
    .where('e.location', '=', location)
    .where('e.date', '=', date)
    .where('e.ended_at', 'is', null)
    .where('c.undone_at', 'is', null)
    .orderBy('e.id');

export const extraHoursOf = (row: QueryRow<typeof extraHoursQuery>): ExtraHours => ({
  id: row.id,
  therapistId: row.therapist_id,
  kind: row.kind,
  start: row.start_minute,
  end: row.end_minute,
  session: row.session,
  state: row.agreed_at !== null ? 'agreed' : row.sheet_at !== null ? 'sheet' : 'asked',
});

/**
 * Adds the requests for extra hours to the day. Leaves out a request if the therapist no longer has the session at that
 * time.
 */
export function withExtraHours(day: Omit<ClinicDay, 'extra'>, asked: readonly ExtraHours[]): ClinicDay {
  const has = (extra: ExtraHours): boolean =>
    day.appointments.some(
      (a) => a.occupies && a.therapistId === extra.therapistId && rootOf(a) === extra.session && overlaps(a, extra),
    );
  return { ...day, extra: asked.filter(has) };
}

/**
 * Returns when a therapist has agreed to work outside their availability. Leaves out time for sessions that they
 * declined later.
 */
const agreedTime = (day: Pick<ClinicDay, 'extra' | 'declines'>, therapistId: string): Interval[] =>
  day.extra
    .filter((each) => each.therapistId === therapistId && each.state === 'agreed')
    .filter((each) => !declineOf(day.declines, { key: each.session, parentId: null, therapistId }))
    .map(({ start, end }) => ({ start, end }));

/** When a therapist is available that day, including the extra time that they agreed to. */
export function openWindows(day: ClinicDay, { id, available }: DayTherapist): readonly Interval[] {
  const agreed = agreedTime(day, id);
  return agreed.length === 0 ? available : union([...available, ...agreed]);
}

/**
 * Finds when each therapist's day begins and ends at their home location. So that no one is asked to come in twice, the
 * beginning is null if the therapist is away or booked elsewhere in the hour before it, and the end is null if they are
 * away or booked elsewhere in the hour after it.
 */
export function reachOf(day: ClinicDay, therapists: readonly DayTherapist[], absences: AwayWindows) {
  const reach: Record<string, Reach> = {};
  for (const t of therapists) {
    const windows = union(t.available);
    const [first] = windows;
    const last = windows.at(-1);
    if (!first || !last || !isHere(t) || t.location !== day.location) continue;
    const taken = [
      ...(absences.get(t.id) ?? []),
      ...day.appointments.filter((a) => a.occupies && a.therapistId === t.id && a.location !== day.location),
    ];
    const isTaken = (around: Interval): boolean => taken.some((each) => overlaps(each, around));
    reach[t.id] = {
      begins: isTaken({ start: first.start - MOST_EXTRA, end: first.start + 1 }) ? null : first.start,
      ends: isTaken({ start: last.end - 1, end: last.end + MOST_EXTRA }) ? null : last.end,
    };
  }
  return reach;
}
