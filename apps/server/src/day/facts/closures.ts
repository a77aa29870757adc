import { sql } from 'kysely';
import {
  ENGLISH,
  locationLabel,
  MINUTES_A_DAY,
  overlaps,
  say,
  type Interval,
  type IsoDate,
  type Language,
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
export function closedWords(closure: Omit<Closure, 'id' | 'holiday'>, language: Language = ENGLISH): string {
  const { location, firstDate, firstMinute, lastDate, lastMinute, name } = closure;
  const own = { place: locationLabel(location), name };
  if (firstDate !== lastDate) {
    const at = (date: IsoDate, minute: number, whole: number): string =>
      minute === whole
        ? language.shortDate(date)
        : say(language, 'moment', { date: language.shortDate(date), time: language.time(minute) });
    const [first, last] = [at(firstDate, firstMinute, 0), at(lastDate, lastMinute, MINUTES_A_DAY)];
    return say(language, 'closedBetween', { ...own, first, last });
  }
  const times = { start: language.time(firstMinute), end: language.time(lastMinute) };
  const values = { ...own, date: language.shortDate(firstDate), ...times };
  if (firstMinute === 0) return say(language, lastMinute === MINUTES_A_DAY ? 'closedOn' : 'closedOnUntil', values);
  return say(language, lastMinute === MINUTES_A_DAY ? 'closedOnFrom' : 'closedOnBetween', values);
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
