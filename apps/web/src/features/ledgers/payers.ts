import type { Payer } from '@clinic/contract';
import type { PayerCredential } from '@clinic/domain';

/** The payers' requirements, in words. Pure. */

export const CREDENTIAL_WORDS: Readonly<Record<PayerCredential, string>> = { RBT: 'RBT or above', BCBA: 'BCBA' };

/** A sentence for each payer with a requirement, and one that counts the payers without any. */
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
