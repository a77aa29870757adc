import { addDays, groupBy, type IsoDate } from '@clinic/domain';
import { TEAM_DAYS, TEAM_SESSIONS } from '../../day/facts/day.ts';

/** The sessions that two people had together on a date. Only what took place counts. */
export interface MetDay {
  /** The other person. */
  readonly id: string;
  readonly date: IsoDate;
  readonly sessions: number;
  readonly minutes: number;
}

/**
 * Whom a client met before a date, and how continuous their care was in the `TEAM_DAYS` days before it:
 *
 * - `people`: the therapists with whom any session took place in these days, if only in part; supervision counts, too.
 * - `minutes`: the time of these sessions that took place. Two therapists at once count as two hours an hour.
 * - `team`: the part of `minutes` with the client's team, which are the therapists with `TEAM_SESSIONS` or more of these
 *   sessions. Options use the same team.
 *
 * The share of hours with the team is `team / minutes`; without `minutes` there is none. For a therapist it is the same
 * from the other side: their clients, and the part of their time with clients whose team they are on.
 * @param all what took place in the `KNOWN_DAYS` days before the date
 */
export function continuityOf(all: readonly MetDay[], date: IsoDate) {
  const first = addDays(date, -TEAM_DAYS);
  const met = [...groupBy(all, ({ id }) => id)].map(([id, own]) => {
    const days = own.filter((each) => each.date >= first);
    const minutes = sumOf(days, 'minutes');
    const dates = own.map((each) => each.date).sort();
    return {
      id,
      team: sumOf(days, 'sessions') >= TEAM_SESSIONS,
      isNew: dates.every((each) => each >= first),
      days,
      minutes,
      last: dates.at(-1) ?? first,
    };
  });
  const recent = met.filter(({ days }) => days.length > 0);
  return {
    met: met.sort((a, b) => b.minutes - a.minutes || (a.last < b.last ? 1 : a.last > b.last ? -1 : 0)),
    continuity: {
      people: recent.length,
      minutes: sumOf(recent, 'minutes'),
      team: sumOf(
        recent.filter(({ team }) => team),
        'minutes',
      ),
    },
  };
}

const sumOf = <K extends string>(of: readonly Readonly<Record<K, number>>[], figure: K): number =>
  of.reduce((sum, each) => sum + each[figure], 0);
