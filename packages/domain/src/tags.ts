import { holdsOn, type Dated } from './dated.ts';
import { nameKey } from './names.ts';
import type { IsoDate } from './time.ts';

/** A language, training or payer enrollment of a therapist. */
export interface DatedTag extends Dated {
  readonly tag: string;
}

/** A tag that a client's therapists must have (`must`) or preferably should have. */
export interface Need {
  readonly tag: string;
  readonly must: boolean;
}

/** The needs that a therapist with these tags does not meet on the date. */
export function unmetNeeds<N extends Need>(needs: readonly N[], tags: readonly DatedTag[], date: IsoDate): N[] {
  const has = new Set(tags.filter((tag) => holdsOn(tag, date)).map(({ tag }) => nameKey(tag)));
  return needs.filter(({ tag }) => !has.has(nameKey(tag)));
}

/**
 * A sentence that says which required tags the therapist lacks for this client; null when no required tag is missing.
 */
export function needsSentence(client: string, therapist: string, unmet: readonly Need[]): string | null {
  const must = unmet.filter((need) => need.must).map(({ tag }) => tag);
  if (must.length === 0) return null;
  const last = must.at(-1) ?? '';
  const list = must.length === 1 ? last : `${must.slice(0, -1).join(', ')} and ${last}`;
  return `${client} needs ${list}, which ${therapist} does not have on that date.`;
}
