import type { Payer } from '@clinic/contract';
import type { PayerCredential } from '@clinic/domain';

/** What payers require, in words. Pure. */

export const CREDENTIAL_WORDS: Readonly<Record<PayerCredential, string>> = { RBT: 'RBT or above', BCBA: 'BCBA' };

/** A sentence for each payer that requires something, and one that says how many require nothing. */
export function payerSentences(payers: readonly Payer[]): string[] {
  const asking = payers.filter(({ credential, tag }) => credential !== null || tag !== null);
  const rest = payers.length - asking.length;
  return [
    ...asking.map(({ name, credential, tag }) => {
      const required = [...(credential === null ? [] : [CREDENTIAL_WORDS[credential]]), ...(tag === null ? [] : [tag])];
      return `${name} requires of every therapist: ${required.join(', and ')}.`;
    }),
    ...(rest === 0
      ? []
      : [`${rest === 1 ? '1 payer requires' : `${rest} payers require`} nothing of therapists: rule off.`]),
  ];
}
