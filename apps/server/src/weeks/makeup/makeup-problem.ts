/** Makes `makeup-problem/1`: where, in the coming days, lost time of several clients can be made up. */
import { sql } from 'kysely';
import {
  dayOfWeek,
  formatTime,
  groupBy,
  mondayOf,
  overlaps,
  subtract,
  type Interval,
  type IsoDate,
} from '@clinic/domain';
import { MAKE_UP_SUBJECT, type MakeupWish } from '@clinic/contract';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { inward } from '../../day/facts/grid-plan.ts';
import { unpaidBookings } from '../../ledgers/count/authorizations.ts';
import type { CareNow } from '../../ledgers/count/care-hours.ts';
import { barOf } from '../problem/bars.ts';
import { freeTimes, problemClient, problemTherapists } from '../problem/people-part.ts';
import type { WeeksFacts } from '../problem/weeks-facts.ts';

/** How much a client is owed, in minutes: whole half hours. */
export interface OwedTime {
  readonly id: string;
  readonly minutes: number;
}

/** The weekdays from 8 to 6. */
const ANY: Interval = { start: 480, end: 1080 };
/** By how much the usual times are widened. */
const WIDER = 60;
const DAY: Interval = { start: 420, end: 1140 };
const WEEKS_BACK = 8;

/** When each client can come on a day of the week: as asked, or as they usually do. */
export async function usualTimes(
  db: Db,
  ids: readonly string[],
  today: IsoDate,
  times: MakeupWish['times'],
): Promise<(id: string, weekday: number) => Interval | null> {
  if (times === 'any') return (_, weekday) => (weekday >= 1 && weekday <= 5 ? ANY : null);
  const { rows } = await sql<{ id: string; weekday: number; start: number; end: number }>`
    select client_id as id, extract(dow from starts)::int as weekday,
      min(extract(epoch from starts - starts::date)::int / 60) as start,
      max(extract(epoch from ends - starts::date)::int / 60) as "end"
    from appointment
    where client_id = ${anyOf(ids)} and status <> 'entered-in-error'
      and starts >= ${today}::date - ${7 * WEEKS_BACK}::int and starts < ${today}::date + ${7 * WEEKS_BACK}::int
    group by 1, 2`.execute(db);
  const usual = new Map(rows.map((row) => [`${row.id} ${row.weekday}`, row]));
  return (id, weekday) => {
    const own = usual.get(`${id} ${weekday}`);
    if (!own) return null;
    return { start: Math.max(DAY.start, own.start - WIDER), end: Math.min(DAY.end, own.end + WIDER) };
  };
}

/** Who is not offered to whom, beyond what the problem's own rules say: `client therapist`. */
export type Excluded = ReadonlySet<string>;

/** The minutes that authorizations still pay for: in each week by itself, and in all of them together. */
interface PaidTime {
  readonly weeks: ReadonlyMap<IsoDate, number>;
  readonly total: number;
}

export interface MakeupParts {
  readonly facts: WeeksFacts;
  readonly dates: readonly IsoDate[];
  readonly owed: readonly OwedTime[];
  readonly timesOf: (id: string, weekday: number) => Interval | null;
  /** What authorizations still pay for, for each client who needs any. */
  readonly paid: ReadonlyMap<string, PaidTime>;
}

const spansOf = (list: readonly Interval[]) => list.map(({ start, end }) => [formatTime(start), formatTime(end)]);
const MAKE_UP = { service: 'direct', subject: MAKE_UP_SUBJECT } as const;
const ALL_DAY: readonly Interval[] = [{ start: 0, end: 1440 }];

export function makeupProblem({ facts, dates, owed, timesOf, paid }: MakeupParts, excluded: Excluded): object {
  const clients = owed.flatMap(({ id }) => facts.clients.get(id) ?? []);
  const windowsOn = (id: string, date: IsoDate): Interval[] => {
    const window = timesOf(id, dayOfWeek(date));
    if (!window) return [];
    const busy = facts.sessions.filter((row) => row.clientId === id && row.date === date);
    const taken = [...busy, ...(facts.away(date).get(id) ?? [])];
    return inward(subtract([window], taken), taken).filter((free) => !taken.some((each) => overlaps(each, free)));
  };
  const therapists = problemTherapists(facts, dates, {
    freeOn: freeTimes(facts),
    blocked: (id, date) => (clients.every((client) => barOf(facts, client, MAKE_UP, id, date) !== null) ? ALL_DAY : []),
    wanted: (date) => clients.flatMap(({ id }) => windowsOn(id, date)),
  });
  return {
    format: 'makeup-problem/1',
    dates,
    therapists,
    clients: clients.map((client) => {
      const own = problemClient(client.id, [client], 100);
      const never = therapists.filter(
        ({ id }) =>
          excluded.has(`${client.id} ${id}`) || dates.every((date) => barOf(facts, client, MAKE_UP, id, date) !== null),
      );
      const caps = paid.get(client.id);
      return {
        ...own,
        excludes: [...new Set([...own.excludes, ...never.map(({ id }) => id)])].sort(),
        ...(caps
          ? {
              caps: Object.fromEntries(
                dates.map((date) => [mondayOf(date), Math.floor((caps.weeks.get(mondayOf(date)) ?? 0) / 15)]),
              ),
            }
          : {}),
        windows: Object.fromEntries(
          dates.flatMap((date) => {
            const own = windowsOn(client.id, date);
            return own.length === 0 ? [] : [[date, spansOf(own)]];
          }),
        ),
      };
    }),
    owed: owed.flatMap(({ id, minutes }) => {
      const slots = Math.min(minutes, paid.get(id)?.total ?? minutes) / 15;
      return slots === 0 ? [] : [{ client: id, slots, weight: 100 }];
    }),
  };
}

/**
 * Finds out how much of what each client is owed authorizations still pay for, beside everything that is booked: half
 * hours are tried one after another.
 */
export async function paidTimes(
  db: Db,
  owed: readonly OwedTime[],
  dates: readonly IsoDate[],
  authorized: (id: string) => boolean,
  now: CareNow,
): Promise<MakeupParts['paid']> {
  const paid = new Map<string, PaidTime>();
  for (const { id, minutes } of owed) {
    if (!authorized(id)) continue;
    const paidOn = async (days: readonly IsoDate[]): Promise<number> => {
      const tried = days.flatMap((date) => halfHours(date, Math.min(MOST_PIECE, minutes / 30)));
      const unpaid = await unpaidBookings(db, id, tried, now, { whole: true });
      return (tried.length - unpaid.length) * 30;
    };
    const weeks = new Map<IsoDate, number>();
    for (const [monday, days] of groupBy(dates, mondayOf)) weeks.set(monday, await paidOn(days));
    paid.set(id, { weeks, total: await paidOn(dates) });
  }
  return paid;
}

/** The half hours of the longest session that makes up lost time. */
const MOST_PIECE = 6;

const halfHours = (date: IsoDate, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...MAKE_UP,
    date,
    start: DAY.start + 30 * i,
    end: DAY.start + 30 * (i + 1),
  }));
