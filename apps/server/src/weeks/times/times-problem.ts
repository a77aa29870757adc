/** Makes `times-problem/1` from what is known of a location: when a client can come each week, and with whom. */
import {
  addDays,
  dayOfWeek,
  formatTime,
  isEmployed,
  overlaps,
  parseTime,
  priorityOf,
  type Interval,
  type IsoDate,
  type Service,
  datesFrom,
} from '@clinic/domain';
import type { TimesWish } from '@clinic/contract';
import { inward, outward } from '../../day/facts/grid-plan.ts';
import { barOf, type Bar as RuleBar } from '../problem/bars.ts';
import { freeTimes, problemClient, problemTherapists, type FreeOn } from '../problem/people-part.ts';
import type { WeeksClient, WeeksFacts } from '../problem/weeks-facts.ts';

export interface Wish extends Omit<TimesWish, 'service' | 'windows' | 'except' | 'only' | 'client'> {
  readonly clientId: string;
  readonly service: Exclude<Service, 'admin'>;
  readonly subject: string;
  readonly windows: readonly (Interval & { readonly weekday: number })[];
  readonly except: ReadonlySet<IsoDate>;
  /** The ids of the only therapists; null for all. */
  readonly only: ReadonlySet<string> | null;
}

export const SUBJECT_OF = {
  direct: 'Direct Therapy',
  supervision: 'Supervision',
  'parent-training': 'Parent Training',
} as const;

export const timeOf = (text: string): number => parseTime(text) ?? 0;

/** Why a therapist is not offered on a date. */
export type Bar = RuleBar | 'not chosen';

/** What decides, on each date, when a therapist could hold a session of the wish. */
export interface TimesWeeks {
  readonly facts: WeeksFacts;
  readonly client: WeeksClient;
  readonly wish: Wish;
  readonly dates: readonly IsoDate[];
  readonly freeOn: FreeOn;
  readonly barOn: (therapistId: string, date: IsoDate) => Bar | null;
  /** When the client is in a session or away. */
  readonly busyOn: (date: IsoDate) => readonly Interval[];
}

/** Brings together, for a wish, what the problem and its reasons are made from. */
export function timesWeeks(facts: WeeksFacts, wish: Wish, [from, through]: readonly [IsoDate, IsoDate]): TimesWeeks {
  const client = facts.clients.get(wish.clientId);
  if (!client) throw new Error('the client of the wish was not loaded');
  const weekdays = new Set(wish.windows.map(({ weekday }) => weekday));
  const dates = datesFrom(from, through).filter((date) => weekdays.has(dayOfWeek(date)) && !wish.except.has(date));
  return {
    facts,
    client,
    wish,
    dates,
    freeOn: freeTimes(facts),
    barOn: (id, date) => barred(facts, client, wish, id, date),
    busyOn: (date) => [
      ...facts.sessions.filter((row) => row.clientId === wish.clientId && row.date === date),
      ...(facts.away(date).get(wish.clientId) ?? []),
    ],
  };
}

function barred(facts: WeeksFacts, client: WeeksClient, wish: Wish, id: string, date: IsoDate): Bar | null {
  if (wish.only !== null && !wish.only.has(id)) return 'not chosen';
  if (wish.known === true && !client.knows.has(id)) return 'not chosen';
  return barOf(facts, client, wish, id, date);
}

const ALL_DAY: readonly Interval[] = [{ start: 0, end: 1440 }];
const spansOf = (list: readonly Interval[]) => list.map(({ start, end }) => [formatTime(start), formatTime(end)]);

/** The problem as the engine reads it. */
export function timesProblem({ facts, client, wish, dates, freeOn, barOn, busyOn }: TimesWeeks): object {
  const windows = new Map<number, Interval[]>();
  for (const { weekday, start, end } of wish.windows) {
    const own = inward([{ start: Math.max(start, 420), end: Math.min(end, 1140) }], []);
    windows.set(weekday, [...(windows.get(weekday) ?? []), ...own.filter((w) => w.start < w.end)]);
  }
  const busy = Object.fromEntries(
    dates.flatMap((date) => {
      const own = inward([{ start: 420, end: 1140 }], []).flatMap((day) =>
        busyOn(date).flatMap((each) => {
          const { start, end } = outward(each);
          return overlaps(each, day) ? [{ start: Math.max(start, 420), end: Math.min(end, 1140) }] : [];
        }),
      );
      return own.length === 0 ? [] : [[date, spansOf(own)]];
    }),
  );
  const therapists = problemTherapists(facts, dates, {
    freeOn,
    blocked: (id, date) => (barOn(id, date) === null ? [] : ALL_DAY),
    wanted: (date) => windows.get(dayOfWeek(date)) ?? [],
  });
  return {
    format: 'times-problem/1',
    dates,
    therapists: therapists.filter(({ id }) => dates.some((date) => barOn(id, date) === null)),
    clients: [problemClient(client.id, [client], priorityOf(client.priority, client.care, { booked: 0, lost: 0 }))],
    client: client.id,
    busy,
    windows: Object.fromEntries([...windows].map(([weekday, own]) => [String(weekday), spansOf(own)])),
    wanted: {
      sessions: wish.sessions,
      slots: wish.minutes / 15,
      people: wish.people,
      service: wish.service,
    },
  };
}

/** Why a therapist who may serve the client cannot hold sessions at this time on these weekdays; null if they can. */
export type WhyNotThen = 'hours' | 'away' | 'session' | 'limit';

export function whyNotThen(
  { facts, wish, dates, freeOn }: TimesWeeks,
  id: string,
  time: Interval,
  weekdays: ReadonlySet<number>,
): WhyNotThen | null {
  const counts = { hours: 0, away: 0, session: 0, limit: 0 };
  const days = dates.filter((date) => weekdays.has(dayOfWeek(date)));
  const week = new Map<IsoDate, number>();
  for (const { therapistId, date, start, end } of facts.sessions)
    if (therapistId === id) {
      const monday = addDays(date, -((dayOfWeek(date) + 6) % 7));
      week.set(monday, (week.get(monday) ?? 0) + end - start);
    }
  const limit = facts.therapists.get(id)?.limits.week ?? 0;
  for (const date of days) {
    const { free } = freeOn(id, date);
    const isFree = free.some((window) => window.start <= time.start && time.end <= window.end);
    const monday = addDays(date, -((dayOfWeek(date) + 6) % 7));
    if (isFree && (week.get(monday) ?? 0) + wish.minutes * wish.sessions > limit) counts.limit++;
    else if (isFree) continue;
    else if (
      facts
        .away(date)
        .get(id)
        ?.some((each) => overlaps(each, time))
    )
      counts.away++;
    else if (facts.sessions.some((s) => s.therapistId === id && s.date === date && overlaps(s, time))) counts.session++;
    else counts.hours++;
  }
  const all = counts.hours + counts.away + counts.session + counts.limit;
  if (all * 2 <= days.length) return null;
  const [worst] = (['session', 'hours', 'limit', 'away'] as const).toSorted((a, b) => counts[b] - counts[a]);
  return worst ?? null;
}

/** Whether a therapist works at the location on any of the dates. */
export const worksOnAny = ({ facts }: Pick<TimesWeeks, 'facts'>, id: string, dates: readonly IsoDate[]): boolean => {
  const therapist = facts.therapists.get(id);
  return therapist !== undefined && dates.some((date) => isEmployed(therapist.employment, date));
};
