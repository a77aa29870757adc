import type { AbsenceLossBody, LeaveFrom, StoredAbsence } from '@clinic/contract';
import {
  DAY_END,
  DAY_START,
  MINUTES_A_DAY,
  SLOT_MINUTES,
  clockTime,
  formatTime,
  intersect,
  nameKey,
  overlaps,
  parseTime,
  roundToQuarter,
  timeSlot,
  endMinute,
  type Interval,
  type PersonKind,
} from '@clinic/domain';
import { LAST_MINUTE } from '../../../shared/time-field.ts';

/**
 * One window of time for which a person is selected as absent, as the panel holds it (DATA-07). A person may have
 * several. Times are HH:MM; 23:59 means the end of the day.
 */
export interface AbsenceEntry {
  name: string;
  type: PersonKind;
  startTime: string;
  endTime: string;
  /** Why the person is away, if recorded. */
  loss?: AbsenceLossBody;
  /** The further dates on which the person is away in this window. */
  further?: LeaveFrom | undefined;
  /** The recorded window that this one started as. */
  recorded?: RecordedWindow;
}

type RecordedWindow = Pick<StoredAbsence, 'id' | 'startTime' | 'endTime'> & Pick<AbsenceEntry, 'loss'>;

/** Someone who can be away: the name alone does not say who, since a therapist and a client may share it. */
export type Person = Pick<AbsenceEntry, 'name' | 'type'>;

const DEFAULT_START = '00:00';
const DEFAULT_END = LAST_MINUTE;

/** What changes the selection. `at` is a window's index in it. */
export type AbsenceAction =
  /** A click on the person's name. Their recorded windows (`stored`), if any, are what the selection starts with. */
  | { do: 'toggle'; person: Person; stored: readonly StoredAbsence[] }
  /** Adds this window to those of the person. It takes the place of every one that it overlaps. */
  | { do: 'set'; entry: AbsenceEntry; stored: readonly StoredAbsence[] }
  /** Adds a window without times. */
  | { do: 'add'; person: Person }
  | { do: 'start' | 'end'; at: number; time: string }
  /**
   * Rounds a window's times to the quarter hour when a field is left. Rounding during typing would make 7:15 impossible
   * to type.
   */
  | { do: 'round'; at: number }
  /** Says why the person is away, or on which further dates. */
  | { do: 'part'; at: number; part: Partial<Pick<AbsenceEntry, 'loss' | 'further'>> }
  | { do: 'all-day'; at: number }
  | { do: 'remove'; at: number }
  | { do: 'clear' };

export const isFor = (entry: Person, person: Person): boolean =>
  entry.type === person.type && nameKey(entry.name) === nameKey(person.name);

/** The latest start of an absence, 23:45, in minutes after midnight. */
const LAST_START = 1425;

/**
 * Rounds a typed time to the quarter hour (ABS-02). An end is at most 23:59, which is not rounded; a start is at most
 * 23:45.
 */
export function roundTime(time: string, which: 'start' | 'end'): string {
  const minutes = parseTime(time);
  if (minutes === null) return time;
  const rounded = roundToQuarter(minutes);
  if (which === 'start') return formatTime(Math.min(rounded, LAST_START));
  return rounded >= MINUTES_A_DAY ? DEFAULT_END : formatTime(rounded);
}

/** Whether a window has the times with which it is recorded. It keeps these, whatever minutes they are. */
const isUntouched = ({ startTime, endTime, recorded }: AbsenceEntry): boolean =>
  recorded !== undefined && startTime === recorded.startTime && endTime === recorded.endTime;

/** A window's times as they are saved. */
export const savedTimes = (entry: AbsenceEntry): Pick<AbsenceEntry, 'startTime' | 'endTime'> => {
  const { startTime, endTime } = entry;
  if (isUntouched(entry)) return { startTime, endTime };
  return { startTime: roundTime(startTime, 'start'), endTime: roundTime(endTime, 'end') };
};

/** The selection after an action. People stay in the order in which they were selected. */
export function reduceAbsences(entries: readonly AbsenceEntry[], action: AbsenceAction): readonly AbsenceEntry[] {
  const change = (at: number, part: Partial<AbsenceEntry>): readonly AbsenceEntry[] =>
    entries.map((entry, index) => (index === at ? { ...entry, ...part } : entry));
  switch (action.do) {
    case 'toggle': {
      const { person, stored } = action;
      if (entries.some((entry) => isFor(entry, person))) return entries.filter((entry) => !isFor(entry, person));
      const { name, type } = person;
      const known = storedOf(stored, person);
      return known.length > 0
        ? [...entries, ...known]
        : [...entries, { name, type, startTime: DEFAULT_START, endTime: DEFAULT_END }];
    }
    case 'set':
      return withWindow(entries, action.entry, action.stored);
    case 'add': {
      const { name, type } = action.person;
      return [...entries, { name, type, startTime: '', endTime: '' }];
    }
    case 'start':
      return change(action.at, { startTime: action.time });
    case 'end':
      return change(action.at, { endTime: action.time });
    case 'round':
      return entries.map((entry, index) => (index === action.at ? { ...entry, ...savedTimes(entry) } : entry));
    case 'part':
      return change(action.at, action.part);
    case 'all-day':
      return change(action.at, { startTime: DEFAULT_START, endTime: DEFAULT_END });
    case 'remove':
      return entries.filter((_, index) => index !== action.at);
    case 'clear':
      return [];
  }
}

/** A person's recorded windows as the selection holds them. */
const storedOf = (stored: readonly StoredAbsence[], person: Person): AbsenceEntry[] =>
  stored.filter((each) => isFor(each, person)).map(entryOf);

function withWindow(
  entries: readonly AbsenceEntry[],
  entry: AbsenceEntry,
  stored: readonly StoredAbsence[],
): readonly AbsenceEntry[] {
  const selected = entries.filter((each) => isFor(each, entry));
  const before = selected.length > 0 ? selected : storedOf(stored, entry);
  const window = windowOf(entry);
  const stays = before.filter((each) => {
    const other = windowOf(each);
    return other && window && !overlaps(other, window);
  });
  const [replaced, ...others] = before.filter((each) => !stays.includes(each));
  // Other times of one recorded window are that window, with its cause.
  const { loss, recorded } = others.length === 0 ? (replaced ?? entry) : entry;
  const made = { ...entry, ...(loss && { loss }), ...(recorded && { recorded }) };
  return [...entries.filter((each) => !isFor(each, entry)), ...stays, made];
}

/**
 * The absence in minutes, with 23:59 read as midnight. Null when its times cannot be read or it does not end after it
 * starts.
 */
export function windowOf(entry: AbsenceEntry): Interval | null {
  const { startTime, endTime } = savedTimes(entry);
  const start = parseTime(startTime);
  const end = parseTime(endTime);
  if (start === null || end === null) return null;
  const window = { start, end: endMinute(end) };
  return window.end > window.start ? window : null;
}

/** What is wrong with a window of the selection, and in which field (ABS-09); null when the window is valid. */
export function problemOf(
  entry: AbsenceEntry,
  entries: readonly AbsenceEntry[],
): { field: 'start' | 'end'; text: string } | null {
  if (isUntouched(entry)) return null;
  const start = parseTime(roundTime(entry.startTime, 'start'));
  const end = parseTime(roundTime(entry.endTime, 'end'));
  if (start === null) return { field: 'start', text: 'Enter a time' };
  if (end === null) return { field: 'end', text: 'Enter a time' };
  if (end <= start) return { field: 'end', text: `Must be after ${clockTime(start)}` };
  // Of two windows that overlap, one says so: the later of the two, or the one that was changed.
  const at = entries.indexOf(entry);
  for (const [index, other] of entries.entries()) {
    const taken = isFor(other, entry) && (index < at || isUntouched(other)) && other !== entry && windowOf(other);
    if (!taken || !overlaps(taken, { start, end })) continue;
    return taken.start <= start
      ? {
          field: 'start',
          text: taken.end === MINUTES_A_DAY ? ALREADY_AWAY : `Already away until ${clockTime(taken.end)}`,
        }
      : { field: 'end', text: `Already away from ${clockTime(taken.start)}` };
  }
  return null;
}
const ALREADY_AWAY = 'Already away then';

export const isWrong = (entries: readonly AbsenceEntry[]): boolean =>
  entries.some((entry) => problemOf(entry, entries) !== null);

export const isAllDay = (entry: Pick<AbsenceEntry, 'startTime' | 'endTime'>): boolean =>
  entry.startTime === DEFAULT_START && entry.endTime === DEFAULT_END;

/** A window in words, as it is recorded: `All day`, `Until 10:00 AM`, `From 1:00 PM`, `8:00 AM - 9:30 AM`. */
export function windowWords({ startTime, endTime }: Pick<AbsenceEntry, 'startTime' | 'endTime'>): string {
  if (isAllDay({ startTime, endTime })) return 'All day';
  const start = parseTime(startTime);
  const end = parseTime(endTime);
  if (start === null || end === null) return 'No time yet';
  if (start === 0) return `Until ${clockTime(end)}`;
  return end === 1439 ? `From ${clockTime(start)}` : timeSlot(start, end);
}

/** A window's columns on the panel's day line; null when it lies outside the day. */
export function columnsOf(window: Interval): { from: number; width: number } | null {
  const cut = intersect(window, { start: DAY_START, end: DAY_END });
  return cut && { from: (cut.start - DAY_START) / SLOT_MINUTES, width: (cut.end - cut.start) / SLOT_MINUTES };
}

/** A recorded window as a panel entry, so that it can be changed. */
export function entryOf({ id, name, type, startTime, endTime, loss, untold }: StoredAbsence): AbsenceEntry {
  const why = loss?.cause == null ? { cause: null } : { cause: loss.cause, lost_by: loss.lost_by };
  const knows = untold === undefined ? {} : { untold };
  const said = why.cause === null && untold === undefined ? {} : { loss: { ...why, ...knows } };
  return { name, type, startTime, endTime, ...said, recorded: { id, startTime, endTime, ...said } };
}

/** Windows by person, in the order of each person's first one; `at` is a window's index in the list. */
export function byPerson<T extends Person>(list: readonly T[]): { person: T; windows: { window: T; at: number }[] }[] {
  const groups: { person: T; windows: { window: T; at: number }[] }[] = [];
  for (const [at, window] of list.entries()) {
    const group = groups.find((g) => isFor(g.person, window));
    if (group) group.windows.push({ window, at });
    else groups.push({ person: window, windows: [{ window, at }] });
  }
  return groups;
}
