import type { Client, Therapist } from '@clinic/contract';
import { byName, plainName, type Location } from '@clinic/domain';

/** Pure functions for therapists' and clients' profiles: wording and search. */

export type ProfileKind = 'therapists' | 'clients';
export const KIND_WORDS = {
  therapists: {
    title: 'Therapists',
    one: 'therapist',
    many: 'therapists',
    add: 'Add Therapist',
    search: 'Search therapists...',
  },
  clients: { title: 'Clients', one: 'client', many: 'clients', add: 'Add Client', search: 'Search clients...' },
} as const;

export const isTherapist = (profile: Therapist | Client): profile is Therapist => 'availability' in profile;

interface Named {
  display_name: string;
  location: string;
}

/**
 * The profiles at a location (null: all locations) whose name contains every typed word, sorted by name. Ignores
 * accents and case.
 */
export function searchProfiles<P extends Named>(list: readonly P[], typed: string, location: Location | null): P[] {
  const words = plainName(typed).split(' ').filter(Boolean);
  const found = list
    .filter((p) => location === null || p.location === location)
    .filter((p) => words.every((word) => plainName(p.display_name).includes(word)));
  return byName(found, (p) => p.display_name);
}
