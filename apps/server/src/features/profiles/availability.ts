import { overlaps, parseTime, timeSlot, weekdayName } from '@clinic/domain';
import type { AvailabilityEntry } from '@clinic/contract';
import { refusal } from '../../platform/refusal.ts';
import type { StoredWindow } from './therapists.queries.ts';

/** A weekly window to store; id null: a new one. */
export type NewWindow = Omit<StoredWindow, 'id'> & { id: string | null };

/**
 * The windows to store for the entries sent. An entry that names one of the therapist's windows keeps its id, once; all
 * other ids are the page's own and ignored. Refuses windows that overlap on one day, naming both (422); windows that
 * only touch are fine.
 */
export function windowsToStore(entries: readonly AvailabilityEntry[], stored: readonly StoredWindow[]): NewWindow[] {
  const free = new Set(stored.map((window) => window.id));
  const windows = entries.map((entry): NewWindow => {
    const kept = entry.id !== undefined && entry.id !== null && free.delete(entry.id);
    return {
      id: kept ? (entry.id ?? null) : null,
      day_of_week: entry.day_of_week,
      start_minute: parseTime(entry.start_time) ?? 0,
      end_minute: parseTime(entry.end_time) ?? 0,
    };
  });
  windows.forEach((window, i) => {
    const other = windows.findIndex(
      (earlier, j) => j < i && earlier.day_of_week === window.day_of_week && meet(earlier, window),
    );
    const earlier = windows[other];
    if (!earlier) return;
    throw refusal('windows-overlap', i, inWords(window), inWords(earlier));
  });
  return windows;
}

/** Whether two lists are the same windows, ids aside. */
export function sameWindows(a: readonly Omit<NewWindow, 'id'>[], b: readonly Omit<NewWindow, 'id'>[]): boolean {
  const keys = (list: readonly Omit<NewWindow, 'id'>[]): string =>
    list
      .map((window) => `${window.day_of_week} ${window.start_minute}-${window.end_minute}`)
      .sort()
      .join();
  return keys(a) === keys(b);
}

function meet(a: NewWindow, b: NewWindow): boolean {
  return overlaps({ start: a.start_minute, end: a.end_minute }, { start: b.start_minute, end: b.end_minute });
}

function inWords(window: NewWindow): string {
  return `${weekdayName(window.day_of_week)} ${timeSlot(window.start_minute, window.end_minute)}`;
}
