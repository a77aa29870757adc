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

/** A weekly availability: as a form's rows, as a picture and in words. Pure. */

/** One row of the weekly availability, as typed. Days count from Sunday (0). */
export interface WindowRow {
  day_of_week: string;
  start_time: string;
  end_time: string;
  /** The dates on which it holds; empty: not limited. */
  from_date: string;
  until_date: string;
  /** The stored window this row came from. */
  id: string;
}

type Window = Pick<
  Therapist['availability'][number],
  'day_of_week' | 'start_time' | 'end_time' | 'from_date' | 'until_date'
>;

/** A week as a picture: by day from Sunday, the windows within 7 to 7 in slots of 15 minutes, and their text. */
export function weekPicture(windows: readonly Window[]): { slots: number; length: number; words: string }[][] {
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

/** Windows of different dates can overlap, which a picture cannot show. */
const drawn = (windows: readonly Interval[]): readonly Interval[] =>
  windows.some((w, i) => i > 0 && w.start < (windows[i - 1]?.end ?? 0)) ? union(windows) : windows;

function dayWindows(windows: readonly Window[], day: number) {
  return windows
    .filter((w) => w.day_of_week === day)
    .map((w) => ({ ...w, start: parseTime(w.start_time) ?? 0, end: parseTime(fromTimeField(w.end_time)) ?? 0 }))
    .filter((w) => w.start < w.end)
    .sort((a, b) => a.start - b.start);
}

/** `8`, `6:30`: the hour in as little space as the picture has. */
function shortTime(minutes: number): string {
  return clockTime(minutes).replace(/:00/, '').slice(0, -3);
}

/** `33 h a week`. */
export function weeklyHours(windows: readonly Window[]): string {
  const days = Array.from({ length: 7 }, (_, day) => minutesOf(union(dayWindows(windows, day))));
  return `${duration(days.reduce((a, b) => a + b, 0))} a week`;
}

/**
 * The week in words, one line per day, starting on Sunday like the picture: `Monday 8:00 AM - 12:00 PM, 1:00 PM - 6:30
 * PM`.
 */
export function weekInWords(windows: readonly Window[]): { day: number; words: string }[] {
  return [0, 1, 2, 3, 4, 5, 6].flatMap((day) => {
    const parts = dayWindows(windows, day).map((w) => withDates(`${clockTime(w.start)} - ${clockTime(w.end)}`, w));
    return parts.length > 0 ? [{ day, words: parts.join(', ') }] : [];
  });
}

/** The rows that can be read as windows, to show the week while it is edited. */
export const rowsAsWindows = (rows: readonly WindowRow[]): Window[] =>
  rows.map((r) => ({ ...r, day_of_week: Number(r.day_of_week) }));

/** PROF-07: what *Add a window* adds. */
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

/** What is wrong with a window compared with the others, or true: it is reversed, or overlaps another on its day. */
export function checkWindow(rows: readonly WindowRow[], index: number): true | string {
  const row = rows[index];
  const start = parseTime(row?.start_time ?? '');
  const end = parseTime(fromTimeField(row?.end_time ?? ''));
  if (!row || start === null || end === null) return 'Both times are needed';
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
