import { sql } from 'kysely';

/** The right side of an SQL condition that a column equals any of these values. */
export const anyOf = (values: Iterable<string | null>, type: 'text' | 'uuid' | 'bigint' = 'text') =>
  sql<string>`any(${[...values]}::${sql.raw(type)}[])`;
