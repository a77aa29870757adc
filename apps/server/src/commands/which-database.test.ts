import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLIENTS, smallFiles } from '../import/testing/small.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
let empty: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  empty = await createTestDatabase();
  await empty.pool.query('drop schema public cascade; create schema public');
  folder = mkdtempSync(join(tmpdir(), 'clinic-which-'));
  chmodSync(folder, 0o755); // PostgreSQL's user must be able to enter the folder
  const { clients } = smallFiles({ clients: CLIENTS });
  writeFileSync(join(folder, 'clients.csv'), clients?.bytes ?? '');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([database.close(), empty.close()]);
});

/** Runs a command with only these settings, and with a password on its standard input. */
function run(command: string, args: string[], settings: Record<string, string>) {
  const script = join(import.meta.dirname, `${command}.ts`);
  const env = { PATH: process.env['PATH'], ...settings };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [script, ...args], { env, cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.on('error', () => {}).end('seven violet otters sing\n');
  });
}

const OF_DATA: [string, string[]][] = [
  ['account', ['add', 'dana@clinic.example', '--role', 'admin']],
  ['import', ['--clients', 'clients.csv']],
  ['backup', ['kept.backup']],
  ['audit', ['verify']],
];

test.each(OF_DATA)(
  'npm run %s without a database says so and what to do, exits with code 1, and makes nothing',
  async (command, args) => {
    const dataDir = join(folder, 'nowhere');
    const ended = await run(command, args, { DATA_DIR: dataDir });
    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no database in ${dataDir}, and DATABASE_URL is not set. Set DATABASE_URL (or DATA_DIR) as for the server; or create a database with npm run migrate or npm start.\n`,
    });
    expect(readdirSync(folder).sort()).toEqual(['clients.csv']);
    mkdirSync(dataDir); // an empty folder is no database either
    expect((await run(command, args, { DATA_DIR: dataDir })).code).toBe(1);
    expect(readdirSync(dataDir)).toEqual([]);
    rmSync(dataDir, { recursive: true });
  },
);

test.each([...OF_DATA, ['restore', ['kept.backup']] as [string, string[]]])(
  'npm run %s prints the database it uses, without the password, in one line on standard error; an empty one is refused',
  async (command, args) => {
    const url = new URL(urlOf(database.target));
    const ran = await run(command, args, { DATABASE_URL: url.href });
    const said = ran.stderr.split('\n');
    const name = url.pathname.slice(1);
    expect(said.filter((line) => line.startsWith('Database: '))).toEqual([
      expect.stringMatching(new RegExp(`^Database: ${name} at .*, as ${url.username} \\(DATABASE_URL\\)$`)),
    ]);
    expect(ran.stderr).not.toContain(database.target.password);
    if (command !== 'restore') expect(ran.code).toBe(0); // the database is not empty any more

    const refused = await run(command, args, { DATABASE_URL: urlOf(empty.target) });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(
      new RegExp(`^This database is empty: ${empty.name} at .* Run npm run migrate or npm start to set it up\\.\\n$`),
    );
    const { rows } = await empty.pool.query("select 1 from pg_tables where schemaname = 'public'");
    expect(rows).toEqual([]);
  },
);

test('npm run migrate creates the database, and the other commands then use it', async () => {
  const dataDir = join(folder, 'data');
  const line = `Database: embedded, in ${dataDir} (DATABASE_URL is not set)`;
  const made = await run('migrate', [], { DATA_DIR: dataDir });
  expect(made).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  expect(made.stderr.split('\n')).toContain(line);
  const added = await run('account', ['add', 'dana@clinic.example', '--role', 'admin'], { DATA_DIR: dataDir });
  expect(added).toEqual({ code: 0, stdout: 'Account dana@clinic.example added.\n', stderr: `${line}\n` });
});
