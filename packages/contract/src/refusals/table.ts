import type { ErrorCode } from '../errors.ts';

/** Refusals by name: the code, which decides the status, and the sentence built from its parameters. */
export type RefusalTable = Readonly<Record<string, { code: ErrorCode; words: (...parameters: never[]) => string }>>;

export const NOTHING_CHANGED = 'Nothing was changed.';
export const NOTHING_SAVED = 'Nothing was saved.';
