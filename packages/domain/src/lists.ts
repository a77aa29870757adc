/** Appends a value to the list under a key, and creates the list if there is none. */
export function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Groups values by key; each list keeps the order of the values, and none is empty. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, [V, ...V[]]> {
  const lists = new Map<K, [V, ...V[]]>();
  for (const value of values) {
    const key = keyOf(value);
    const list = lists.get(key);
    if (list) list.push(value);
    else lists.set(key, [value]);
  }
  return lists;
}

/** Splits a list in two: the values that pass the test, and the others. */
export function partition<V>(values: readonly V[], is: (value: V) => boolean): [V[], V[]] {
  return [values.filter(is), values.filter((value) => !is(value))];
}

/** The keys of a record, in its order. */
export const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>): K[] => Object.keys(record) as K[];

/** Copies a record, with each value replaced by what `change` returns for it. */
export const mapValues = <K extends string, V, W>(
  record: Readonly<Record<K, V>>,
  change: (value: V, key: K) => W,
): Record<K, W> => {
  const entries = Object.entries(record) as [K, V][];
  return Object.fromEntries(entries.map(([key, value]) => [key, change(value, key)])) as Record<K, W>;
};
