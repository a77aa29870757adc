import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type OpenDatabase } from '../../db/connection.ts';
import { startEmbedded } from '../../db/embedded/index.ts';
import { migrate } from '../../db/migrate.ts';
import { ONE_SOLVER, startServerProcess, type ServerProcess } from '../../testing/server-process.ts';
import type { SignedIn } from '../../testing/test-app.ts';
import { LASTING_SETTINGS } from './doses.ts';
import { makeAccount, remoteSession, remoteToken } from './remote.ts';

/**
 * The product as installed: a server with its own PostgreSQL, which really writes to disk. `beside` is the test's own
 * connection to this PostgreSQL; it does not keep PostgreSQL running.
 */
export interface Installed {
  readonly beside: OpenDatabase;
  readonly staff: SignedIn;
  readonly folder: string;
  /** Kills the server with SIGKILL and restarts it. */
  killServer(): Promise<void>;
  /** Kills PostgreSQL with SIGKILL, and waits until the server has restarted PostgreSQL and both accept writes. */
  killDatabase(): Promise<void>;
  close(): Promise<void>;
}

/** @param settings settings for the server, in addition to those that it gets in every run */
export async function install(
  settings: (folder: string) => Promise<Record<string, string>> | Record<string, string> = () => ({}),
): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-kills-'));
  // When root runs the test, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  const given = {
    ...LASTING_SETTINGS,
    DATA_DIR: dataDir,
    DATABASE_URL: '',
    DEMO: 'off',
    LOG_LEVEL: 'error',
    SOLVER_SECONDS: '20',
    ...ONE_SOLVER,
    ...(await settings(folder)),
  };
  const own = await startEmbedded({ dataDir });
  const beside = openDatabase(own.target, { connections: 4 });
  await migrate(beside.pool);
  const account = await makeAccount(beside.db);
  let server: ServerProcess = await startServerProcess(given);
  await own.release();
  const staff = remoteSession(() => server.url, account, await remoteToken(server.url, account.email));

  const postmaster = (): number => {
    try {
      return Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return 0; // PostgreSQL is just starting or stopping
    }
  };
  /** Whether a PostgreSQL other than `killed` is running, the server is ready, and this process can write too. */
  const isBack = async (killed: number): Promise<boolean> => {
    if ([0, killed].includes(postmaster())) return false;
    try {
      const { status } = await fetch(`${server.url}/readyz`);
      if (status !== 200) return false;
      await beside.pool.query('select pg_current_xact_id()');
      return true;
    } catch {
      return false;
    }
  };
  return {
    beside,
    staff,
    folder,
    async killServer() {
      server.child.kill('SIGKILL');
      await server.ended;
      server = await startServerProcess(given);
    },
    async killDatabase() {
      const killed = postmaster();
      process.kill(killed, 'SIGKILL');
      while (!(await isBack(killed))) await delay(5);
      if (server.child.exitCode !== null) throw new Error('the server ended with its database');
    },
    async close() {
      await beside.close();
      server.child.kill('SIGTERM');
      await server.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
