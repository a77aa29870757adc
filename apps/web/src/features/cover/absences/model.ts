import type { absencesEndpoints, BodyOf, LossBody, StoredAbsence } from '@clinic/contract';
import {
  DAY_END,
  DAY_START,
  MINUTES_A_DAY,
  SLOT_MINUTES,
  clockTime,
  formatTime,
  intersect,
  nameKey,
  parseTime,
  roundToQuarter,
  type Interval,
  type PersonKind,
} from '@clinic/domain';
import { LAST_MINUTE } from '../../../shared/time-field.ts';

/** A person selected as absent, as the panel holds it (DATA-07). Times are HH:MM; 23:59 means the end of the day. */
export interface AbsenceEntry {
  name: string;
  type: PersonKind;
  startTime: string;
  endTime: string;
  /** Why the person is away, if recorded. */
  loss?: LossBody;
}

const DEFAULT_START = '00:00';
const DEFAULT_END = LAST_MINUTE;

export type AbsenceAction =
  /**
   * A click on the person's name. If an absence is already recorded (`stored`), the selection starts as a copy of that
   * absence.
   */
  | {
      do: 'toggle';
      person: Pick<AbsenceEntry, 'name' | 'type'>;
      stored?: Pick<AbsenceEntry, 'startTime' | 'endTime' | 'loss'> | undefined;
    }
  /** Marks the person absent for this window, whether or not they were selected before. */
  | { do: 'set'; entry: AbsenceEntry }
  | { do: 'start' | 'end'; person: Pick<AbsenceEntry, 'name' | 'type'>; time: string }
  /**
   * Rounds a time to the quarter hour when its field is left. Rounding during typing would make 7:15 impossible to
   * type.
   */
  | { do: 'round'; person: Pick<AbsenceEntry, 'name' | 'type'> }
  | { do: 'why'; person: Pick<AbsenceEntry, 'name' | 'type'>; loss: LossBody }
  | { do: 'all-day'; person: Pick<AbsenceEntry, 'name' | 'type'> }
  | { do: 'remove'; person: Pick<AbsenceEntry, 'name' | 'type'> }
  | { do: 'clear' };

export const isFor = (
  entry: Pick<AbsenceEntry, 'name' | 'type'>,
  person: Pick<AbsenceEntry, 'name' | 'type'>,
): boolean => entry.type === person.type && nameKey(entry.name) === nameKey(person.name);

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

/** The selection after an action. People stay in the order in which they were selected. */
export function reduceAbsences(entries: readonly AbsenceEntry[], action: AbsenceAction): readonly AbsenceEntry[] {
  const change = (person: Pick<AbsenceEntry, 'name' | 'type'>, part: Partial<AbsenceEntry>): readonly AbsenceEntry[] =>
    entries.map((entry) => (isFor(entry, person) ? { ...entry, ...part } : entry));
  switch (action.do) {
    case 'toggle': {
      const { person, stored } = action;
      if (entries.some((entry) => isFor(entry, person))) return entries.filter((entry) => !isFor(entry, person));
      return [
        ...entries,
        {
          name: person.name,
          type: person.type,
          startTime: stored?.startTime ?? DEFAULT_START,
          endTime: stored?.endTime ?? DEFAULT_END,
          ...(stored?.loss === undefined ? {} : { loss: stored.loss }),
        },
      ];
    }
    case 'set':
      return [...entries.filter((entry) => !isFor(entry, action.entry)), action.entry];
    case 'start':
      return change(action.person, { startTime: action.time });
    case 'end':
      return change(action.person, { endTime: action.time });
    case 'round':
      return entries.map((entry) =>
        isFor(entry, action.person)
          ? { ...entry, startTime: roundTime(entry.startTime, 'start'), endTime: roundTime(entry.endTime, 'end') }
          : entry,
      );
    case 'why':
      return change(action.person, { loss: action.loss });
    case 'all-day':
      return change(action.person, { startTime: DEFAULT_START, endTime: DEFAULT_END });
    case 'remove':
      return entries.filter((entry) => !isFor(entry, action.person));
    case 'clear':
      return [];
  }
}

/**
 * The absence in minutes, with 23:59 read as midnight. Null when its times cannot be read or it does not end after it
 * starts.
 */
export function windowOf(entry: Pick<AbsenceEntry, 'startTime' | 'endTime'>): Interval | null {
  const start = parseTime(roundTime(entry.startTime, 'start'));
  const end = parseTime(roundTime(entry.endTime, 'end'));
  if (start === null || end === null) return null;
  const window = { start, end: end === 1439 ? 1440 : end };
  return window.end > window.start ? window : null;
}

/** What is wrong with an entry, and in which field (ABS-09); null when the entry is valid. */
export function problemOf(entry: AbsenceEntry): { field: 'start' | 'end'; text: string } | null {
  const start = parseTime(roundTime(entry.startTime, 'start'));
  const end = parseTime(roundTime(entry.endTime, 'end'));
  if (start === null) return { field: 'start', text: 'Enter a time' };
  if (end === null) return { field: 'end', text: 'Enter a time' };
  return end > start ? null : { field: 'end', text: `Must be after ${clockTime(start)}` };
}

export const isAllDay = (entry: Pick<AbsenceEntry, 'startTime' | 'endTime'>): boolean =>
  entry.startTime === DEFAULT_START && entry.endTime === DEFAULT_END;

/** The request body that Save sends. */
export type ProcessBody = BodyOf<typeof absencesEndpoints.process>;
type AbsenceQuery = ProcessBody['queries'][number];

/** The queries that Save sends (ABS-05). They replace the recorded absences of each person on the date. */
export function toQueries(
  entries: readonly AbsenceEntry[],
  date: string,
  location: AbsenceQuery['location'],
): AbsenceQuery[] {
  return entries.map((entry): AbsenceQuery => {
    const window = {
      date,
      begin: roundTime(entry.startTime, 'start'),
      end: roundTime(entry.endTime, 'end'),
      location,
      replaces: true,
      ...(entry.loss === undefined ? {} : { loss: entry.loss }),
    };
    return entry.type === 'therapist'
      ? { type: 'therapist_cancel', ...window, therapist: entry.name }
      : { type: 'client_cancel', ...window, client: entry.name };
  });
}

/** A window's columns on the panel's day line; null when it lies outside the day. */
export function columnsOf(window: Interval): { from: number; width: number } | null {
  const cut = intersect(window, { start: DAY_START, end: DAY_END });
  return cut && { from: (cut.start - DAY_START) / SLOT_MINUTES, width: (cut.end - cut.start) / SLOT_MINUTES };
}

/** A recorded absence as a panel entry, so that it can be changed. */
export const entryOf = ({ name, type, startTime, endTime, loss }: StoredAbsence): AbsenceEntry => ({
  name,
  type,
  startTime,
  endTime,
  ...storedLoss(loss),
});

/** The recorded cause, with which a changed entry starts, so that saving keeps the cause. */
export const storedLoss = (loss: StoredAbsence['loss']): Pick<AbsenceEntry, 'loss'> =>
  loss?.cause == null ? {} : { loss: { cause: loss.cause, lost_by: loss.lost_by } };

/** Whether the entry is exactly what is already recorded for its person. */
export function isStored(entry: AbsenceEntry, stored: readonly StoredAbsence[]): boolean {
  const [own, ...others] = stored.filter((each) => isFor(each, entry));
  return (
    own !== undefined &&
    others.length === 0 &&
    roundTime(entry.startTime, 'start') === own.startTime &&
    roundTime(entry.endTime, 'end') === own.endTime &&
    (entry.loss === undefined || isSaid(entry.loss, own))
  );
}

const isSaid = (loss: LossBody, stored: StoredAbsence): boolean =>
  loss.cause === (stored.loss?.cause ?? null) && (loss.lost_by ?? stored.loss?.lost_by) === stored.loss?.lost_by;

/**
 * Groups the recorded windows by person, since the panel has one line for each person. Most people have a single
 * window.
 */
export function storedByPerson(
  stored: readonly StoredAbsence[],
): { person: StoredAbsence; windows: StoredAbsence[] }[] {
  const groups: { person: StoredAbsence; windows: StoredAbsence[] }[] = [];
  for (const each of stored) {
    const group = groups.find((g) => isFor(g.person, each));
    if (group) group.windows.push(each);
    else groups.push({ person: each, windows: [each] });
  }
  return groups;
}
