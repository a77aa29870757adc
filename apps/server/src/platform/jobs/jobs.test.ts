import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../../db/backup/backup.ts';
import { checkBackup, restore } from '../../db/backup/restore.ts';
import { migrate } from '../../db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { startJobs, startJobsLater, type Job, type RunningJobs } from './jobs.ts';

let database: TestDatabase;
const running: RunningJobs[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const jobs of running) await jobs.stop();
  await database.close();
});

const never = '0 0 1 1 *';
async function start(jobs: readonly Job[], trouble: unknown[] = []): Promise<RunningJobs> {
  const started = await startJobs(database.target, jobs, {
    pollSeconds: 0.5,
    onTrouble: (what, error) => trouble.push([what, error]),
  });
  running.push(started);
  return started;
}

/** A job that counts its runs and has a promise for its first run. */
function counted(name: string) {
  const job = { runs: 0, began: Promise.resolve(), name, cron: never, run: (): Promise<void> => Promise.resolve() };
  job.began = new Promise((resolve) => {
    job.run = () => {
      job.runs++;
      resolve();
      return Promise.resolve();
    };
  });
  return job;
}

test('given several servers that request a job at once, the job runs once, on one of the servers', async () => {
  const seen = [counted('once'), counted('once'), counted('once')];
  const last = [counted('last'), counted('last'), counted('last')];
  const servers = await Promise.all(seen.map((job, i) => start([job, last[i] as Job])));
  await Promise.all(servers.flatMap((server) => [server.ask('once'), server.ask('once')]));
  await Promise.race(seen.map((job) => job.began));
  // Once a server has run a later job, it must have looked at the queue again.
  await servers[0]?.ask('last');
  await Promise.race(last.map((job) => job.began));
  for (const server of servers) await server.stop();
  expect(seen.reduce((sum, job) => sum + job.runs, 0)).toBe(1);
  const { rows } = await database.pool.query<{ state: string }>("select state from pgboss.job where name = 'once'");
  expect(rows).toEqual([{ state: 'completed' }]);
});

test('an error in a job is reported, but not passed to the queue, which would store it', async () => {
  const trouble: unknown[] = [];
  let tell = (): void => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const run = (): Promise<void> => {
    tell();
    return Promise.reject(new Error('no such client Maximiliana Secretname'));
  };
  const server = await start([{ name: 'fails', cron: never, run }], trouble);
  await server.ask('fails');
  await told;
  await server.stop();
  expect(trouble).toEqual([['fails', expect.any(Error)]]);
  const { rows } = await database.pool.query<{ text: string }>(
    "select state || coalesce(output::text, '') as text from pgboss.job where name = 'fails'",
  );
  expect(rows[0]?.text).toMatch(/retry/);
  expect(JSON.stringify(rows)).not.toContain('Secretname');
});

test('jobs that cannot start are reported once; stopping before they start reports nothing', async () => {
  const trouble: string[] = [];
  const missing = { ...database.target, database: 'no_such_database', connectionString: undefined };
  let tell = (): void => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const stop = startJobsLater(() => missing, [], {
    afterMs: 0,
    onTrouble: (what) => {
      trouble.push(what);
      if (what === 'start') tell();
    },
  });
  await told;
  await stop();
  await startJobsLater(() => database.target, [], { afterMs: 60_000, onTrouble: (what) => trouble.push(what) })();
  expect(trouble.filter((what) => what === 'start')).toEqual(['start']);
});

test('after a failover to another host, the jobs run on the new host', async () => {
  const second = await createTestDatabase();
  const [first, moved] = [database.target, { ...second.target }];
  let current = first;
  const trouble: unknown[] = [];
  const stop = startJobsLater(() => current, [counted('moving')], {
    afterMs: 0,
    lookEveryMs: 50,
    pollSeconds: 0.5,
    onTrouble: (what, error) => trouble.push([what, error]),
  });
  const has = async (where: TestDatabase): Promise<boolean> =>
    where.pool.query("select from pgboss.schedule where name = 'moving'").then(
      ({ rowCount }) => rowCount === 1,
      () => false, // the query fails as long as the new database has no tables of the queue
    );
  await expect.poll(() => has(database), { timeout: 60_000 }).toBe(true);
  expect(await has(second)).toBe(false);
  current = moved;
  await expect.poll(() => has(second), { timeout: 60_000 }).toBe(true);
  await stop();
  expect(trouble).toEqual([]);
  await second.close();
});

test("given the queue's tables, the database can still be migrated, backed up and restored", async () => {
  const { rows } = await database.pool.query("select from pg_namespace where nspname = 'pgboss'");
  expect(rows).toHaveLength(1);
  expect(await migrate(database.pool)).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'clinic-jobs-'));
  try {
    const file = join(folder, 'backup');
    const made = await backUp(database.pool, file, new Date());
    expect(Object.keys(made.rows)).toContain('appointment');
    expect(Object.keys(made.rows).filter((name) => /job|queue|schedule$|version/.test(name))).toEqual([]);
    await restore(database.pool, await checkBackup(file), { replace: true });
    const kept = await database.pool.query<{ n: string }>('select count(*) as n from pgboss.job');
    expect(Number(kept.rows[0]?.n)).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
