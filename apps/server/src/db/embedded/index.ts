import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withLock } from '../../lock-file.mjs';
import { codeOf, reasonOf, StartError } from '../../start-error.ts';
import { isDataFolder, openDataFolder, type DataFolder } from './data-folder.ts';
import { ensureCluster, findPostmaster, launch, stopPostmaster, SUPERUSER } from './postmaster.ts';
import { canReach } from './run-as.ts';
import { findBinaries, stageBinaries } from './stage.ts';

/** A database's address and user: a subset of `pg`'s settings. */
export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** This process's use of an embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** The database, with the role that owns it. The role is not a superuser, so SQL cannot reach files or programs. */
  readonly target: ConnectionTarget;
  /** Ends this process's use of PostgreSQL, and stops PostgreSQL if no other process uses it. */
  release(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  /** Whether a missing database is created (the default); otherwise it is refused. */
  readonly creates?: boolean;
  /** Shows a line of progress to the person who is waiting for the server to start. */
  readonly progress?: (line: string) => void;
  /** Called when PostgreSQL has died, and again when it is running again or cannot be restarted. */
  readonly onTrouble?: (line: string) => void;
  /** Additional PostgreSQL settings, as `name=value`. Only tests need them. */
  readonly settings?: readonly string[];
  /** Whether the role may create databases; false by default. Only tests need it. */
  readonly createsDatabases?: boolean;
  /** The folder for the database if its user cannot reach `dataDir`. */
  readonly outside?: string;
}

const DATABASE = 'clinic';
const OWNER = 'clinic';
const KEEPER = 'clinic-keeper';
const PATIENCE_MS = 120_000; // recovery after a power cut can take this long
const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '../../../../..');

/**
 * Starts a data folder's PostgreSQL, or joins it if it is already running (for another server, a command, or a server
 * that was killed). While PostgreSQL is in use, it is watched, and restarted if it dies. Every process that uses
 * PostgreSQL holds an idle connection, its keeper. The last process to leave finds no other keeper and stops
 * PostgreSQL. A lock in the data folder protects starting and stopping.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const progress = options.progress ?? (() => {});
  const trouble = options.onTrouble ?? (() => {});
  const packaged = findBinaries();
  if (options.creates === false && !isDataFolder(options.dataDir)) throw noDatabase(options.dataDir);
  const folder = openDataFolder(options.dataDir, options.outside);
  let keeper: pg.Client | undefined;
  let released = false;

  async function join_(): Promise<void> {
    await withLock(
      folder.lock,
      async () => {
        const running = findPostmaster(folder);
        if (running) {
          keeper = await connect(folder, running.socketDir, () => undefined);
        } else {
          if (options.creates === false && !existsSync(folder.cluster)) throw noDatabase(options.dataDir);
          const bin = join(stageBinaries(packaged, stageBase(folder)), 'bin');
          ensureCluster(folder, bin, packaged, progress);
          const { socketDir, ended } = launch(folder, bin, options.settings ?? []);
          keeper = await connect(folder, socketDir, ended);
        }
        await createDatabase(keeper, folder, options.createsDatabases ?? false);
      },
      () => progress('Another process is starting or stopping the same database; waiting for it.'),
    );
    keeper?.once('error', () => void rejoin());
  }

  async function rejoin(): Promise<void> {
    trouble('The database stopped; starting it again.');
    while (!released) {
      try {
        await join_();
        trouble('The database is back.');
        return;
      } catch (error) {
        trouble(`The database does not start: ${reasonOf(error)}`);
        await delay(1000);
      }
    }
  }

  await join_();
  if (!keeper) throw new StartError('PostgreSQL did not start.');
  const target = { ...targetOf(folder, keeper.host, DATABASE), user: OWNER };
  return {
    target,
    async release() {
      released = true;
      await withLock(folder.lock, async () => {
        await keeper?.end().catch(() => {});
        const running = findPostmaster(folder);
        if (running && !(await isUsed(folder, running.socketDir))) await stopPostmaster(folder.cluster, running);
      });
    },
  };
}

const noDatabase = (dataDir: string): StartError =>
  new StartError(
    `There is no database in ${dataDir}, and DATABASE_URL is not set. Set DATABASE_URL (or DATA_DIR) as for the server; or create a database with npm run migrate or npm start.`,
  );

function stageBase(folder: DataFolder): string {
  const own = join(REPOSITORY, '.runtime');
  return canReach(REPOSITORY, folder.runAs) ? own : dirname(folder.home);
}

/** How to connect as the superuser. Only starting, watching and stopping need this. */
function targetOf(folder: DataFolder, host: string, database: string): ConnectionTarget {
  return { host, port: 5432, user: SUPERUSER, password: folder.password, database };
}

/**
 * Opens the keeper's connection. Waits while PostgreSQL starts or recovers, and fails at once if PostgreSQL has exited.
 */
async function connect(folder: DataFolder, socketDir: string, ended: () => string | undefined): Promise<pg.Client> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const client = new pg.Client({ ...targetOf(folder, socketDir, 'postgres'), application_name: KEEPER });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      const why = ended();
      const code = codeOf(error) ?? '';
      const starting = ['ENOENT', 'ECONNREFUSED', '57P03', 'ECONNRESET'].includes(code);
      if (why !== undefined)
        throw new StartError(`The database in ${folder.cluster} does not start: ${why} (log: ${folder.log})`);
      if (!starting || Date.now() > until) {
        throw new StartError(
          `The database in ${folder.cluster} does not respond: ${reasonOf(error)} (log: ${folder.log})`,
        );
      }
      await delay(20);
    }
  }
}

async function createDatabase(keeper: pg.Client, folder: DataFolder, createsDatabases: boolean): Promise<void> {
  const owner = await keeper.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [OWNER]);
  if (owner.rowCount === 0) {
    const may = createsDatabases ? 'CREATEDB' : 'NOCREATEDB';
    await keeper.query(`CREATE ROLE ${OWNER} LOGIN ${may} PASSWORD ${keeper.escapeLiteral(folder.password)}`);
  }
  const found = await keeper.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (found.rowCount === 0) await keeper.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
}

async function isUsed(folder: DataFolder, socketDir: string): Promise<boolean> {
  const client = new pg.Client(targetOf(folder, socketDir, 'postgres'));
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ users: number }>(
      'SELECT count(*)::int AS users FROM pg_stat_activity WHERE application_name = $1',
      [KEEPER],
    );
    return (rows[0]?.users ?? 0) > 0;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
