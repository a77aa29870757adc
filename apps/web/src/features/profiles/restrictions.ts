import { CLIENT_MARKS, type Client, type Therapist, type WireRestriction } from '@clinic/contract';
import { isLocation, locationLabel } from '@clinic/domain';
import { CLIENT_MARK_WORDS, FIELD_LABELS } from '../../shared/field-labels.ts';

/** Pure functions that put a client's restrictions and their effects into words. */

/** A restriction as a sentence: `Only female therapists`, `Never Ana Ruiz`. */
export function restrictionWords(r: WireRestriction, nameOf: (id: string) => string): string {
  return r.type === 'gender' ? `Only ${r.restriction.toLowerCase()} therapists` : `Never ${nameOf(r.restriction)}`;
}

/** Everything that limits who may serve a client, one sentence each. */
export const rulesInWords = (c: Client, nameOf: (id: string) => string): string[] => [
  ...c.restrictions.map((r) => restrictionWords(r, nameOf)),
  ...CLIENT_MARKS.filter((mark) => c[mark] && CLIENT_MARK_WORDS[mark].limits).map((mark) => FIELD_LABELS[mark]),
];

type Candidate = Pick<Therapist, 'id' | 'gender' | 'location'>;

/**
 * Each restriction's effect in words: how many of the location's therapists have the required gender, or why the
 * restriction makes no difference. Empty when there is nothing to add.
 */
export function restrictionEffects(
  list: readonly WireRestriction[],
  therapists: readonly Candidate[],
  location: string,
): string[] {
  const genders = new Set(list.filter((r) => r.type === 'gender').map((r) => r.restriction.toLowerCase()));
  const here = therapists.filter((t) => t.location === location);
  const where = isLocation(location) ? ` at ${locationLabel(location)}` : '';
  const mayServe = (t: Candidate) => genders.size === 0 || genders.has(t.gender.toLowerCase());
  return list.map((r) => {
    if (r.type === 'therapist') {
      const person = therapists.find((t) => t.id === r.restriction);
      if (!person) return 'no longer with the clinic';
      return mayServe(person) ? '' : 'already excluded by the gender restriction';
    }
    if (genders.size > 1) return 'both genders are listed, so either may come';
    return here.length === 0 ? '' : `leaves ${here.filter(mayServe).length} of ${here.length} therapists${where}`;
  });
}

/** Whether the type and value are chosen and the restriction is not yet in the list (PROF-08). */
export function canAddRestriction(list: readonly WireRestriction[], type: string, value: string): boolean {
  if ((type !== 'gender' && type !== 'therapist') || value === '') return false;
  return !list.some((r) => r.type === type && r.restriction.toLowerCase() === value.toLowerCase());
}

/** The type and value chosen so far; each is empty until chosen. */
export interface Choosing {
  type: WireRestriction['type'] | '';
  restriction: string;
}
export const nothingChosen = (): Choosing => ({ type: '', restriction: '' });

/** The list, plus the restriction being chosen if it is complete and not in the list yet. */
export const withChosen = (list: readonly WireRestriction[], { type, restriction }: Choosing): WireRestriction[] =>
  type !== '' && canAddRestriction(list, type, restriction) ? [...list, { type, restriction }] : [...list];
