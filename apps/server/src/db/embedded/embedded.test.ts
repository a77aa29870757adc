import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEmbedded, type EmbeddedOptions, type EmbeddedPostgres } from './index.ts';

let folder: string;
let made: string; // A data folder with a cluster. Tests copy it, because making one takes seconds.
let running: EmbeddedPostgres[];
beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'clinic-made-'));
  chmodSync(made, 0o755);
  await (await startEmbedded({ dataDir: join(made, 'data') })).release();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-embedded-'));
  chmodSync(folder, 0o755);
  running = [];
});
afterEach(async () => {
  for (const each of running) await each.release();
  rmSync(folder, { recursive: true, force: true });
});

async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const started = await startEmbedded({ dataDir, ...options });
  running.push(started);
  return started;
}

/** Makes a data folder that has been used before, and returns its path. */
function used(): string {
  execFileSync('cp', ['-a', join(made, 'data'), join(folder, 'data')]);
  return join(folder, 'data');
}

async function query<T extends pg.QueryResultRow>(server: EmbeddedPostgres, sql: string): Promise<T[]> {
  const client = new pg.Client(server.target);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

const pidOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

test('a cluster can be set up in a path that has spaces and umlauts and is too long for a socket', async () => {
  const dataDir = join(folder, 'Äpfel und Birnen', 'x'.repeat(60), 'y'.repeat(60), 'data');
  const server = await start(dataDir);
  const [row] = await query<Record<string, string>>(
    server,
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
       current_setting('synchronous_commit') as synchronous_commit, current_setting('data_checksums') as data_checksums,
       current_setting('server_encoding') as server_encoding, current_setting('listen_addresses') as listen_addresses,
       (select datlocprovider::text || datlocale from pg_database where datname = current_database()) as locale,
       lower('ÄÖÜ') as lower`,
  );
  expect(row).toEqual({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
    server_encoding: 'UTF8',
    listen_addresses: '',
    locale: 'bC.UTF-8',
    lower: 'äöü',
  });
  expect(Buffer.byteLength(server.target.host)).toBeLessThan(100);
});

test("the server's database role owns its database, but is not a superuser: SQL reaches neither files nor programs", async () => {
  const server = await start(used());
  const [role] = await query<Record<string, boolean>>(
    server,
    `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
       pg_has_role(current_user, datdba, 'usage') as owns
     from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
  );
  expect(role).toEqual({
    rolsuper: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    rolbypassrls: false,
    owns: true,
  });
  for (const reach of [
    "copy (select 1) to program 'true'",
    "select pg_read_file('PG_VERSION')",
    'alter system reset all',
  ])
    await expect(query(server, reach), reach).rejects.toThrow(/permission denied/);
});

test('a second start does not create the cluster again, and finds the data that was written', async () => {
  const dataDir = join(folder, 'data');
  const first = await start(dataDir);
  await query(first, 'create table kept (id int); insert into kept values (7)');
  await first.release();
  const lines: string[] = [];
  const second = await start(dataDir, { progress: (line) => lines.push(line) });
  expect(await query(second, 'select id from kept')).toEqual([{ id: 7 }]);
  expect(lines).toEqual([]);
});

test('when several processes use PostgreSQL, it keeps running until the last process leaves', async () => {
  const dataDir = used();
  const [first, second] = await Promise.all([start(dataDir), start(dataDir)]);
  const pid = pidOf(dataDir);
  await first.release();
  expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(pidOf(dataDir)).toBe(pid);
  await second.release();
  expect(existsSync(join(dataDir, 'cluster', 'postmaster.pid'))).toBe(false);
  running = [];
});

test('given a running PostgreSQL whose starting process was killed, the next start takes it over', async () => {
  const dataDir = used();
  const module = JSON.stringify(join(import.meta.dirname, 'index.ts'));
  const script = `
    const { startEmbedded } = await import(${module});
    await startEmbedded({ dataDir: process.argv[1] });
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], { stdio: 'inherit' });
  await new Promise((resolve) => child.once('exit', resolve));
  const pid = pidOf(dataDir);
  const server = await start(dataDir);
  expect(pidOf(dataDir)).toBe(pid);
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('when PostgreSQL itself is killed, it is started again, and no committed data is lost', async () => {
  const dataDir = used();
  let isBack: () => void = () => {};
  const back = new Promise<void>((resolve) => (isBack = resolve));
  const server = await start(dataDir, { onTrouble: (line) => line.includes('is back') && isBack() });
  await query(server, 'create table kept (id int); insert into kept values (7)');
  process.kill(pidOf(dataDir), 'SIGKILL');
  await back;
  expect(await query(server, 'select id from kept')).toEqual([{ id: 7 }]);
});

test('given a dead PostgreSQL and another program that now has its process id, the start succeeds', async () => {
  const dataDir = used();
  const socket = join(dataDir, 'run');
  writeFileSync(
    join(dataDir, 'cluster', 'postmaster.pid'),
    `${process.pid}\n${dataDir}/cluster\n1\n5432\n${socket}\n\n`,
  );
  writeFileSync(join(socket, '.s.PGSQL.5432.lock'), `${process.pid}\n`);
  const server = await start(dataDir);
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('given another PostgreSQL that now has the dead PostgreSQL’s process id, the start succeeds and leaves the other PostgreSQL alone', async () => {
  const other = await start(used());
  const pid = pidOf(join(folder, 'data'));
  renameSync(join(folder, 'data'), join(folder, 'other')); // the other PostgreSQL keeps running in the renamed folder
  const dataDir = used();
  const socket = join(dataDir, 'run');
  mkdirSync(socket, { recursive: true });
  writeFileSync(join(dataDir, 'cluster', 'postmaster.pid'), `${pid}\n${dataDir}/cluster\n1\n5432\n${socket}\n\n`);
  const server = await start(dataDir);
  expect(pidOf(dataDir)).not.toBe(pid);
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  process.kill(pid, 0); // throws if the process has exited
  renameSync(dataDir, join(folder, 'own'));
  renameSync(join(folder, 'other'), dataDir);
  expect(await query(other, 'select 1 as one')).toEqual([{ one: 1 }]);
  await other.release();
  renameSync(dataDir, join(folder, 'other'));
  renameSync(join(folder, 'own'), dataDir);
  running = [server];
}, 60_000);

test('the remains of a cluster are removed if its creation was interrupted', async () => {
  const dataDir = join(folder, 'data');
  await (await start(dataDir)).release();
  rmSync(join(dataDir, 'cluster'), { recursive: true });
  mkdirSync(join(dataDir, '.cluster-half', 'data'), { recursive: true });
  await start(dataDir);
  expect(readdirSync(dataDir)).not.toContain('.cluster-half');
});

test('a server run as root uses another folder if the database’s user cannot enter DATA_DIR', async () => {
  const dataDir = join(folder, 'home', 'data');
  mkdirSync(join(folder, 'home'), { mode: 0o700 });
  const outside = join(folder, 'outside');
  const server = await start(dataDir, { outside });
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  const isRoot = process.getuid?.() === 0;
  expect(existsSync(join(dataDir, 'cluster'))).toBe(!isRoot);
  expect(existsSync(outside)).toBe(isRoot);
  await server.release();
  running = [];
  if (isRoot) {
    rmSync(outside, { recursive: true });
    await expect(start(dataDir, { outside })).rejects.toThrow('which is missing');
  }
});

test.each<[string, (dataDir: string) => void, string]>([
  [
    'holds other files',
    (dir) => writeFileSync(join(dir, 'thesis.doc'), ''),
    "holds files that are not the scheduler's (thesis.doc)",
  ],
  [
    'holds a cluster of another program',
    (dir) => writeFileSync(join(dir, 'PG_VERSION'), '18\n'),
    "not the scheduler's (PG_VERSION)",
  ],
  [
    'has a marker that cannot be read',
    (dir) => writeFileSync(join(dir, 'scheduler-data.json'), '{"form'),
    'cannot be read',
  ],
  [
    'was made by another version',
    (dir) => writeFileSync(join(dir, 'scheduler-data.json'), '{"format":2}'),
    'made by another version',
  ],
])('a data folder that %s is refused with a one-line message and left as it is', async (_what, prepare, line) => {
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  prepare(dataDir);
  const before = readdirSync(dataDir).map((name) => [name, readFileSync(join(dataDir, name), 'utf8')]);
  const attempt = start(dataDir);
  await expect(attempt).rejects.toThrow(line);
  await expect(attempt).rejects.toMatchObject({
    name: 'StartError',
    message: expect.not.stringContaining('\n') as unknown,
  });
  expect(readdirSync(dataDir).map((name) => [name, readFileSync(join(dataDir, name), 'utf8')])).toEqual(before);
});

test('a data folder that is a file, has a file in its path, or cannot be made is refused with a one-line message', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, 'x');
  for (const dataDir of [file, join(file, 'data'), '/proc/none', '/proc/none/data']) {
    await expect(start(dataDir)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining('cannot be used') as unknown,
    });
  }
});

test.each<[string, (cluster: string) => void, string]>([
  [
    'of another PostgreSQL',
    (cluster) => writeFileSync(join(cluster, 'PG_VERSION'), '16\n'),
    'was made by PostgreSQL 16',
  ],
  ['without its control file', (cluster) => rmSync(join(cluster, 'global', 'pg_control')), 'does not start'],
  [
    'with a damaged control file',
    (cluster) => writeFileSync(join(cluster, 'global', 'pg_control'), 'x'.repeat(8192)),
    'does not start',
  ],
  ['without its version', (cluster) => rmSync(join(cluster, 'PG_VERSION')), 'cannot be read'],
])('a cluster %s is refused with a one-line message', async (_what, damage, line) => {
  const dataDir = used();
  damage(join(dataDir, 'cluster'));
  const attempt = start(dataDir);
  await expect(attempt).rejects.toThrow(line);
  await expect(attempt).rejects.toMatchObject({
    name: 'StartError',
    message: expect.not.stringContaining('\n') as unknown,
  });
});

test("PostgreSQL's log contains nothing from statements or rows", async () => {
  const dataDir = used();
  const server = await start(dataDir);
  await query(server, 'create table people (name text primary key check (length(name) < 60), born date)');
  for (const sql of [
    "insert into people values ('Secretname'), ('Secretname')",
    "insert into people values ('Secretname', 'Secretname')",
    `insert into people values ('${'Secretname'.repeat(10)}')`,
    "select 'Secretname' from nowhere",
  ]) {
    await expect(query(server, sql)).rejects.toThrow();
  }
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
  expect(log).toContain('ready to accept connections');
  expect(log).not.toContain('Secretname');
});
