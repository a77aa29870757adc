import { randomUUID } from 'node:crypto';
import { datesMeet, formatTime, overlaps, parseTime, timeSlot, weekdayName } from '@clinic/domain';
import { NEW_THERAPIST_WEEK, type AvailabilityEntry } from '@clinic/contract';
import type { Db } from '../db/connection.ts';
import { refusal } from '../platform/refusal.ts';
import { anyOf } from '../db/any-of.ts';
import { byPerson, profileList } from './profile-list.ts';

/** A weekly window as stored; times are minutes after midnight. */
export interface StoredWindow {
  readonly id: string;
  readonly day_of_week: number;
  readonly start_minute: number;
  readonly end_minute: number;
  readonly from_date: string | null;
  readonly until_date: string | null;
}

/** A weekly window to store; the id of a new window is null. */
export type NewWindow = Omit<StoredWindow, 'id'> & { id: string | null };

/**
 * Decides which windows to store. The first entry with the id of one of the therapist's windows keeps that id; all
 * other ids are ignored. Refuses (422) windows that overlap on a day, naming both; windows may touch.
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
      from_date: entry.from_date ?? null,
      until_date: entry.until_date ?? null,
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

/** Selects the weekly windows by therapist, sorted by day and time. */
export async function selectWindows(db: Db, ids: readonly string[]): Promise<Map<string, StoredWindow[]>> {
  const rows = await db
    .selectFrom('therapist_availability')
    .select(['id', 'therapist_id', 'day_of_week', 'start_minute', 'end_minute', 'from_date', 'until_date'])
    .where('therapist_id', '=', anyOf(ids))
    .orderBy('day_of_week')
    .orderBy('start_minute')
    .orderBy('from_date')
    .execute();
  return byPerson(ids, rows, 'therapist_id');
}

/** Makes a string that is the same for two weeks with equal windows, whatever the windows' ids. */
export function weekKey(list: readonly Omit<StoredWindow, 'id'>[]): string {
  return list
    .map(({ day_of_week, start_minute, end_minute, from_date, until_date }) =>
      JSON.stringify([day_of_week, start_minute, end_minute, from_date, until_date]),
    )
    .sort()
    .join();
}

/** The weekly windows in a therapist's profile; unchanged windows keep their ids. */
export const AVAILABILITY = profileList({
  select: selectWindows,
  present: (window: StoredWindow) => ({
    id: window.id,
    day_of_week: window.day_of_week,
    start_time: formatTime(window.start_minute),
    end_time: formatTime(window.end_minute),
    ...(window.from_date === null && window.until_date === null
      ? {}
      : { from_date: window.from_date, until_date: window.until_date }),
  }),
  toStore: windowsToStore,
  first: NEW_THERAPIST_WEEK,
  keyOf: weekKey,
  table: 'therapist_availability',
  owner: 'therapist_id',
  rowOf: ({ id: kept, ...window }, id) => ({ id: kept ?? randomUUID(), therapist_id: id, ...window }),
});

function meet(a: NewWindow, b: NewWindow): boolean {
  return (
    datesMeet(a, b) &&
    overlaps({ start: a.start_minute, end: a.end_minute }, { start: b.start_minute, end: b.end_minute })
  );
}

function inWords(window: NewWindow): string {
  return `${weekdayName(window.day_of_week)} ${timeSlot(window.start_minute, window.end_minute)}`;
}
