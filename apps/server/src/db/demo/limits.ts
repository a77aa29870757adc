import { minutesOf, union } from '@clinic/domain';
import type { DemoPeople } from './people.ts';
import type { WeekDraft } from './week-draft.ts';

interface Limits {
  readonly week_minutes: number | null;
  readonly day_minutes: number | null;
  readonly guaranteed_minutes: number | null;
}

/** Adds up the hours for which a therapist is booked in the usual week; overlapping time is counted only once. */
const bookedHours = (week: WeekDraft | undefined, id: string): number =>
  [0, 1, 2, 3, 4, 5, 6].reduce((sum, day) => {
    const own = week?.sessions.filter((s) => s.therapist?.id === id && s.day === day) ?? [];
    return sum + minutesOf(union(own)) / 60;
  }, 0);

/**
 * Limits on therapists' hours, by id. One therapist in seven may work only a little more than in the usual week; half
 * of these may work at most nine hours a day. One in six is guaranteed 30 hours.
 */
export function demoLimits({ therapists }: DemoPeople, weeks: readonly WeekDraft[]): ReadonlyMap<string, Limits> {
  return new Map(
    therapists.map(({ id, location }, i) => {
      const week = weeks.find((each) => each.location === location);
      const limited = i % 7 === 3;
      return [
        id,
        {
          week_minutes: limited ? (Math.ceil(bookedHours(week, id)) + 3) * 60 : null,
          day_minutes: limited && i % 2 === 0 ? 9 * 60 : null,
          guaranteed_minutes: i % 6 === 1 ? 30 * 60 : null,
        },
      ];
    }),
  );
}
