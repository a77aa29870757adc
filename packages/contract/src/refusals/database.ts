import type { PersonKind } from '@clinic/domain';
import { byCode, NOTHING_SAVED } from './table.ts';

const LOAD_AGAIN = 'Load the day again and choose another time';

/**
 * Refusals of writes that a database rule stops. The application's own checks run first and explain more, so this
 * happens only when two people save at the same moment or a check missed something.
 */
export const DATABASE_REFUSALS = byCode({
  conflict: {
    'saved-twice': () =>
      `Someone saved the same thing at the same moment. ${NOTHING_SAVED} Load the page again and check before you try again.`,
    'name-just-taken': () =>
      `Someone with the same name was added at the same moment. ${NOTHING_SAVED} Try again; a number will be added to the second name.`,
    'already-absent': (kind: PersonKind) =>
      `This ${kind} is already marked absent for part of that time. ${NOTHING_SAVED} Load the day again.`,
    'admin-elsewhere': () =>
      `This therapist has administrative time at another location then. ${NOTHING_SAVED} Choose another time.`,
    'client-in-another-session': () => `This client has another session at that time. ${NOTHING_SAVED} ${LOAD_AGAIN}.`,
    'client-not-two-to-one': () =>
      `This client has one therapist at a time, and another is booked then. ${NOTHING_SAVED} ${LOAD_AGAIN}.`,
    'therapist-gone-by-then': () =>
      `This therapist left the clinic before that time. ${NOTHING_SAVED} Choose another therapist.`,
    'therapist-elsewhere': () =>
      `This therapist has another booking at that time. ${NOTHING_SAVED} ${LOAD_AGAIN} or therapist.`,
  },
  invalid: {
    'email-just-taken': () => `email: this address already has an account. ${NOTHING_SAVED}`,
    'refers-to-missing': () =>
      `Something that this change refers to no longer exists. ${NOTHING_SAVED} Load the page again.`,
    'name-length': () => `A first or last name must have 1 to 80 characters. ${NOTHING_SAVED}`,
    'window-reversed': () => `The end must be after the start, on the same day. ${NOTHING_SAVED}`,
    'windows-of-day-overlap': () => `availability: two windows on one day overlap. ${NOTHING_SAVED}`,
    'value-not-offered': () => `One of the values is not a valid choice. ${NOTHING_SAVED}`,
    'value-missing': () => `Something required was left out. ${NOTHING_SAVED}`,
    'value-out-of-range': () => `A value is outside the range that the schedule allows. ${NOTHING_SAVED}`,
    'absence-of-both': () => `An absence is for either one therapist or one client. ${NOTHING_SAVED}`,
    'email-too-long': () => `email: an address can have at most 254 characters. ${NOTHING_SAVED}`,
    'session-over-midnight': () => `A session must begin and end on the same day. ${NOTHING_SAVED}`,
    'client-and-administrative': () =>
      `Administrative time cannot have a client; every other session must have one. ${NOTHING_SAVED}`,
    'restriction-of-both': () => `restrictions: each is either a gender or a therapist. ${NOTHING_SAVED}`,
    'restriction-twice': () => `restrictions: the same restriction is listed twice. ${NOTHING_SAVED}`,
    'last-day-before-first': () => `end_date: the last day must be on or after the first. ${NOTHING_SAVED}`,
    'contact-of-both': () => `contacts: each belongs to either one client or one therapist. ${NOTHING_SAVED}`,
    'too-many-contacts': () => `contacts: a person can have at most 10. ${NOTHING_SAVED}`,
    'contact-too-long': () =>
      `contacts: each needs a name of at most 120 characters, and shorter values in its other fields. ${NOTHING_SAVED}`,
    'contact-not-reachable-so': () =>
      `contacts: the preferred contact method needs a telephone number or an email address. ${NOTHING_SAVED}`,
    'dates-reversed': () => `The last day must be on or after the first day. ${NOTHING_SAVED}`,
    'authorization-dates': () =>
      `An authorization’s last day must be on or after its first day, and at most two years after it. ${NOTHING_SAVED}`,
    'authorization-prior': () =>
      `Units already used need the date through which they were used, on or after the authorization’s first day. ${NOTHING_SAVED}`,
    'authorization-listed-twice': () => `The same authorization is listed twice. ${NOTHING_SAVED}`,
    'tag-length': () => `A skill or need must have 1 to 60 characters. ${NOTHING_SAVED}`,
    'tag-listed-twice': () => `The same skill or need is listed twice. ${NOTHING_SAVED}`,
    'consistency-range': () => `consistency: must be a whole number from 0 to 100. ${NOTHING_SAVED}`,
  },
});
