import { byCode, NOTHING_CHANGED } from './table.ts';

/** Refusals of requests that are not well formed, before their content is considered. */
export const REQUEST_REFUSALS = byCode({
  invalid: {
    'report-range': (most: number) =>
      `to: a report covers 1 to ${most} days. Choose an end date within ${most} days of the start.`,
    'audited-range': (most: number) =>
      `to: the file covers 1 to ${most} days. Choose a last day within ${most} days of the first.`,
    'fields-wrong': (faults: readonly { field: string; fault: string }[]) =>
      faults.map(({ field, fault }) => `${field}: ${fault}`).join('; '),
    'nested-too-deep': () => `The request is nested too deeply. ${NOTHING_CHANGED}`,
    'null-character': () =>
      `A text field contains a null character, which cannot be stored. ${NOTHING_CHANGED} Type the text again.`,
    'half-character': () =>
      `A text field contains half of a character, such as a cut-off emoji. ${NOTHING_CHANGED} Type the text again.`,
  },
  'bad-request': {
    'request-unreadable': (status: string) => `The server could not read the request (${status}). ${NOTHING_CHANGED}`,
    'two-hosts': () => `The request names its host more than once. ${NOTHING_CHANGED}`,
    'not-utf8': () => `The request is not written in UTF-8, so letters in it would be lost. ${NOTHING_CHANGED}`,
  },
  'too-large': {
    'text-too-long': () =>
      `A text field in the request is too long. ${NOTHING_CHANGED} Shorten the text and try again.`,
  },
});
