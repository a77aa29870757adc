import { byCode, NOTHING_CHANGED, NOTHING_SAVED } from './table.ts';

export const CLOSURE_REFUSALS = byCode({
  invalid: {
    'closure-reversed': () => `The location would open before it closes. ${NOTHING_SAVED} Check both dates and times.`,
    'closure-too-long': (days: number, most: number) =>
      `This closure has ${days} days; one closure can have at most ${most}. ${NOTHING_SAVED} Close the first weeks now, and the next ones when you know more.`,
    'closure-too-large': (sessions: number, most: number) =>
      `This would cancel ${sessions} sessions; one closure can cancel at most ${most}. ${NOTHING_SAVED} Close one location or fewer days at a time.`,
    'closure-past': () => `This time has passed. ${NOTHING_SAVED} Cancel past sessions one by one.`,
    'not-an-ics-file': (why: string) =>
      `The holidays in this file could not be read: ${why}. ${NOTHING_SAVED} Export the calendar again as an .ics file, or add the days by hand.`,
  },
  'not-found': {
    'no-such-closure': () =>
      `This location is open again already, or the closure was changed. ${NOTHING_CHANGED} Load the page again.`,
  },
});
