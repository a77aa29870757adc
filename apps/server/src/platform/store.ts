import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../config.ts';
import { openDatabase, type OpenDatabase, type OpenOptions } from '../db/connection.ts';
import { startEmbedded, type EmbeddedPostgres } from '../db/embedded/index.ts';
import { loadLocations } from '../db/locations.ts';
import { hasTables, laterMigrations, migrate } from '../db/migrate.ts';
import { refuseSharedSessions } from '../db/pooler.ts';
import { reasonOf, StartError } from '../start-error.ts';

export interface StoreOptions extends OpenOptions {
  /** Shows a line of progress to the person who is waiting for the server to start. */
  readonly progress: (line: string) => void;
  /** Whether a missing database is created and an empty one is filled; otherwise both are refused. */
  readonly creates: boolean;
  /** Called when PostgreSQL has died, and again when it is running again. */
  readonly onTrouble?: (line: string) => void;
}

export interface Store extends OpenDatabase {
  /** Which database this is, in words and without its password. */
  readonly where: string;
}

/**
 * Opens the configured database and migrates it. This is either the database at `DATABASE_URL`, or the embedded
 * PostgreSQL in `DATA_DIR`, which is started if it is not running. `close` closes the connections and releases the
 * embedded PostgreSQL. Throws a one-line StartError.
 */
export async function openStore(config: Config, options: StoreOptions): Promise<Store> {
  const trouble = options.onTrouble ?? (() => {});
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({
        dataDir: config.dataDir,
        progress: options.progress,
        onTrouble: trouble,
        creates: options.creates,
      });
  const target: pg.PoolConfig = embedded ? { ...embedded.target } : { connectionString: config.databaseUrl };
  const database = openDatabase(target, { onIdleError: () => {}, ...options });
  try {
    if (!embedded) await reach(database, options.progress);
    const where = embedded ? `embedded, in ${config.dataDir} (DATABASE_URL is not set)` : nameOf(database);
    if (!options.creates && !(await hasTables(database.pool)))
      throw new StartError(`This database is empty: ${where}. Run npm run migrate or npm start to set it up.`);
    const applied = await migrate(database.pool);
    const later = await laterMigrations(database.pool);
    if (later.length > 0)
      options.progress(
        `A newer version has brought the database up to date (${later.join(', ')}). This version can work with it.`,
      );
    if (applied.length > 0) options.progress(`Database brought up to date (${applied.join(', ')}).`);
    await loadLocations(database.db);
    return { ...database, where, close: () => closeAll(database, embedded) };
  } catch (error) {
    await closeAll(database, embedded);
    throw error;
  }
}

/** The database in use, without its password. */
function nameOf(database: OpenDatabase): string {
  const { host, port, database: name, user } = new pg.Client(database.currentHost());
  return `${name} at ${host.startsWith('/') ? host : `${host}:${port}`}, as ${user} (DATABASE_URL)`;
}

async function reach(database: OpenDatabase, progress: (line: string) => void): Promise<void> {
  try {
    await database.chooseHost();
    await refuseSharedSessions(database);
    const { rows } = await database.pool.query<{ all: boolean; read_only: boolean }>(
      "SELECT rolsuper AS all, current_setting('transaction_read_only') = 'on' AS read_only FROM pg_roles WHERE rolname = current_user",
    );
    if (rows[0]?.read_only)
      throw new StartError(
        'The database server in DATABASE_URL does not accept writes: it is a standby or was set to read-only. Name the primary, or both servers, separated by a comma.',
      );
    if (rows[0]?.all)
      progress(
        'The user in DATABASE_URL is a superuser of its server: give the scheduler a user that owns only its own database.',
      );
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The database server in DATABASE_URL cannot be used: ${reasonOf(error)}`);
  }
}

async function closeAll(database: OpenDatabase, embedded: EmbeddedPostgres | undefined): Promise<void> {
  // Gives running queries a moment to finish before PostgreSQL is stopped, which would abort them.
  await Promise.race([database.close().catch(() => {}), delay(3000, undefined, { ref: false })]);
  await embedded?.release();
}
