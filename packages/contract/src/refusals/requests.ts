import { NOTHING_CHANGED, type RefusalTable } from './table.ts';

/** Refusals of requests that are not well formed, before their content is considered. */
export const REQUEST_REFUSALS = {
  'report-range': {
    code: 'invalid',
    words: (most: number) =>
      `to: a report covers 1 to ${most} days. Choose an end date within ${most} days of the start.`,
  },
  'fields-wrong': {
    code: 'invalid',
    words: (faults: readonly { field: string; fault: string }[]) =>
      faults.map(({ field, fault }) => `${field}: ${fault}`).join('; '),
  },
  'request-unreadable': {
    code: 'bad-request',
    words: (status: string) => `The server could not read the request (${status}). ${NOTHING_CHANGED}`,
  },
  'two-hosts': {
    code: 'bad-request',
    words: () => `The request names its host more than once. ${NOTHING_CHANGED}`,
  },
  'nested-too-deep': { code: 'invalid', words: () => `The request is nested too deeply. ${NOTHING_CHANGED}` },
  'text-too-long': {
    code: 'too-large',
    words: () => `A text field in the request is too long. ${NOTHING_CHANGED} Shorten the text and try again.`,
  },
  'not-utf8': {
    code: 'bad-request',
    words: () => `The request is not written in UTF-8, so letters in it would be lost. ${NOTHING_CHANGED}`,
  },
  'null-character': {
    code: 'invalid',
    words: () =>
      `A text field contains a null character, which cannot be stored. ${NOTHING_CHANGED} Type the text again.`,
  },
  'half-character': {
    code: 'invalid',
    words: () =>
      `A text field contains half of a character, such as a cut-off emoji. ${NOTHING_CHANGED} Type the text again.`,
  },
} as const satisfies RefusalTable;
