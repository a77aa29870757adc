import { sql, type Insertable } from 'kysely';
import type { Db } from './connection.ts';
import type { Database } from './schema.ts';

/**
 * How many characters of JSON one statement carries: enough to need few statements, but far below PostgreSQL's limit.
 */
const STATEMENT = 1_000_000;

/**
 * Divides rows into JSON arrays of limited size, for statements that accept them as one parameter (PostgreSQL allows
 * 256 MiB).
 */
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
 * Inserts many rows, one JSON array per statement. All rows must have the same keys as the first; other columns get
 * their defaults. Not for json and bytea columns, whose values would be altered.
 * @param onConflict `nothing` skips each row that any constraint refuses, even an exclusion constraint
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
