import type { Therapist } from '@clinic/contract';
import { DAY_END, DAY_START, SLOT_MINUTES, clockTime, duration, minutesOf, parseTime, union } from '@clinic/domain';
import { fromTimeField } from '../../shared/time-field.ts';

/** A weekly availability: as a form's rows, as a picture and in words. Pure. */

/** One row of the weekly availability, as typed. Days count from Sunday (0). */
export interface WindowRow {
  day_of_week: string;
  start_time: string;
  end_time: string;
  /** The stored window this row came from. */
  id: string;
}

type Window = Pick<Therapist['availability'][number], 'day_of_week' | 'start_time' | 'end_time'>;

/** A week as a picture: by day from Sunday, the windows within 7 to 7 in slots of 15 minutes, and their text. */
export function weekPicture(windows: readonly Window[]): { slots: number; length: number; words: string }[][] {
  return Array.from({ length: 7 }, (_, day) =>
    dayWindows(windows, day)
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

function dayWindows(windows: readonly Window[], day: number) {
  return windows
    .filter((w) => w.day_of_week === day)
    .map((w) => ({ start: parseTime(w.start_time) ?? 0, end: parseTime(fromTimeField(w.end_time)) ?? 0 }))
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
    const parts = dayWindows(windows, day).map((w) => `${clockTime(w.start)} - ${clockTime(w.end)}`);
    return parts.length > 0 ? [{ day, words: parts.join(', ') }] : [];
  });
}

/** The rows that can be read as windows, to show the week while it is edited. */
export const rowsAsWindows = (rows: readonly WindowRow[]): Window[] =>
  rows.map((r) => ({ day_of_week: Number(r.day_of_week), start_time: r.start_time, end_time: r.end_time }));

/** PROF-07: what *Add a window* adds. */
export const newWindow = (): WindowRow => ({
  day_of_week: '1',
  start_time: '09:00',
  end_time: '17:00',
  id: '',
});

/** What is wrong with a window compared with the others, or true: it is reversed, or overlaps another on its day. */
export function checkWindow(rows: readonly WindowRow[], index: number): true | string {
  const row = rows[index];
  const start = parseTime(row?.start_time ?? '');
  const end = parseTime(fromTimeField(row?.end_time ?? ''));
  if (!row || start === null || end === null) return 'Both times are needed';
  if (end <= start) return `Must be after ${clockTime(start)}`;
  const other = rows.find((o, i) => {
    if (i === index || o.day_of_week !== row.day_of_week) return false;
    const s = parseTime(o.start_time);
    const e = parseTime(fromTimeField(o.end_time));
    return s !== null && e !== null && s < e && s < end && start < e;
  });
  if (!other) return true;
  return `Overlaps ${clockTime(parseTime(other.start_time) ?? 0)} - ${clockTime(parseTime(fromTimeField(other.end_time)) ?? 0)}`;
}
