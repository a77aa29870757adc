import { modelOf } from '@clinic/cover-engine';
import { minutesOf, pushTo, SLOT_MINUTES, subtract, union, type Interval, type MixHours } from '@clinic/domain';
import type { ClinicDay } from '../../day/facts/day.ts';
import { awayWindows } from '../../day/facts/uncovered.ts';
import { segmentsOf } from '../problem/segments.ts';
import type { StoredDay } from '../problem/stored-proposal.ts';

/**
 * Counts the hours that decide how much each therapist may take, in the same way as the ledger of hours: sessions at
 * the same time count once; time away and declined sessions do not count.
 */
export function hoursOf(day: ClinicDay, { planned, listed }: StoredDay): Record<string, MixHours> {
  const away = awayWindows(day);
  const ids = new Set(listed.flatMap(({ sessions }) => sessions));
  const changing = planned.sessions.filter(({ id }) => ids.has(id));
  const keys = new Set(changing.flatMap(({ rows }) => rows.map(({ key }) => key)));
  const before = new Map<string, Interval[]>();
  const rest = new Map<string, Interval[]>();
  for (const { key, therapistId, occupies, declined, start, end } of day.appointments) {
    if (!occupies || therapistId === null || declined !== undefined) continue;
    pushTo(before, therapistId, { start, end });
    if (!keys.has(key)) pushTo(rest, therapistId, { start, end });
  }
  const declined = new Map(day.appointments.map((a) => [a.key, a.declined === undefined ? null : a.therapistId]));
  for (const session of changing) {
    const declinedBy = session.rows.map((row) => declined.get(row.key) ?? null).find((id) => id !== null);
    // With `grid: null`, `segmentsOf` returns only the parts that no option changes.
    for (const { therapistId, cancelled, start, end } of segmentsOf({ ...session, grid: null }, undefined))
      if (therapistId !== null && therapistId !== declinedBy && !cancelled) pushTo(rest, therapistId, { start, end });
  }
  const worked = (of: ReadonlyMap<string, Interval[]>, id: string): Interval[] =>
    subtract(union(of.get(id) ?? []), away.get(id) ?? []);
  const listedAs = new Map(listed.flatMap(({ name, sessions }) => sessions.map((id) => [id, name] as const)));
  const booked = new Map<string, Record<string, Interval[]>>();
  for (const session of changing)
    for (const { key, therapistId, clientId, start, end } of session.rows) {
      if (therapistId === null || declined.get(key) != null) continue;
      const own = booked.get(therapistId) ?? {};
      const there = subtract([{ start, end }], [...(away.get(clientId) ?? []), ...(away.get(therapistId) ?? [])]);
      (own[listedAs.get(session.id) ?? ''] ??= []).push(...there);
      booked.set(therapistId, own);
    }
  const { therapistById } = modelOf(planned.problem);
  return Object.fromEntries(
    day.therapists.flatMap(({ id, displayName, work }) => {
      const model = therapistById.get(id);
      if (!work || !model) return [];
      const { hours, limits } = work;
      const own: MixHours = {
        week: hours.week,
        week_limit: limits.week,
        day: hours.day,
        day_limit: limits.day,
        freed: model.freed * SLOT_MINUTES,
        before: minutesOf(worked(before, id)),
        rest: worked(rest, id),
        ...(booked.has(id) ? { booked: booked.get(id) } : {}),
      };
      return [[displayName, own] as const];
    }),
  );
}
