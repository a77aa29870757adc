import { sql } from 'kysely';
import {
  locationLabel,
  MINUTES_A_DAY,
  overlaps,
  sayTime,
  shortDate,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import type { Db } from '../../db/connection.ts';

/** A time without a break in which a location is closed. */
export interface Closure {
  readonly id: string;
  readonly location: Location;
  readonly firstDate: IsoDate;
  readonly firstMinute: number;
  readonly lastDate: IsoDate;
  readonly lastMinute: number;
  /** The name, as families hear it. */
  readonly name: string;
  readonly holiday: boolean;
}

/** The standing closures and holidays, at any location, that touch these dates; sorted by their beginning. */
export async function selectClosures(db: Db, from: IsoDate, until: IsoDate): Promise<Closure[]> {
  const { rows } = await sql<Closure>`
    select id, location, first_date::text as "firstDate", first_minute as "firstMinute", last_date::text as "lastDate",
      last_minute as "lastMinute", name, holiday
    from closure where reopened_at is null and last_date >= ${from}::date and first_date <= ${until}::date
    order by first_date, first_minute, holiday, id`.execute(db);
  return rows;
}

/** The part of a date in which a location is closed; null if none of it is. */
export function closedTime(
  { firstDate, firstMinute, lastDate, lastMinute }: Omit<Closure, 'id' | 'location' | 'name' | 'holiday'>,
  date: IsoDate,
): Interval | null {
  if (date < firstDate || date > lastDate) return null;
  const start = date === firstDate ? firstMinute : 0;
  const end = date === lastDate ? lastMinute : MINUTES_A_DAY;
  return start < end ? { start, end } : null;
}

/** What people are told: `Altamonte is closed from Wed, Nov 25 until Fri, Nov 27 at 12:00 because of Hurricane Odette.` */
export function closedWords(closure: Omit<Closure, 'id' | 'holiday'>): string {
  const { location, firstDate, firstMinute, lastDate, lastMinute, name } = closure;
  const at = (date: IsoDate, minute: number, whole: number): string =>
    `${shortDate(date)}${minute === whole ? '' : ` at ${sayTime(minute)}`}`;
  const from = firstMinute === 0 ? '' : ` from ${sayTime(firstMinute)}`;
  const until = lastMinute === MINUTES_A_DAY ? '' : ` until ${sayTime(lastMinute)}`;
  const when =
    firstDate === lastDate
      ? `on ${shortDate(firstDate)}${from}${until}`
      : `from ${at(firstDate, firstMinute, 0)} until ${at(lastDate, lastMinute, MINUTES_A_DAY)}`;
  return `${locationLabel(location)} is closed ${when} because of ${name}.`;
}

/** The closure in whose time a session lies at least in part; undefined if its location is open. */
export const closureOf = (
  closures: readonly Closure[],
  session: Interval & { readonly location: Location; readonly date: IsoDate },
): Closure | undefined =>
  closures.find((each) => {
    const time = each.location === session.location ? closedTime(each, session.date) : null;
    return time !== null && overlaps(time, session);
  });
