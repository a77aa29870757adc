/** Appends a value to the list under a key, and creates the list if there is none. */
export function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Groups values by key; each list keeps the order of the values. */
export function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const lists = new Map<K, V[]>();
  for (const value of values) pushTo(lists, keyOf(value), value);
  return lists;
}

/** Copies a record, with each value replaced by what `change` returns for it. */
export const mapValues = <V, W>(
  record: Readonly<Record<string, V>>,
  change: (value: V, key: string) => W,
): Record<string, W> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
