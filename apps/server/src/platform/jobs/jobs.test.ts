import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../db/connection.ts';
import { backUp } from '../../db/backup/backup.ts';
import { checkBackup, restore } from '../../db/backup/restore.ts';
import { migrate } from '../../db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { startJobs } from './jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const never = (job: string, error: unknown): void => {
  throw new Error(`${job} failed`, { cause: error });
};
/** A promise, and the function that fulfils it. */
const gate = (): { readonly opened: Promise<void>; open: () => void } => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

test('given several servers with the same job due, only one runs it, and the others leave it to that server', async () => {
  const { opened, open } = gate();
  let [atOnce, most, runs] = [0, 0, 0];
  const run = async (): Promise<void> => {
    runs++;
    most = Math.max(most, ++atOnce);
    await opened;
    atOnce--;
  };
  const servers = [1, 2, 3].map(() => {
    const own = openDatabase(database.target, { connections: 4, onIdleError: () => {} });
    let tries = 0;
    const stop = startJobs(own.db, [{ name: 'once', everyMs: 5, run }], { afterMs: 0, onTrouble: never });
    // This job shows that its server still starts jobs while another server runs the first.
    const stopOther = startJobs(
      own.db,
      [{ name: `own-${Math.random()}`, everyMs: 5, run: () => Promise.resolve(tries++) }],
      {
        afterMs: 0,
        onTrouble: never,
      },
    );
    return { own, stop, stopOther, tries: () => tries };
  });
  for (const server of servers) await expect.poll(server.tries).toBeGreaterThan(5);
  expect([runs, most]).toEqual([1, 1]);
  open();
  await expect.poll(() => runs).toBeGreaterThan(3); // the job runs again, on any server
  expect(most).toBe(1);
  for (const { stop, stopOther, own } of servers) {
    await Promise.all([stop(), stopOther()]);
    await own.close();
  }
});

test('given a server that dies while it runs a job, another server runs the job', async () => {
  const dead = openDatabase(database.target, { name: 'dying', connections: 4, onIdleError: () => {} });
  const { opened, open } = gate();
  const { opened: begun, open: begin } = gate();
  const failed: unknown[] = [];
  const stopDead = startJobs(dead.db, [{ name: 'left', everyMs: 1e6, run: () => (begin(), opened) }], {
    afterMs: 0,
    onTrouble: (job) => failed.push(job),
  });
  await begun;
  let runs = 0;
  const stop = startJobs(database.db, [{ name: 'left', everyMs: 5, run: () => Promise.resolve(runs++) }], {
    afterMs: 0,
    onTrouble: never,
  });
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'dying%'",
  );
  await expect.poll(() => runs).toBeGreaterThan(0);
  open();
  await Promise.all([stop(), stopDead()]);
  expect(failed).toEqual(['left']);
  await dead.close();
});

test('given a job that fails, the failure is reported and the job runs again; after a stop it does not', async () => {
  const failed: string[] = [];
  let runs = 0;
  const run = (): Promise<void> => (++runs === 1 ? Promise.reject(new Error('no database')) : Promise.resolve());
  const stop = startJobs(database.db, [{ name: 'fails', everyMs: 5, run }], {
    afterMs: 0,
    onTrouble: (job) => failed.push(job),
  });
  await expect.poll(() => runs).toBeGreaterThan(1);
  await stop();
  const before = runs;
  await startJobs(database.db, [{ name: 'later', everyMs: 5, run }], { afterMs: 60_000, onTrouble: never })();
  expect([failed, runs]).toEqual([['fails'], before]);
});

test('given the tables of the queue that earlier versions had, the database can be migrated, backed up and restored', async () => {
  await database.pool.query('create schema pgboss; create table pgboss.job (n int); insert into pgboss.job values (1)');
  expect(await migrate(database.pool)).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'clinic-jobs-'));
  try {
    const file = join(folder, 'backup');
    const made = await backUp(database.pool, file, new Date());
    expect(Object.keys(made.rows)).toContain('appointment');
    expect(Object.keys(made.rows)).not.toContain('job');
    await restore(database.pool, await checkBackup(file), { replace: true });
    expect((await database.pool.query('select n from pgboss.job')).rows).toEqual([{ n: 1 }]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
