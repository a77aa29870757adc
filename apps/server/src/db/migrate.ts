import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { fillNameKeys } from './fill-name-keys.ts';
import { codeOf, reasonOf, StartError } from '../start-error.ts';
import { allowLongStatements } from './bounded-client.ts';

/**
 * A file in `migrations/`. Its name decides the order; its checksum shows whether it was changed after it was applied.
 */
export interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** Work that SQL cannot do. It runs before the file's SQL, in the same transaction. */
  readonly before?: ((client: pg.ClientBase) => Promise<void>) | undefined;
}

const MIGRATIONS = join(import.meta.dirname, 'migrations');
/** Migration steps in JavaScript, by the name of the file that they precede. */
const STEPS: ReadonlyMap<string, Migration['before']> = new Map([
  ['0006a-name-keys-hold.sql', fillNameKeys],
  ['0061-name-keys-again.sql', fillNameKeys],
]);
/**
 * A server that knows the migrations up to this one works on the newest schema: each later migration only adds. It is
 * written into the database, so that a server of an older version can start beside the new schema: docs/decisions/0271.
 * The test `one-step-back.test.ts` says when it must be raised.
 */
export const WORKS_FROM = '0035-former-stays.sql';
const DEADLOCK = '40P01';
/** How often a migration is tried that other transactions keep from its locks, and how much longer it rests each time. */
const MOST_TRIES = 10;
const REST_MS = 100;
const OLDEST_VERSION = 15;
const LOCK = 7_205_511; // the number of the lock that lets only one process migrate; the same in every version
const RECORD =
  'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())';

/** The migrations in a folder, sorted by name. */
export function readMigrations(folder: string = MIGRATIONS): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), before: STEPS.get(name) };
    });
}

/**
 * Brings a database up to date. Each migration has its own transaction, and only one process migrates at a time.
 * Throws, without changing anything, if PostgreSQL is older than 15, if the database has tables of another program or
 * was migrated by a newer version with which this one cannot work, or if a migration was changed after it was applied.
 * @param worksFrom the newest migration that an older server must know to work on this schema
 * @returns the names of the migrations that it applied
 */
export async function migrate(
  pool: pg.Pool,
  migrations: readonly Migration[] = readMigrations(),
  worksFrom: string = WORKS_FROM,
): Promise<string[]> {
  const client = await pool.connect();
  try {
    await allowLongStatements(client);
    await checkVersion(client);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    try {
      await checkOurs(client);
      await client.query(RECORD);
      const outstanding = await findOutstanding(client, migrations);
      for (const migration of outstanding) await apply(client, migration, worksFrom);
      return outstanding.map((migration) => migration.name);
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    }
  } finally {
    client.release(true); // destroys the connection, because its settings were changed
  }
}

/** Whether all migrations have been applied; used by `/readyz`. */
export async function isMigrated(pool: pg.Pool, migrations: readonly Migration[] = readMigrations()): Promise<boolean> {
  const { rows } = await pool.query<{ name: string }>('SELECT name FROM migrations');
  const applied = new Set(rows.map((row) => row.name));
  return migrations.every((migration) => applied.has(migration.name));
}

/** Whether the database holds tables, ours or others'. Waits for a process that is bringing it up to date. */
export async function hasTables(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    await allowLongStatements(client);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    return (await tablesIn(client)).length > 0;
  } finally {
    client.release(true); // ends the session, and with it the lock
  }
}

/** The migrations of newer versions that have been applied: this version does not know them. */
export async function laterMigrations(
  db: pg.Pool | pg.PoolClient,
  migrations: readonly Migration[] = readMigrations(),
): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
  const known = new Set(migrations.map((migration) => migration.name));
  return rows.map((row) => row.name).filter((name) => !known.has(name));
}

async function checkVersion(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: number; text: string }>(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS text",
  );
  const found = rows[0];
  if (found && Math.floor(found.version / 10_000) < OLDEST_VERSION) {
    throw new StartError(`The database server is PostgreSQL ${found.text}; ${OLDEST_VERSION} or newer is needed.`);
  }
}

/** The names of all tables, views and sequences in the schema, except those of extensions. */
async function tablesIn(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     ORDER BY 1`,
  );
  return rows.map((row) => row.name);
}

async function checkOurs(client: pg.PoolClient): Promise<void> {
  const [first] = await tablesIn(client);
  if (first === undefined) return;
  const ours = await client.query<{ kind: string }>(
    `SELECT string_agg(column_name, ',' ORDER BY column_name) AS kind FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = 'migrations'`,
  );
  if (ours.rows[0]?.kind !== 'applied_at,checksum,name') {
    throw new StartError(
      `The database is not empty and does not belong to the scheduler (it has '${first}'): name an empty database in DATABASE_URL. Nothing was changed.`,
    );
  }
}

async function findOutstanding(client: pg.PoolClient, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>('SELECT name, checksum FROM migrations');
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const migration = known.get(row.name);
    if (migration && migration.checksum !== row.checksum) {
      throw new StartError(
        `The migration ${row.name} was changed after it was applied: restore the file as it was released.`,
      );
    }
  }
  const applied = new Set(rows.map((row) => row.name));
  const outstanding = migrations.filter((migration) => !applied.has(migration.name));
  await checkLater(client, migrations, outstanding);
  return outstanding;
}

/** Throws if this version cannot work beside the migrations of a newer one. */
async function checkLater(
  client: pg.PoolClient,
  migrations: readonly Migration[],
  outstanding: readonly Migration[],
): Promise<void> {
  const later = await laterMigrations(client, migrations);
  const [first] = later;
  if (first === undefined) return;
  const { rows } = await client.query<{ from: string | null }>(
    `SELECT obj_description('migrations'::regclass, 'pg_class') AS from`,
  );
  const from = rows[0]?.from ?? '';
  const isKnown = migrations.some((migration) => migration.name === from) && first > from;
  if (isKnown && outstanding.length === 0) return;
  throw new StartError(
    `The database was brought up to date by a newer version of the scheduler (${later.at(-1)}), and this version cannot work with it: start that version. To go back nevertheless, restore the backup from before into an empty database (docs/upgrading.md).`,
  );
}

/**
 * Applies one migration in a transaction of its own. It locks tables one after the other, as the requests of a server
 * that runs meanwhile do, perhaps in another order: if the database ends it for that (deadlock), it starts again.
 */
async function apply(client: pg.PoolClient, migration: Migration, worksFrom: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query('BEGIN');
      await runMigration(client, migration, worksFrom);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      if (codeOf(error) === DEADLOCK && tries < MOST_TRIES) {
        await setTimeout(tries * REST_MS);
        continue;
      }
      throw new StartError(
        `The database could not be brought up to date (${migration.name}): ${reasonOf(error)}. No changes were kept.`,
      );
    }
  }
}

/** Applies one migration in the open transaction, and records it, with the oldest version that works beside it. */
export async function runMigration(
  client: pg.PoolClient,
  migration: Migration,
  worksFrom: string = WORKS_FROM,
): Promise<void> {
  await client.query(RECORD);
  await migration.before?.(client);
  await client.query(migration.sql);
  await client.query('INSERT INTO migrations (name, checksum) VALUES ($1, $2)', [migration.name, migration.checksum]);
  await client.query(`COMMENT ON TABLE migrations IS ${client.escapeLiteral(worksFrom)}`);
}

/** Keeps other processes from migrating until the transaction ends. */
export async function lockMigrations(client: pg.PoolClient): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
}
