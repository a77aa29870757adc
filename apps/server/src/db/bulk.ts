import { sql, type Insertable } from 'kysely';
import type { Db } from './connection.ts';
import type { Database } from './schema.ts';

/** JSON per statement: large enough that round trips do not matter, and far below any time or size limit. */
const STATEMENT = 1_000_000;

/** Rows as JSON arrays of bounded size, for statements that take them as one parameter: PostgreSQL's limit is 256 MiB. */
export function* jsonArrays(rows: Iterable<unknown>, most = STATEMENT): Generator<string> {
  let batch: string[] = [];
  let size = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (size > 0 && size + json.length > most) {
      yield `[${batch.join(',')}]`;
      batch = [];
      size = 0;
    }
    batch.push(json);
    size += json.length;
  }
  if (size > 0) yield `[${batch.join(',')}]`;
}

/**
 * Inserts many rows as fast as ordinary SQL can: each statement takes one parameter. All rows have the keys
 * of the first; columns left out take their defaults. Not for json or bytea columns, which JSON text would not survive.
 * @param onConflict `nothing`: skips a row that any constraint refuses, exclusion constraints too
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
  for (const json of jsonArrays(rows)) {
    const result = await sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${json}::json) ${tail}`.execute(db);
    inserted += Number(result.numAffectedRows ?? 0);
  }
  return inserted;
}
