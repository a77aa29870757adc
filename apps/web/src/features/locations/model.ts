import type { ManagedLocation, Merged, Remaining } from '@clinic/contract';
import { listWords, parseTime } from '@clinic/domain';
import { FIELD_LABELS } from '../../shared/field-labels.ts';

/** The opening hours of one weekday, as a form has them; both times are empty on a day without. */
export interface DayHours {
  readonly start: string;
  readonly end: string;
}

/** Monday first, as people say a week. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const;

export interface LocationForm {
  readonly label: string;
  readonly group: string;
  readonly zone: string;
  /** By weekday, 0 is Sunday. */
  readonly hours: readonly DayHours[];
}

export const LABELS = {
  label: FIELD_LABELS.label,
  group: FIELD_LABELS.group,
  zone: FIELD_LABELS.zone,
  hours: FIELD_LABELS.hours,
};

const NO_HOURS: DayHours = { start: '', end: '' };

export const formOf = (location: ManagedLocation | null, zone: string): LocationForm => ({
  label: location?.label ?? '',
  group: location?.group ?? '',
  zone: location?.zone ?? zone,
  hours: [0, 1, 2, 3, 4, 5, 6].map((day) => {
    const found = location?.hours.find(({ weekday }) => weekday === day);
    return found ? { start: found.start, end: found.end } : NO_HOURS;
  }),
});

/** What is wrong with a weekday's hours, in a sentence; null if nothing is. */
export function hoursFault({ start, end }: DayHours): string | null {
  if (start === '' && end === '') return null;
  const [from, until] = [parseTime(start), parseTime(end)];
  if (from === null || until === null) return 'Enter both times, or none';
  return from < until ? null : 'It must end after it begins';
}

export const bodyOf = ({ label, group, zone, hours }: LocationForm) => ({
  label: label.trim(),
  group: group.trim(),
  zone,
  hours: hours.flatMap(({ start, end }, weekday) => (start === '' || end === '' ? [] : [{ weekday, start, end }])),
});

/** The time zones of the United States, which come first in the list. */
export const US_ZONES: readonly (readonly [zone: string, words: string])[] = [
  ['America/New_York', 'Eastern (New York)'],
  ['America/Chicago', 'Central (Chicago)'],
  ['America/Denver', 'Mountain (Denver)'],
  ['America/Phoenix', 'Mountain without daylight saving (Phoenix)'],
  ['America/Los_Angeles', 'Pacific (Los Angeles)'],
  ['America/Anchorage', 'Alaska (Anchorage)'],
  ['Pacific/Honolulu', 'Hawaii (Honolulu)'],
];

export const zoneWords = (zone: string): string =>
  US_ZONES.find(([name]) => name === zone)?.[1] ?? zone.replaceAll('_', ' ');

const count = (n: number, one: string, many = `${one}s`): string[] =>
  n === 0 ? [] : [`${n.toLocaleString('en-US')} ${n === 1 ? one : many}`];

const people = ({ therapists, clients }: Pick<Remaining, 'therapists' | 'clients'>): string[] => [
  ...count(therapists, 'therapist'),
  ...count(clients, 'client'),
];

/** `2 therapists and 5 clients`; `No one` if no one is there. */
export const peopleWords = (of: Pick<Remaining, 'therapists' | 'clients'>): string => listWords(people(of)) || 'No one';

const booked = ({ sessions, series }: Pick<Remaining, 'sessions' | 'series'>): string[] => [
  ...count(sessions, 'session'),
  ...count(series, 'weekly series', 'weekly series'),
];

/** What remains at a location that is to close: sessions are in the way, people are not. */
export function remainingWords(left: Remaining): { blocks: string | null; stays: string | null } {
  const inTheWay = booked(left);
  const there = people(left);
  return {
    blocks: inTheWay.length === 0 ? null : listWords(inTheWay),
    stays: there.length === 0 ? null : listWords(there),
  };
}

/** What a merge moves, in words. */
export const mergedWords = (moved: Merged): string =>
  listWords([
    ...people(moved),
    ...booked(moved),
    ...count(moved.absences, 'absence'),
    ...count(moved.accounts, 'account'),
  ]) || 'Nothing';
