/** Compares and merges two people's edits of the same form. */

/** A label for each field of a form; null for a field that is not part of what is stored. */
export type Labels<F> = Readonly<Record<keyof F, string | null>>;

/** The labels of the fields that differ between two forms. */
export function differences<F extends object>(a: F, b: F, labels: Labels<F>): string[] {
  const differing = fieldsOf(a).filter((field) => !same(a, b, field));
  return [...new Set(differing.flatMap((field) => labels[field] ?? []))];
}

/** Applies the user's own changes to someone else's version. If both people changed a field, the user's value wins. */
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

/** Makes a form value comparable: windows count as equal whatever their ids and order. */
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
