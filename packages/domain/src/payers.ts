import type { CodePair } from './billing.ts';
import { holdsOn } from './dated.ts';
import { nameKey } from './names.ts';
import type { Specialization } from './people.ts';
import type { DatedTag } from './tags.ts';
import type { IsoDate } from './time.ts';

/** The credentials that a payer can require; higher credentials are accepted too. */
export const PAYER_CREDENTIALS = ['RBT', 'BCBA'] as const;
export type PayerCredential = (typeof PAYER_CREDENTIALS)[number];

/** What a payer requires of every therapist whose sessions it pays for. */
export interface PayerRequirement {
  readonly name: string;
  readonly credential: PayerCredential | null;
  readonly tag: string | null;
}

/** What the clinic has recorded about a payer. */
export interface PayerSetting extends PayerRequirement {
  /** The pairs of codes that the payer pays for at the same time for one client; null when not known. */
  readonly concurrent: readonly CodePair[] | null;
}

/** The credentials that a payer accepts; null when it accepts every credential. */
export const acceptedCredentials = (required: PayerCredential | null): Specialization[] | null =>
  required === null ? null : required === 'RBT' ? ['RBT', 'BCBA'] : ['BCBA'];

/**
 * A sentence that names the first of the payer's requirements that a therapist does not meet on a date; null if the
 * therapist meets them all.
 */
export function payerSentence(
  payer: PayerRequirement,
  therapist: { readonly name: string; readonly credential: Specialization; readonly tags: readonly DatedTag[] },
  date: IsoDate,
): string | null {
  const { name, credential, tag } = payer;
  if (credential !== null && acceptedCredentials(credential)?.includes(therapist.credential) !== true)
    return `${name} requires ${credential === 'RBT' ? 'an RBT or above' : 'a BCBA'}; ${therapist.name} counts as ${therapist.credential === 'RBT' ? 'an RBT' : 'a BT'} on that date.`;
  if (tag === null || therapist.tags.some((own) => nameKey(own.tag) === nameKey(tag) && holdsOn(own, date)))
    return null;
  return `${name} requires ${tag}, which ${therapist.name} does not have on that date.`;
}
