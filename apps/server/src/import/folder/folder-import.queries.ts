import { sql, type Selectable } from 'kysely';
import type { FolderImport } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import type { Database } from '../../db/schema.ts';
import type { Difference } from '../import-types.ts';

/** What came of a set of files, in figures. */
export type FolderSummary = Omit<FolderImport, 'id' | 'at' | 'state' | 'folder' | 'wanted'>;

export type StoredFolderImport = Pick<
  Selectable<Database['folder_import']>,
  'id' | 'at' | 'state' | 'folder' | 'wanted_at'
> & { readonly summary: FolderSummary; readonly refused: readonly string[] };

export async function lastFolderImport(db: Db): Promise<StoredFolderImport | undefined> {
  const row = await db
    .selectFrom('folder_import')
    .select(['id', 'at', 'state', 'folder', 'wanted_at', 'summary', 'refused'])
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, summary: row.summary as FolderSummary };
}

/** The hashes of the rows that were refused in the last set that was imported. */
export async function lastRefused(db: Db): Promise<ReadonlySet<string>> {
  const row = await db
    .selectFrom('folder_import')
    .select('refused')
    .where('state', '=', 'imported')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return new Set(row?.refused);
}

/** Stores a set; one with an id replaces the set that is stored under it. */
export async function saveFolderImport(
  db: Db,
  { summary, refused, ...row }: Omit<StoredFolderImport, 'id'> & { readonly id?: string },
): Promise<void> {
  const values = { ...row, summary: JSON.stringify(summary), refused: [...refused] };
  await db
    .insertInto('folder_import')
    .values(values)
    .onConflict((on) => on.column('id').doUpdateSet(values))
    .execute();
}

const LOOK = 'folder-import-look';

/** The last date on which the folder was looked into, by the clock of the default location. */
export async function lastLook(db: Db): Promise<string | null> {
  const { rows } = await sql<{ date: string }>`
    select value ->> 'date' as date from setting where key = ${LOOK}`.execute(db);
  return rows[0]?.date ?? null;
}

export async function saveLook(db: Db, date: string): Promise<void> {
  const value = JSON.stringify({ date });
  await db
    .insertInto('setting')
    .values({ key: LOOK, value })
    .onConflict((on) => on.column('key').doUpdateSet({ value }))
    .execute();
}

/** Replaces the differences. What was decided about one stays decided until either side changes again. */
export async function saveDifferences(db: Db, differences: readonly Difference[]): Promise<void> {
  const rows = JSON.stringify(differences);
  await inTransaction(db, async (trx) => {
    await sql`delete from import_difference
      where key not in (select key from json_to_recordset(${rows}::json) as n (key text))`.execute(trx);
    await sql`
      insert into import_difference (key, appointment_id, hash, version, both_changed, theirs)
      select n.key, n."appointmentId", n.hash, n.version, n."both", n.theirs
      from json_to_recordset(${rows}::json)
        as n (key text, "appointmentId" uuid, hash text, version integer, "both" boolean, theirs jsonb)
      on conflict (key) do update set appointment_id = excluded.appointment_id, hash = excluded.hash,
        version = excluded.version, both_changed = excluded.both_changed, theirs = excluded.theirs,
        decision = case when import_difference.hash = excluded.hash and import_difference.version = excluded.version
          then import_difference.decision end`.execute(trx);
  });
}
