import { listWords, shortDate, type IsoDate } from '@clinic/domain';
import type { Remaining } from '../locations.ts';
import { byCode, NOTHING_CHANGED, NOTHING_SAVED } from './table.ts';

/** Refusals about the clinic's locations. */
export const LOCATION_REFUSALS = byCode({
  'not-found': {
    'location-unknown': (value: string) => `no such location '${value.slice(0, 40)}'`,
  },
  invalid: {
    'zone-unknown': (zone: string) =>
      `zone: '${zone.slice(0, 40)}' is not a time zone. ${NOTHING_SAVED} Use a name like America/New_York.`,
    'location-name-unusable': () =>
      `label: a name needs a letter or digit first, and no characters such as / or ,. ${NOTHING_SAVED} Use another name.`,
    'hours-twice': () => `hours: a weekday is listed twice. ${NOTHING_SAVED}`,
    'hours-reversed': () => `hours: a day would end before it begins. ${NOTHING_SAVED}`,
    'too-many-locations': (most: number) => `You already have ${most} locations, the maximum. ${NOTHING_SAVED}`,
    'closing-in-the-past': (today: IsoDate) =>
      `from: a location can close from today, ${shortDate(today)}, at the earliest. ${NOTHING_CHANGED}`,
    'last-open-location': () => `This is the last open location. ${NOTHING_CHANGED} Add another location first.`,
    'merge-with-itself': () => `into: choose another location. ${NOTHING_CHANGED}`,
    'merge-zones-differ': (one: string, other: string) =>
      `into: the clocks of ${one} and ${other} differ, so sessions would take place at other times. ${NOTHING_CHANGED} Choose a location with the same time zone.`,
    'merge-into-closed': (label: string) => `into: ${label} is closed. ${NOTHING_CHANGED} Choose an open location.`,
    'location-closed': (label: string) => `${label} is closed by then. ${NOTHING_SAVED} Choose an open location.`,
    'location-just-closed': () => `This location is closed by then. ${NOTHING_SAVED} Choose an open location.`,
  },
  conflict: {
    'location-exists': (label: string) =>
      `A location named “${label}” already exists. ${NOTHING_SAVED} Use another name.`,
    'location-not-empty': (label: string, from: IsoDate, left: Pick<Remaining, 'sessions' | 'series'>) =>
      `${label} still has ${listWords([
        ...count(left.sessions, 'session'),
        ...count(left.series, 'weekly series', 'weekly series'),
      ])} from ${shortDate(from)} on. ${NOTHING_CHANGED} Move or cancel them, or merge the location into another.`,
    'location-merged': (label: string) => `${label} was merged into another location. ${NOTHING_CHANGED}`,
    'merge-after-calls': (label: string, last: IsoDate) =>
      `People have already been told about sessions at ${label} up to ${shortDate(last)}. ${NOTHING_CHANGED} Merge from a later date.`,
    'merge-double-books': () =>
      `Someone would be booked twice at the same time. ${NOTHING_CHANGED} Change one of the sessions first.`,
    'zone-double-books': (label: string) =>
      `With this time zone, someone would be booked at ${label} and elsewhere at the same time. ${NOTHING_SAVED} Change one of the sessions first.`,
  },
});

const count = (n: number, one: string, many = `${one}s`): string[] =>
  n === 0 ? [] : [`${n.toLocaleString('en-US')} ${n === 1 ? one : many}`];
