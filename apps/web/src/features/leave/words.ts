import type { LeaveRange } from '@clinic/contract';
import { dayOfWeek, isoDate, listWords, shortDate, weekdayName } from '@clinic/domain';

/** The week as it is shown, from Monday on; 0 is Sunday. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;
const WORKDAYS: readonly number[] = [1, 2, 3, 4, 5];

/** The weekdays of a range in words: empty for all, `Mon to Fri`, `Mon and Wed`. */
export function weekdayWords(weekdays: readonly number[]): string {
  const days = WEEK.filter((day) => weekdays.includes(day));
  if (days.length === WEEK.length) return '';
  const names = days.map((day) => weekdayName(day).slice(0, 3));
  const at = days.map((day) => WEEK.indexOf(day));
  const isRow = names.length > 2 && at.every((place, i) => place === (at[0] ?? 0) + i);
  return isRow ? `${names[0]} to ${names.at(-1)}` : listWords(names);
}

const shortOf = (date: string): string => shortDate(isoDate(date)).slice(5);

/** A range in words: `Dec 7 to Jan 29, Mon to Fri`, `from Dec 7 until further notice, Mon`. */
export function rangeWords({ first_date, last_date, weekdays }: LeaveRange): string {
  const days = weekdayWords(weekdays);
  const dates =
    last_date === null
      ? `from ${shortOf(first_date)} until further notice`
      : `${shortOf(first_date)} to ${shortOf(last_date)}`;
  return days === '' ? dates : `${dates}, ${days}`;
}

/** How long a range is, in words: `3 days`, `8 weeks`. */
export function lengthWords(first: string, last: string): string {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
  if (!(days > 0)) return '';
  const weeks = Math.round(days / 7);
  return days < 14 ? `${days} ${days === 1 ? 'day' : 'days'}` : `${weeks} weeks`;
}

/** The weekdays that are chosen at first: Monday to Friday, and the day itself. */
export const weekdaysFrom = (date: string): number[] => [...new Set([...WORKDAYS, dayOfWeek(isoDate(date))])].sort();
