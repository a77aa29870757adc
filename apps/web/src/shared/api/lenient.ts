import { isRecord } from './client.ts';

/**
 * Readers for replies of another server: one that a clinic built to the specification, which names fewer fields than
 * ours sends, or ours at the previous version while servers restart. Each returns the value as it is if all of it can be used, a copy without what
 * cannot be used, or undefined. So one broken entry costs that entry, and not the page.
 */
export type Read<T> = (value: unknown) => T | undefined;

export const text: Read<string> = (value) => (typeof value === 'string' ? value : undefined);
export const number: Read<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
export const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** Reads a text; also a number, as text. */
export const words: Read<string> = (value) => (typeof value === 'number' ? String(value) : text(value));

export const nullable =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === null ? null : read(value);

/** A list without the items that cannot be read. */
export const listOf =
  <T>(read: Read<T>): Read<T[]> =>
  (value) =>
    Array.isArray(value) ? value.flatMap((item: unknown) => read(item) ?? []) : undefined;

/** A record without the entries that cannot be read. */
export const recordOf =
  <T>(read: Read<T>): Read<Record<string, T>> =>
  (value) => {
    if (!isRecord(value)) return undefined;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, entry]) => {
        const own = read(entry);
        return own === undefined ? [] : [[key, own] as const];
      }),
    );
  };

/** A record with only those of these fields that can be read, and with all other fields as they are. */
export function withFields(value: Record<string, unknown>, fields: Readonly<Record<string, Read<unknown>>>) {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => {
      const own = Object.hasOwn(fields, key) ? fields[key]?.(entry) : entry;
      return own === undefined ? [] : [[key, own] as const];
    }),
  );
}
