import type { Compilable } from 'kysely';

/** The rows of a query that a function makes. */
export type QueryRow<Make extends (...args: never[]) => Compilable> =
  ReturnType<Make> extends Compilable<infer Row> ? Row : never;
