import { locationLabel, longDate, shortDate, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import { TEXTS } from '../errors.ts';
import { byCode, NOTHING_CHANGED, NOTHING_SAVED } from './table.ts';

/** Sessions that a commit gave to others or cancelled. The absent person would get them back if the absence changed. */
export interface ReturnedSessions {
  readonly name: string;
  readonly kind: PersonKind;
  /** The location where the absence is changed. */
  readonly here: Location;
  /** The location of each of these sessions. */
  readonly sessions: readonly Location[];
}

export const ABSENCE_REFUSALS = byCode({
  invalid: {
    'too-many-dates': (dates: number, most: number) =>
      `These absences fall on ${dates} dates. You can save absences for at most ${most} dates at once. ${NOTHING_SAVED} Save them in smaller groups.`,
    'absence-too-short': (name: string, date: IsoDate, begin: string, end: string) =>
      `${name}’s absence on ${shortDate(date)}, from ${begin} to ${end}, must end at least a quarter of an hour after it begins. ${NOTHING_SAVED}`,
    'leave-reversed': (name: string) =>
      `${name}’s last day would be before the first. ${NOTHING_SAVED} Check both dates.`,
    'leave-out-of-reach': (name: string, from: IsoDate, to: IsoDate) =>
      `${name}’s absence must begin from ${longDate(from)} to ${longDate(to)}. ${NOTHING_SAVED} Check the first day.`,
    'leave-without-dates': (name: string) =>
      `None of the weekdays chosen for ${name} lies in these dates. ${NOTHING_SAVED} Choose another weekday, or a later last day.`,
    'leave-not-on': (name: string, date: IsoDate) =>
      `${name}’s absence does not include ${shortDate(date)}. ${NOTHING_CHANGED} Load the calendar again.`,
    'not-absent': (name: string, date: IsoDate) =>
      `${name} is not recorded as away on ${shortDate(date)}. ${NOTHING_CHANGED} Load the calendar again.`,
    'nothing-withdrawn': (name: string, date: IsoDate) =>
      `${name} has no removed absence on ${shortDate(date)} that could be restored. ${NOTHING_CHANGED} Load the calendar again.`,
    'report-reversed': () =>
      `to_time: the absence would end before it begins. ${NOTHING_SAVED} Check both dates and times.`,
    'report-out-of-reach': (latest: IsoDate) =>
      `from_date: you can report absences from today until ${shortDate(latest)}. ${NOTHING_SAVED} For other days, call the clinic.`,
    'too-many-reports': (most: number) =>
      `${most} of your reports are still waiting for the clinic. ${NOTHING_SAVED} Take back a report, or call the clinic.`,
  },
  'not-found': {
    'no-such-leave': () =>
      `This absence has ended or was changed meanwhile. ${NOTHING_CHANGED} Load the calendar again.`,
    'own-report-decided': () => `The clinic has already answered this report. ${NOTHING_CHANGED} Call the clinic.`,
    'no-such-report': () => `There is no such report at this location. ${NOTHING_CHANGED} Load the page again.`,
  },
  'stale-version': {
    'leave-changed-since': (name: string) =>
      `${name}’s absence has changed again since, so this cannot be undone. ${NOTHING_CHANGED} Change or end it instead.`,
    'report-decided': (name: string) =>
      `Someone has already answered this report from ${name}, or ${name} took it back. ${NOTHING_CHANGED}`,
  },
  'forbidden-location': {
    'absence-reaches-elsewhere': (places: string, name: string, date: IsoDate) =>
      `This would also change what was recorded or submitted at ${places} for ${name} on ${shortDate(date)}, and your account has no access there. ${NOTHING_CHANGED} Ask someone there to make this change.`,
  },
  busy: {
    'absences-saved-but-busy': () =>
      `${TEXTS.absencesSaved} The scheduler is working on other requests, so there are no options yet. Try again in a few seconds.`,
  },
  'solver-failed': {
    'absences-saved-but-unsolved': () =>
      `${TEXTS.absencesSaved} The options could not be worked out this time. Try again.`,
  },
  forbidden: {
    'absences-saved-but-rights-changed': () =>
      `${TEXTS.absencesSaved} Your account was changed or logged out meanwhile, so there are no options. Reload the page.`,
  },
  'takes-back': {
    'takes-back-sessions': (returned: readonly ReturnedSessions[], told: number) => {
      const single = returned.reduce((sum, { sessions }) => sum + sessions.length, 0) === 1;
      const needs = single ? 'the session will need a therapist' : 'the sessions will need therapists';
      return `${returned.map(givenAway).join(', and ')} in submitted changes${toldOf(told)}. If you continue, ${needs} again, and new options will offer the usual therapist first. ${NOTHING_CHANGED}`;
    },
  },
});

/** How many people were told about the changes: `, and 2 people were told`; empty when no one was. */
const toldOf = (told: number): string =>
  told === 0 ? '' : told === 1 ? ', and 1 person was told' : `, and ${told} people were told`;

function givenAway({ name, kind, here, sessions }: ReturnedSessions): string {
  const were = sessions.length === 1 ? 'was' : 'were';
  const became = kind === 'therapist' ? 'given to others or left unassigned' : 'cancelled';
  return `${sessions.length} of ${name}’s sessions${elsewhere(here, sessions)} ${were} ${became}`;
}

/** How many of the sessions are at other locations: ` (1 at Orlando)`; empty when no session is. */
function elsewhere(here: Location, sessions: readonly Location[]): string {
  const others = [...new Set(sessions)].filter((location) => location !== here).sort();
  if (others.length === 0) return '';
  const count = (location: Location): number => sessions.filter((each) => each === location).length;
  return ` (${others.map((location) => `${count(location)} at ${locationLabel(location)}`).join(', ')})`;
}
