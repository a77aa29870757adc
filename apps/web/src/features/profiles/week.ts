import type { Therapist } from '@clinic/contract';
import {
  DAY_END,
  DAY_START,
  SLOT_MINUTES,
  clockTime,
  datesMeet,
  duration,
  minutesOf,
  parseTime,
  union,
  type Interval,
} from '@clinic/domain';
import { withDates } from './list-rows.ts';
import { fromTimeField } from '../../shared/time-field.ts';

/** Pure functions for a therapist's weekly availability: as rows of a form, as a picture and in words. */

/** One window as typed. Days count from Sunday (0). */
export interface WindowRow {
  day_of_week: string;
  start_time: string;
  end_time: string;
  /** The first and last date on which the window is valid; empty for no limit. */
  from_date: string;
  until_date: string;
  /** The id of the stored window that this row edits; empty for a new window. */
  id: string;
}

type WeekWindow = Pick<
  Therapist['availability'][number],
  'day_of_week' | 'start_time' | 'end_time' | 'from_date' | 'until_date'
>;

/**
 * A week as a picture: for each day from Sunday, its windows between 7 AM and 7 PM. For each window, `slots` is the
 * time from 7 AM to its start and `length` its length, both in slots of 15 minutes.
 */
export function weekPicture(windows: readonly WeekWindow[]): { slots: number; length: number; words: string }[][] {
  return Array.from({ length: 7 }, (_, day) =>
    drawn(dayWindows(windows, day))
      .map(({ start, end }) => {
        const from = Math.max(start, DAY_START);
        const to = Math.min(end, DAY_END);
        return {
          slots: (from - DAY_START) / SLOT_MINUTES,
          length: (to - from) / SLOT_MINUTES,
          words: `${shortTime(start)}-${shortTime(end)}`,
        };
      })
      .filter((w) => w.length > 0),
  );
}

/** Joins overlapping windows, since the picture cannot show on which dates each window is valid. */
const drawn = (windows: readonly Interval[]): readonly Interval[] =>
  windows.some((w, i) => i > 0 && w.start < (windows[i - 1]?.end ?? 0)) ? union(windows) : windows;

function dayWindows(windows: readonly WeekWindow[], day: number) {
  return windows
    .filter((w) => w.day_of_week === day)
    .map((w) => ({ ...w, start: parseTime(w.start_time) ?? 0, end: parseTime(fromTimeField(w.end_time)) ?? 0 }))
    .filter((w) => w.start < w.end)
    .sort((a, b) => a.start - b.start);
}

/** A short form of a time: `8`, `6:30`. */
function shortTime(minutes: number): string {
  return clockTime(minutes).replace(/:00/, '').slice(0, -3);
}

/** The week's total hours in words: `33 h a week`. */
export function weeklyHours(windows: readonly WeekWindow[]): string {
  const days = Array.from({ length: 7 }, (_, day) => minutesOf(union(dayWindows(windows, day))));
  return `${duration(days.reduce((a, b) => a + b, 0))} a week`;
}

/** The week in words, a line for each day from Sunday: `Monday 8:00 AM - 12:00 PM, 1:00 PM - 6:30 PM`. */
export function weekInWords(windows: readonly WeekWindow[]): { day: number; words: string }[] {
  return [0, 1, 2, 3, 4, 5, 6].flatMap((day) => {
    const parts = dayWindows(windows, day).map((w) => withDates(`${clockTime(w.start)} - ${clockTime(w.end)}`, w));
    return parts.length > 0 ? [{ day, words: parts.join(', ') }] : [];
  });
}

/** The form's rows as windows, for the picture of a week that is being edited. */
export const rowsAsWindows = (rows: readonly WindowRow[]): WeekWindow[] =>
  rows.map((r) => ({ ...r, day_of_week: Number(r.day_of_week) }));

/** The row that *Add hours* adds: Monday, 9 to 5 (PROF-07). */
export const newWindow = (): WindowRow => ({
  day_of_week: '1',
  start_time: '09:00',
  end_time: '17:00',
  from_date: '',
  until_date: '',
  id: '',
});

const limits = ({ from_date, until_date }: WindowRow) => ({
  from_date: from_date || null,
  until_date: until_date || null,
});

/**
 * The problem with a window, or true if it is valid. A valid window has both times and ends after it starts. Its last
 * date is not before its first. It overlaps no other window on the same day of the week and the same dates.
 */
export function checkWindow(rows: readonly WindowRow[], index: number): true | string {
  const row = rows[index];
  const start = parseTime(row?.start_time ?? '');
  const end = parseTime(fromTimeField(row?.end_time ?? ''));
  if (!row || start === null || end === null) return 'Enter both times';
  if (end <= start) return `Must be after ${clockTime(start)}`;
  if (row.from_date && row.until_date && row.until_date < row.from_date) return 'The last date is before the first';
  const other = rows.find((o, i) => {
    if (i === index || o.day_of_week !== row.day_of_week || !datesMeet(limits(o), limits(row))) return false;
    const s = parseTime(o.start_time);
    const e = parseTime(fromTimeField(o.end_time));
    return s !== null && e !== null && s < e && s < end && start < e;
  });
  if (!other) return true;
  return `Overlaps ${clockTime(parseTime(other.start_time) ?? 0)} - ${clockTime(parseTime(fromTimeField(other.end_time)) ?? 0)}`;
}
