/** Keeps a value as the one most recently used, and forgets those beyond the `most` most recently used. */
export function keepLatest<K, V>(kept: Map<K, V>, key: K, value: V, most: number): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) if (kept.size > most) kept.delete(oldest);
}
