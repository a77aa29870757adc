import { sql, type Insertable } from 'kysely';
import type { Db } from './connection.ts';
import type { Database } from './schema.ts';

/** Rows a statement: large enough that round trips do not count, small enough for a statement's time limit. */
const CHUNK = 4000;

/**
 * Inserts many rows as fast as ordinary SQL can: each chunk is one statement with one parameter. All rows have the keys
 * of the first; columns left out take their defaults. Not for json or bytea columns, which JSON text would not survive.
 * @param onConflict `nothing`: a row that any constraint refuses, exclusion constraints too, is left out
 * @returns how many rows were inserted
 */
export async function insertMany<T extends keyof Database>(
  db: Db,
  table: T,
  rows: readonly Readonly<Insertable<Database[T]>>[],
  onConflict: 'fail' | 'nothing' = 'fail',
): Promise<number> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  const tail = onConflict === 'nothing' ? sql`on conflict do nothing` : sql``;
  let inserted = 0;
  for (let at = 0; at < rows.length; at += CHUNK) {
    const json = JSON.stringify(rows.slice(at, at + CHUNK));
    const result = await sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${json}::json) ${tail}`.execute(db);
    inserted += Number(result.numAffectedRows ?? 0);
  }
  return inserted;
}
