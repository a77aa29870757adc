import type { ErrorCode } from '../errors.ts';

/** A table of refusals: each has a code, which decides the status, and a sentence made from its parameters. */
export type RefusalTable = Readonly<Record<string, { code: ErrorCode; words: (...parameters: never[]) => string }>>;

export const NOTHING_CHANGED = 'Nothing was changed.';
export const NOTHING_SAVED = 'Nothing was saved.';
