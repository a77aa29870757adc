import { sql } from 'kysely';

type Values = Iterable<string | null>;
type SqlType = 'text' | 'uuid' | 'bigint';

/** Makes the right side of an SQL condition that a column equals (`=`) any of these values. */
export const anyOf = (values: Values, type: SqlType = 'text') => sql<string>`any(${[...values]}::${sql.raw(type)}[])`;

/** Makes the right side of an SQL condition that a column differs (`<>`) from all these values. */
export const allOf = (values: Values, type: SqlType) => sql<string>`all(${[...values]}::${sql.raw(type)}[])`;
