import { byCode, NOTHING_CHANGED, NOTHING_SAVED } from './table.ts';

/** Refusals of requests to book, change or cancel a session by hand. */
export const APPOINTMENT_REFUSALS = byCode({
  'not-found': {
    'no-such-appointment': () => 'This appointment is no longer on the calendar. Load the calendar again.',
  },
  invalid: {
    'end-before-start': () => `end: the end must be after the start. ${NOTHING_SAVED}`,
    'subject-empty': () => `subject: must not be empty. ${NOTHING_SAVED}`,
    'administrative-time-unassigned': () => `therapist: administrative time needs a therapist. ${NOTHING_SAVED}`,
    'therapist-unfit': (reason: string) => `therapist: ${reason} ${NOTHING_SAVED}`,
    'series-ends-too-early': () => `weekly_until: must be on or after the first session’s date. ${NOTHING_SAVED}`,
    'series-too-long': () => `weekly_until: a series can run for at most a year. ${NOTHING_SAVED}`,
    'series-of-existing': () =>
      `weekly_until: an existing session cannot become a series. ${NOTHING_SAVED} Book the other weeks as new sessions.`,
    'series-days-overlap': (day: string) => `days: two of the times on ${day} overlap. ${NOTHING_SAVED}`,
    'meeting-with-client': () =>
      `meeting: a meeting is administrative time, without a client. ${NOTHING_SAVED} Leave the client out.`,
    'times-end-too-early': () => 'until: must be after today, and on or after the first date.',
    'times-unreadable': () => 'windows: none of these times lies between 7 AM and 7 PM. Enter other times.',
    'in-series-already': () => `session: this session is part of a weekly series already. ${NOTHING_SAVED}`,
    'series-of-other-times': () =>
      `session: none of the weekdays has this session’s time and therapist. ${NOTHING_SAVED} Save the session first.`,
    'not-in-series': () =>
      `scope: this session is not part of a weekly series. ${NOTHING_SAVED} Change only this session.`,
    'session-completed': () =>
      `This session is recorded as completed. ${NOTHING_SAVED} If it did not take place, change its status first.`,
  },
  conflict: {
    'not-a-pair': () =>
      `These two sessions cannot exchange their therapists any more. ${NOTHING_SAVED} Open the session again.`,
    'swap-while-away': (who: string) =>
      `${who} is away at the time of the other session. ${NOTHING_SAVED} Choose another session to exchange with, or see the options.`,
    'booking-needs-a-look': (reasons: string) =>
      `${reasons} ${NOTHING_SAVED} Choose another therapist, or book anyway.`,
    'series-without-dates': (why: string | null) =>
      `${why ?? 'No date is left to book.'} No other date can be booked. ${NOTHING_SAVED}`,
    'series-changed': () =>
      `The calendar has changed since these dates were shown. ${NOTHING_SAVED} Look at the dates again.`,
    'makeup-changed': (why: string) => `${why} ${NOTHING_SAVED} Propose the sessions again.`,
    'booking-not-own': () => `Someone else booked it. ${NOTHING_CHANGED}`,
    'booking-changed': (by: string) => `${by} has changed it since it was booked. ${NOTHING_CHANGED}`,
    'double-booked': (why: string, others: number) =>
      `${why} ${NOTHING_SAVED}${others > 0 ? ` ${others === 1 ? '1 more session is' : `${others} more sessions are`} in the way.` : ''} Choose another time or therapist.`,
    'recorded-already': (status: string) =>
      `The same session is already on the calendar, as ${status}. ${NOTHING_SAVED}`,
    'booked-just-now': () => `Someone else just booked this time. ${NOTHING_SAVED} Check the calendar and try again.`,
  },
});
