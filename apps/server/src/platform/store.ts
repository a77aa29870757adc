import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { openDatabase, type OpenDatabase, type OpenOptions } from '../db/connection.ts';
import { startEmbedded, type EmbeddedPostgres } from '../db/embedded/index.ts';
import { migrate } from '../db/migrate.ts';
import { refuseSharedSessions } from '../db/pooler.ts';
import { reasonOf, StartError } from '../start-error.ts';

export interface StoreOptions extends OpenOptions {
  /** Shows a line of progress to the person who is waiting for the server to start. */
  readonly progress: (line: string) => void;
  /** Called when PostgreSQL has died, and again when it is running again. */
  readonly onTrouble?: (line: string) => void;
}

/**
 * Opens the configured database and migrates it. This is either the database at `DATABASE_URL`, or the embedded
 * PostgreSQL in `DATA_DIR`, which is started if it is not running. `close` closes the connections and releases the
 * embedded PostgreSQL. Throws a one-line StartError.
 */
export async function openStore(config: Config, options: StoreOptions): Promise<OpenDatabase> {
  const trouble = options.onTrouble ?? (() => {});
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({ dataDir: config.dataDir, progress: options.progress, onTrouble: trouble });
  const target: pg.PoolConfig = embedded ? { ...embedded.target } : { connectionString: config.databaseUrl };
  const database = openDatabase(target, { onIdleError: () => {}, ...options });
  try {
    if (!embedded) await reach(database, options.progress);
    const applied = await migrate(database.pool);
    if (applied.length > 0) options.progress(`Database brought up to date (${applied.join(', ')}).`);
  } catch (error) {
    await closeAll(database, embedded);
    throw error;
  }
  return { ...database, close: () => closeAll(database, embedded) };
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
