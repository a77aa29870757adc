import { locationLabel, type Location, type PersonKind } from '@clinic/domain';
import { byCode, NOTHING_CHANGED, NOTHING_SAVED } from './table.ts';

/** Refusals about names in requests, and about profiles. */
export const PEOPLE_REFUSALS = byCode({
  invalid: {
    // Refusals about names in requests
    'person-left': (name: string) => `${name} is no longer with the clinic. ${NOTHING_CHANGED}`,
    'person-unknown': (kind: PersonKind, name: string, location: Location, near: string | null) =>
      `No ${kind} named '${name}' at ${locationLabel(location)}. ${near === null ? NOTHING_CHANGED : `Did you mean '${near}'?`}`,
    'person-ambiguous': (kind: PersonKind, name: string, fits: readonly { name: string; location: Location }[]) => {
      const names = fits.map((each) => `'${each.name}' (${locationLabel(each.location)})`).join(' and ');
      return `More than one ${kind} is called '${name}': ${names}. ${NOTHING_CHANGED} Write the name as it is shown here.`;
    },
    'name-is-administrative': (name: string) =>
      `first_name: the calendar shows administrative time as '${name}', so no client can have that name. ${NOTHING_SAVED}`,
    'second-therapist-booked': () =>
      `two_to_one: a second therapist is still booked for this client. ${NOTHING_SAVED} Cancel the second therapist’s sessions first.`,
    'windows-overlap': (entry: number, window: string, other: string) =>
      `availability.${entry}: ${window} overlaps ${other}. ${NOTHING_SAVED} Make them one entry, or change a time.`,
    'tag-twice': (field: 'tags' | 'needs', entry: number, tag: string) =>
      `${field}.${entry}.tag: '${tag}' is listed twice${field === 'tags' ? ' for the same dates' : ''}. ${NOTHING_SAVED} Remove one of them.`,
    'authorization-twice': (entry: number, code: string) =>
      `authorizations.${entry}.number: an authorization for ${code} with this number and first day is listed twice. ${NOTHING_SAVED} Remove one of them.`,
    'excluded-therapist-unknown': (entry: number, id: string) =>
      `restrictions.${entry}.restriction: there is no therapist with the id '${id}'. ${NOTHING_SAVED}`,
    'too-many-unfit': (sessions: number, most: number) =>
      `This would leave ${sessions.toLocaleString('en-US')} sessions without a therapist; the limit is ${most.toLocaleString('en-US')} at a time. ${NOTHING_SAVED} Save without changing sessions.`,
  },
  'not-found': {
    // Refusals about profiles
    'no-such-client': () => 'This client is no longer on file. Load the list again.',
    'no-such-therapist': () => 'This therapist is no longer on file. Load the list again.',
  },
  conflict: {
    'therapist-still-booked': (name: string, appointments: number, next: string | null) =>
      `${name} still has ${appointments} ${appointments === 1 ? 'appointment' : 'appointments'} on the calendar${next === null ? '' : `, the next on ${next}`}. Nothing was deleted. Give them to other therapists first, or delete anyway and leave them without a therapist.`,
  },
  'forbidden-location': {
    'person-booked-elsewhere': (places: string, name: string) =>
      `This would also change what is still booked for ${name} at ${places}, and your account has no access there. ${NOTHING_CHANGED} Ask someone there to make this change.`,
  },
});
