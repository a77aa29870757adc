/** Reads values of unknown form, such as parsed JSON. An error names the place, in words for the person who made the file. */
export class Unreadable extends Error {}

export type Json = Readonly<Record<string, unknown>>;

export function unreadable(detail: string): never {
  throw new Unreadable(detail);
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const readRecord = (value: unknown, where: string): Json =>
  isRecord(value) ? value : unreadable(`${where} is not an object.`);

export const readList = (value: unknown, where: string): readonly unknown[] =>
  Array.isArray(value) ? value : unreadable(`${where} is not a list.`);

export const readText = (value: unknown, where: string): string =>
  typeof value === 'string' && value !== '' ? value : unreadable(`${where} is missing or is not text.`);

export const readOneOf = <T extends string>(value: unknown, allowed: readonly T[], where: string): T =>
  allowed.find((each) => each === value) ??
  unreadable(`${where} is ${shown(value)}; it must be one of ${allowed.join(', ')}.`);

export const readTruth = (value: unknown, where: string): boolean =>
  typeof value === 'boolean' ? value : unreadable(`${where} is not true or false.`);

export const readWhole = (value: unknown, least: number, most: number, where: string): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
    ? value
    : unreadable(`${where} is not a whole number from ${least} to ${most}.`);

/** A wrong value, as a message shows it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (value === undefined || value === null) return 'missing';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'not text';
}
