import type { WireRestriction } from '@clinic/contract';
import { refusal } from '../../platform/refusal.ts';
import type { StoredRestriction } from './clients.queries.ts';

/**
 * The wire's restrictions to store, each once: a gender in any case (only such therapists) or a therapist's id (never).
 */
export function restrictionsToStore(list: readonly WireRestriction[]): StoredRestriction[] {
  const stored = new Map<string, StoredRestriction>();
  for (const { type, restriction } of list) {
    const value = restriction.trim();
    if (type === 'gender') {
      const requires_gender = value.toLowerCase() === 'female' ? 'Female' : 'Male';
      stored.set(`gender ${requires_gender}`, { requires_gender, excludes_therapist_id: null });
    } else {
      stored.set(`therapist ${value}`, { requires_gender: null, excludes_therapist_id: value });
    }
  }
  return [...stored.values()];
}

/** The therapists that restrictions exclude. */
export function excludedTherapists(list: readonly StoredRestriction[]): string[] {
  return list.flatMap((restriction) => restriction.excludes_therapist_id ?? []);
}

/** Refuses (422) the first restriction that names a therapist who is not in `known`, with its place in the list. */
export function refuseUnknownTherapists(list: readonly WireRestriction[], known: ReadonlySet<string>): void {
  list.forEach(({ type, restriction }, i) => {
    if (type !== 'therapist' || known.has(restriction.trim())) return;
    throw refusal('excluded-therapist-unknown', i, restriction.trim());
  });
}
