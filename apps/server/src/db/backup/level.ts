import type pg from 'pg';
import { StartError } from '../../start-error.ts';
import { runMigration, type Migration } from '../migrate.ts';
import type { Header } from './format.ts';
import { quoted, sequences } from './tables.ts';

/**
 * Returns the migrations that had been applied when a backup was made, in order. Throws a one-line StartError if this
 * version does not know one of these migrations, or knows it with different content.
 */
export function levelOf(made: Header['migrations'], known: readonly Migration[]): Migration[] {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  const newer = made.filter(({ name }) => !byName.has(name)).at(-1);
  if (newer) {
    throw new StartError(
      `The backup was made by a newer version of the scheduler (it has ${newer.name}): restore it with that version. Nothing was changed.`,
    );
  }
  const other = made.find(({ name, checksum }) => byName.get(name)?.checksum !== checksum);
  if (other) {
    throw new StartError(
      `The backup was made by another version of the scheduler (its ${other.name} is not the one that was released): restore it with that version. Nothing was changed.`,
    );
  }
  const names = new Set(made.map(({ name }) => name));
  return known.filter(({ name }) => names.has(name));
}

/**
 * Empties the database and rebuilds it as these migrations leave it, in the open transaction. Fails if anyone has added
 * objects that depend on our tables, such as a view.
 */
export async function bringTo(client: pg.PoolClient, level: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
  if (JSON.stringify(rows.map((row) => row.name)) === JSON.stringify(level.map(({ name }) => name))) return;
  await dropOurs(client);
  for (const migration of level) await runMigration(client, migration);
}

async function dropOurs(client: pg.PoolClient): Promise<void> {
  const tables = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  await client.query(`drop table ${tables.rows.map(({ name }) => quoted(name)).join(', ')}`);
  const left = await sequences(client);
  if (left.length > 0) await client.query(`drop sequence ${left.map(quoted).join(', ')}`);
  const { rows } = await client.query<{ all: string | null }>(
    `select string_agg(p.oid::regprocedure::text, ', ') as all from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and p.proowner = current_user::regrole
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  if (rows[0]?.all) await client.query(`drop routine ${rows[0].all}`);
}
