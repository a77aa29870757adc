import { byName, plainName, type Location } from '@clinic/domain';

/** Pure functions for therapists' and clients' profiles: wording, search, and the comparison of two people's edits. */

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

/** The labels of the fields that differ between two forms. */
export function differences<F extends object>(a: F, b: F, labels: Readonly<Record<keyof F, string>>): string[] {
  const differing = fieldsOf(a).filter((field) => !same(a, b, field));
  return [...new Set(differing.map((field) => labels[field]))];
}

/**
 * Applies a person's own changes to someone else's version. Where both changed a field, the person's own value wins.
 */
export function mergeEdits<F extends object>(base: F, mine: F, theirs: F): F {
  const merged = { ...theirs };
  for (const field of fieldsOf(mine)) if (!same(mine, base, field)) merged[field] = mine[field];
  return merged;
}

/** The lists whose order matters. Windows and restrictions mean the same in any order. */
const IN_ORDER: readonly PropertyKey[] = ['contacts'];

const fieldsOf = <F extends object>(form: F): (keyof F)[] => Object.keys(form) as (keyof F)[];
const same = <F extends object>(a: F, b: F, field: keyof F): boolean => {
  const of = IN_ORDER.includes(field) ? (value: unknown) => value : comparable;
  return JSON.stringify(of(a[field])) === JSON.stringify(of(b[field]));
};

/** A form value made comparable: windows count as equal whatever their ids and order. */
function comparable(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .map((entry: object) =>
      JSON.stringify(
        Object.entries(entry)
          .filter(([k]) => k !== 'id')
          .sort(),
      ),
    )
    .sort();
}
