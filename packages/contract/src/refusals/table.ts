import type { ErrorCode } from '../errors.ts';

/** The sentences of refusals by name, each made from its parameters. */
type Sentences = Readonly<Record<string, (...parameters: never[]) => string>>;
type NameIn<T> = { [C in keyof T]: keyof T[C] }[keyof T];
type WordsOf<T, N> = { [C in keyof T]: N extends keyof T[C] ? T[C][N] : never }[keyof T];
type Table<T> = { readonly [N in NameIn<T>]: { readonly code: ErrorCode; readonly words: WordsOf<T, N> } };

/** Makes a table of refusals by name from the sentences of each code, which decides the status. */
export function byCode<T extends Partial<Record<ErrorCode, Sentences>>>(
  codes: T & Record<Exclude<keyof T, ErrorCode>, never>,
): Table<T> {
  const rows = Object.entries<Sentences>(codes).flatMap(([code, sentences]) =>
    Object.entries(sentences).map(([name, words]) => [name, { code, words }] as const),
  );
  return Object.fromEntries(rows) as unknown as Table<T>;
}

export const NOTHING_CHANGED = 'Nothing was changed.';
export const NOTHING_SAVED = 'Nothing was saved.';
