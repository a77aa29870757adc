import { clockTime, DAY_END, DAY_START, parseDate, shortDate } from '@clinic/domain';
import { byCode, NOTHING_CHANGED } from './table.ts';

/** The reason why a page sends options back to the server. */
export type SentFor = 'submit' | 'refresh';

const openAgain = (purpose: SentFor): string => `Open the options again, choose, and ${purpose} once more.`;

/** A date as people read it, or the text as it was sent if it is not a date. */
function dayOf(text: string): string {
  const date = parseDate(text);
  return date === null ? text : shortDate(date);
}

/** Refusals of options that a page sends back, and of the choices made among them. */
export const OPTION_REFUSALS = byCode({
  invalid: {
    'options-unknown': () =>
      `The server did not make these options. ${NOTHING_CHANGED} Save the absences again to get new ones.`,
    'options-edited': () => `The options that were sent back are not the options that were offered. ${NOTHING_CHANGED}`,
    'options-not-sent': () =>
      `The options to refresh were not sent: output.possible_solutions is empty. ${NOTHING_CHANGED} ${openAgain('refresh')}`,
    'no-options-on-date': (date: string) => `There are no options for ${dayOf(date)}. ${NOTHING_CHANGED}`,
    'no-options-for-client': (client: string, date: string) =>
      `There are no options for ${client} on ${dayOf(date)}. ${NOTHING_CHANGED}`,
    'no-such-option': (option: string, date: string) => `There is no ${option} on ${dayOf(date)}. ${NOTHING_CHANGED}`,
    'not-to-be-asked': (name: string) =>
      `${name} cannot be asked to stay late or come early: the session is not within an hour of their working hours. ${NOTHING_CHANGED} Open the list again.`,
    'options-of-client-missing': (option: string, client: string, date: string, purpose: SentFor) =>
      `${option} is selected for ${client} on ${dayOf(date)}, but the options of ${client} were not sent with it. ${NOTHING_CHANGED} ${openAgain(purpose)}`,
    'details-of-client-missing': (option: string, client: string, date: string) =>
      `${option} is selected for ${client} on ${dayOf(date)}, but its details were not sent with it. ${NOTHING_CHANGED} ${openAgain('submit')}`,
    'details-not-selected': (client: string, date: string) =>
      `Details were sent for ${client} on ${dayOf(date)}, but no option is selected for ${client}. ${NOTHING_CHANGED}`,
    'details-edited': (client: string, date: string, option: string) =>
      `The details of ${client} on ${dayOf(date)} do not match ${option} as it was offered. ${NOTHING_CHANGED}`,
    'nothing-selected': () => `No option is selected. ${NOTHING_CHANGED}`,
    'two-options-selected': (client: string, date: string) =>
      `Two options are selected for ${client} on ${dayOf(date)}. ${NOTHING_CHANGED} Select one of them.`,
    'range-too-long': (most: number) =>
      `A replacement is planned for at most ${most} days at a time. Choose a shorter range.`,
    'range-ends-too-early': () => 'The range ends before it begins, or it is over. Choose a later last day.',
    'too-many-for-replacement': (count: number, most: number) =>
      `There are ${count} sessions in this range; at most ${most} are written at once. Choose a shorter range, and plan the rest after it.`,
    'no-such-child': () => `A child or an option in the choice is not in these options. ${NOTHING_CHANGED}`,
  },
  conflict: {
    'meeting-gone': (therapist: string, child: string, date: string) =>
      `${therapist} can no longer join ${child} on ${dayOf(date)}: the session or the free time has changed. ${NOTHING_CHANGED} Plan the meetings again.`,
    'options-replaced': () =>
      `These options were replaced by a later refresh. ${NOTHING_CHANGED} Use the newest options.`,
  },
  'not-found': {
    'no-such-cell': () => 'This session is not in these options. Open the options again.',
    'nothing-to-choose': () =>
      `No one can be chosen for this session: it is no longer on that day, it is over, or it is before ${clockTime(DAY_START)} or after ${clockTime(DAY_END)}. Load the calendar again.`,
  },
});
