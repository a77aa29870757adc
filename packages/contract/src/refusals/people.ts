import { locationLabel, type Location, type PersonKind } from '@clinic/domain';
import { NOTHING_CHANGED, NOTHING_SAVED, type RefusalTable } from './table.ts';

/** Refusals about names in requests, and about profiles. */
export const PEOPLE_REFUSALS = {
  // Refusals about names in requests
  'person-left': {
    code: 'invalid',
    words: (name: string) => `${name} is no longer with the clinic. ${NOTHING_CHANGED}`,
  },
  'person-unknown': {
    code: 'invalid',
    words: (kind: PersonKind, name: string, location: Location, near: string | null) =>
      `No ${kind} named '${name}' at ${locationLabel(location)}. ${near === null ? NOTHING_CHANGED : `Did you mean '${near}'?`}`,
  },
  'person-ambiguous': {
    code: 'invalid',
    words: (kind: PersonKind, name: string, fits: readonly { name: string; location: Location }[]) => {
      const names = fits.map((each) => `'${each.name}' (${locationLabel(each.location)})`).join(' and ');
      return `More than one ${kind} is called '${name}': ${names}. ${NOTHING_CHANGED} Write the name as it is shown here.`;
    },
  },

  // Refusals about profiles
  'no-such-client': { code: 'not-found', words: () => 'This client is no longer on file. Load the list again.' },
  'no-such-therapist': {
    code: 'not-found',
    words: () => 'This therapist is no longer on file. Load the list again.',
  },
  'name-is-administrative': {
    code: 'invalid',
    words: (name: string) =>
      `first_name: the calendar shows administrative time as '${name}', so no client can have that name. ${NOTHING_SAVED}`,
  },
  'second-therapist-booked': {
    code: 'invalid',
    words: () =>
      `two_to_one: a second therapist is still booked for this client. ${NOTHING_SAVED} Cancel the second therapist’s sessions first.`,
  },
  'windows-overlap': {
    code: 'invalid',
    words: (entry: number, window: string, other: string) =>
      `availability.${entry}: ${window} overlaps ${other}. ${NOTHING_SAVED} Make them one entry, or change a time.`,
  },
  'tag-twice': {
    code: 'invalid',
    words: (field: 'tags' | 'needs', entry: number, tag: string) =>
      `${field}.${entry}.tag: '${tag}' is listed twice${field === 'tags' ? ' for the same dates' : ''}. ${NOTHING_SAVED} Remove one of them.`,
  },
  'authorization-twice': {
    code: 'invalid',
    words: (entry: number, code: string) =>
      `authorizations.${entry}.number: an authorization for ${code} with this number and first day is listed twice. ${NOTHING_SAVED} Remove one of them.`,
  },
  'excluded-therapist-unknown': {
    code: 'invalid',
    words: (entry: number, id: string) =>
      `restrictions.${entry}.restriction: there is no therapist with the id '${id}'. ${NOTHING_SAVED}`,
  },
  'therapist-still-booked': {
    code: 'conflict',
    words: (name: string, appointments: number, next: string | null) =>
      `${name} still has ${appointments} ${appointments === 1 ? 'appointment' : 'appointments'} on the calendar${next === null ? '' : `, the next on ${next}`}. Nothing was deleted. Give them to other therapists first, or delete anyway and leave them without a therapist.`,
  },
  'too-many-unfit': {
    code: 'invalid',
    words: (sessions: number, most: number) =>
      `This would leave ${sessions.toLocaleString('en-US')} sessions without a therapist; the limit is ${most.toLocaleString('en-US')} at a time. ${NOTHING_SAVED} Save without changing sessions.`,
  },
  'person-booked-elsewhere': {
    code: 'forbidden-location',
    words: (places: string, name: string) =>
      `This would also change what is still booked for ${name} at ${places}, and your account has no access there. ${NOTHING_CHANGED} Ask someone there to make this change.`,
  },
} as const satisfies RefusalTable;
