import { isExpression, sql, type RawBuilder } from 'kysely';

type Values = Iterable<string | null>;
type SqlType = 'text' | 'uuid' | 'bigint';

/**
 * Makes the right side of an SQL condition that a column equals (`=`) any of these values.
 * @param values the values, or the place of a list that each run of a `composed` statement gives
 */
export const anyOf = (values: Values | RawBuilder<readonly string[]>, type: SqlType = 'text') =>
  sql<string>`any(${isExpression(values) ? values : [...values]}::${sql.raw(type)}[])`;

/** Makes the right side of an SQL condition that a column differs (`<>`) from all these values. */
export const allOf = (values: Values, type: SqlType) => sql<string>`all(${[...values]}::${sql.raw(type)}[])`;
