import type { Payer } from '@clinic/contract';
import type { PayerCredential } from '@clinic/domain';

/** Pure functions that put the payers' requirements into words. */

export const CREDENTIAL_WORDS: Readonly<Record<PayerCredential, string>> = { RBT: 'RBT or above', BCBA: 'BCBA' };

export const PAYER_LABELS = {
  credential: 'Credential',
  tag: 'Skill or enrollment',
  concurrent: 'Codes billable at the same time',
} as const;

/** A pair of codes in words: `97153 with 97155` for `97153+97155`. */
export const pairWords = (pair: string): string => pair.replace('+', ' with ');

/** A sentence for each rule of a payer, and sentences that say how many payers have no rule. */
export function payerSentences(payers: readonly Payer[]): string[] {
  const asking = payers.filter(({ credential, tag }) => credential !== null || tag !== null);
  const silent = payers.filter(({ concurrent }) => concurrent === null).length;
  const rest = payers.length - asking.length;
  return [
    ...asking.map(({ name, credential, tag }) => {
      const required = [...(credential === null ? [] : [CREDENTIAL_WORDS[credential]]), ...(tag === null ? [] : [tag])];
      return `${name} requires every therapist to have: ${required.join(' and ')}.`;
    }),
    ...(rest === 0
      ? []
      : [`Not checked for ${rest === 1 ? '1 payer' : `${rest} payers`}: no requirements for therapists entered.`]),
    ...payers.flatMap(({ name, concurrent }) =>
      concurrent === null
        ? []
        : concurrent.length === 0
          ? `${name} never pays for two codes at the same time.`
          : `${name} pays at the same time for: ${concurrent.map(pairWords).join(', ')}.`,
    ),
    ...(silent === 0
      ? []
      : [
          `Not checked for ${silent === 1 ? '1 payer' : `${silent} payers`}: nobody has entered which codes may be billed at the same time.`,
        ]),
  ];
}
