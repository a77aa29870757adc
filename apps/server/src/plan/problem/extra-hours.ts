import type { Pin } from '@clinic/cover-engine';
import { compareText, extraTime, formatTime, overlaps, type ExtraTime, type Interval } from '@clinic/domain';
import { outward, toReal } from '../../day/facts/grid-plan.ts';
import type { PlannedDay, PlannedExtra, PlannedSession } from './planned-day.ts';
import { windowOf } from './segments.ts';

/**
 * Works out the extra hours that a therapist would be asked for in order to take these parts (quarter hours) of a
 * session; null if no extra hours are needed or the therapist cannot be asked.
 */
export function extraFor(
  { reach }: PlannedDay,
  session: PlannedSession,
  stretches: readonly Interval[],
  therapist: string,
): ExtraTime | null {
  const own = reach?.[therapist];
  const { grid } = session;
  if (!own || !grid) return null;
  return extraTime(
    own,
    stretches.map((stretch) => toReal(session, grid, stretch)),
  );
}

/** The availability that these extra hours add to the problem. */
export const widerBy = (time: Interval): [string, string][] => {
  const { start, end } = outward(time);
  return [[formatTime(start), formatTime(end)]];
};

/** Returns the planned day with these therapists also available for their extra hours. */
export function withExtra(planned: PlannedDay, extra: readonly PlannedExtra[]): PlannedDay {
  if (extra.length === 0) return planned;
  const therapists = planned.problem.therapists.map((t) => {
    const own = extra.filter((each) => each.therapist === t.id).flatMap(widerBy);
    return own.length === 0 ? t : { ...t, available: [...t.available, ...own].sort(([a], [b]) => compareText(a, b)) };
  });
  const known = planned.extra?.filter((old) => !extra.some((each) => isSame(each, old))) ?? [];
  return { ...planned, problem: { ...planned.problem, therapists }, extra: [...known, ...extra] };
}

/**
 * Returns the planned day with only those extra hours that a pin still uses. Therapists are not available for any other
 * extra hours.
 */
export function onlyHeld(planned: PlannedDay, pins: readonly Pin[]): PlannedDay {
  const isHeld = (extra: PlannedExtra): boolean =>
    pins.some(
      (pin) =>
        pin.session === extra.session &&
        pin.pieces.some((p) => p.therapist === extra.therapist && overlaps(windowOf(p), extra)),
    );
  const gone = planned.extra?.filter((extra) => !isHeld(extra)) ?? [];
  if (gone.length === 0) return planned;
  const therapists = planned.problem.therapists.map((t) => {
    const own = new Set(gone.filter((each) => each.therapist === t.id).flatMap((each) => widerBy(each).map(String)));
    return own.size === 0 ? t : { ...t, available: t.available.filter((w) => !own.has(String(w))) };
  });
  return { ...planned, problem: { ...planned.problem, therapists }, extra: planned.extra?.filter(isHeld) ?? [] };
}

const isSame = (a: PlannedExtra, b: PlannedExtra): boolean => a.therapist === b.therapist && a.session === b.session;
