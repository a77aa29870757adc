import { NOTHING_CHANGED, NOTHING_SAVED, type RefusalTable } from './table.ts';

/** Refusals of requests to book, change or cancel a session by hand. */
export const APPOINTMENT_REFUSALS = {
  'no-such-appointment': {
    code: 'not-found',
    words: () => 'This appointment is no longer on the calendar. Load the calendar again.',
  },
  'end-before-start': { code: 'invalid', words: () => `end: the end must be after the start. ${NOTHING_SAVED}` },
  'subject-empty': { code: 'invalid', words: () => `subject: must not be empty. ${NOTHING_SAVED}` },
  'administrative-time-unassigned': {
    code: 'invalid',
    words: () => `therapist: administrative time needs a therapist. ${NOTHING_SAVED}`,
  },
  'therapist-unfit': { code: 'invalid', words: (reason: string) => `therapist: ${reason} ${NOTHING_SAVED}` },
  'booking-needs-a-look': {
    code: 'conflict',
    words: (reasons: string) => `${reasons} ${NOTHING_SAVED} Choose another therapist, or book anyway.`,
  },
  'series-ends-too-early': {
    code: 'invalid',
    words: () => `weekly_until: must be on or after the first session’s date. ${NOTHING_SAVED}`,
  },
  'series-too-long': {
    code: 'invalid',
    words: () => `weekly_until: a series can run for at most a year. ${NOTHING_SAVED}`,
  },
  'series-of-existing': {
    code: 'invalid',
    words: () =>
      `weekly_until: an existing session cannot become a series. ${NOTHING_SAVED} Book the other weeks as new sessions.`,
  },
  'series-days-overlap': {
    code: 'invalid',
    words: (day: string) => `days: two of the times on ${day} overlap. ${NOTHING_SAVED}`,
  },
  'series-without-dates': {
    code: 'conflict',
    words: (why: string | null) => `${why ?? 'No date is left to book.'} No other date can be booked. ${NOTHING_SAVED}`,
  },
  'series-changed': {
    code: 'conflict',
    words: () => `The calendar has changed since these dates were shown. ${NOTHING_SAVED} Look at the dates again.`,
  },
  'times-end-too-early': {
    code: 'invalid',
    words: () => 'until: must be after today, and on or after the first date.',
  },
  'times-unreadable': {
    code: 'invalid',
    words: () => 'windows: none of these times lies between 7 AM and 7 PM. Enter other times.',
  },
  'makeup-changed': {
    code: 'conflict',
    words: (why: string) => `${why} ${NOTHING_SAVED} Propose the sessions again.`,
  },
  'not-a-pair': {
    code: 'conflict',
    words: () =>
      `These two sessions cannot exchange their therapists any more. ${NOTHING_SAVED} Open the session again.`,
  },
  'in-series-already': {
    code: 'invalid',
    words: () => `session: this session is part of a weekly series already. ${NOTHING_SAVED}`,
  },
  'series-of-other-times': {
    code: 'invalid',
    words: () =>
      `session: none of the weekdays has this session’s time and therapist. ${NOTHING_SAVED} Save the session first.`,
  },
  'not-in-series': {
    code: 'invalid',
    words: () => `scope: this session is not part of a weekly series. ${NOTHING_SAVED} Change only this session.`,
  },
  'session-completed': {
    code: 'invalid',
    words: () =>
      `This session is recorded as completed. ${NOTHING_SAVED} If it did not take place, change its status first.`,
  },
  'booking-not-own': { code: 'conflict', words: () => `Someone else booked it. ${NOTHING_CHANGED}` },
  'booking-changed': {
    code: 'conflict',
    words: (by: string) => `${by} has changed it since it was booked. ${NOTHING_CHANGED}`,
  },
  'double-booked': {
    code: 'conflict',
    words: (why: string, others: number) =>
      `${why} ${NOTHING_SAVED}${others > 0 ? ` ${others === 1 ? '1 more session is' : `${others} more sessions are`} in the way.` : ''} Choose another time or therapist.`,
  },
  'recorded-already': {
    code: 'conflict',
    words: (status: string) => `The same session is already on the calendar, as ${status}. ${NOTHING_SAVED}`,
  },
  'booked-just-now': {
    code: 'conflict',
    words: () => `Someone else just booked this time. ${NOTHING_SAVED} Check the calendar and try again.`,
  },
} as const satisfies RefusalTable;
