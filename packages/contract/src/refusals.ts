import type { ErrorCode } from './errors.ts';

/** What a page does with the options that it sends back. */
export type SentFor = 'submit' | 'refresh';

const NOTHING = 'Nothing was changed.';
const OPEN_AGAIN = (purpose: SentFor): string => `Open the options again, choose, and ${purpose} once more.`;

/**
 * The sentences of refusals that know more than their code's own text: each says what happened, what it means for the
 * schedule and what to do. Closed: the server has no other way to refuse in words of its own.
 */
export const REFUSALS = {
  // What a page sends back
  'options-edited': {
    code: 'invalid',
    words: () => `The options that were sent back are not the ones that were offered. ${NOTHING}`,
  },
  'options-not-sent': {
    code: 'invalid',
    words: () =>
      `The options to refresh did not come with the request: output.possible_solutions is empty. ${NOTHING} ${OPEN_AGAIN('refresh')}`,
  },
  'no-options-on-date': {
    code: 'invalid',
    words: (date: string) => `These options hold nothing for ${date}. ${NOTHING}`,
  },
  'no-options-for-client': {
    code: 'invalid',
    words: (client: string, date: string) => `These options hold nothing for ${client} on ${date}. ${NOTHING}`,
  },
  'no-such-option': {
    code: 'invalid',
    words: (option: string, date: string) => `There is no ${option} on ${date}. ${NOTHING}`,
  },
  'options-of-client-missing': {
    code: 'invalid',
    words: (option: string, client: string, date: string, purpose: SentFor) =>
      `${option} is selected for ${client} on ${date}, but the options of ${client} did not come with it. ${NOTHING} ${OPEN_AGAIN(purpose)}`,
  },
  'details-of-client-missing': {
    code: 'invalid',
    words: (option: string, client: string, date: string) =>
      `${option} is selected for ${client} on ${date}, but its details did not come with it. ${NOTHING} ${OPEN_AGAIN('submit')}`,
  },
  'details-not-selected': {
    code: 'invalid',
    words: (client: string, date: string) =>
      `The details name ${client} on ${date}, for whom no option is selected. ${NOTHING}`,
  },
  'details-edited': {
    code: 'invalid',
    words: (client: string, date: string, option: string) =>
      `The details of ${client} on ${date} are not those of ${option} as it was offered. ${NOTHING}`,
  },
  'nothing-selected': { code: 'invalid', words: () => `No option is selected. ${NOTHING}` },
  'two-options-selected': {
    code: 'invalid',
    words: (client: string, date: string) =>
      `Two options are selected for ${client} on ${date}. ${NOTHING} Select one of them.`,
  },
} as const satisfies Record<string, { code: ErrorCode; words: (...parameters: never[]) => string }>;

export type RefusalName = keyof typeof REFUSALS;

/** The parameters of a refusal's sentence. */
export type RefusalParameters<N extends RefusalName> = Parameters<(typeof REFUSALS)[N]['words']>;
