import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'clinic export ')); // the folder's name contains a space
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: urlOf(database.target), DEMO: 'off' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'export.ts'), ...args],
      { env, cwd: folder },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test('writes the files, says what they hold, and is on record', async () => {
  const { code, stdout } = await run('out');
  expect([code, stdout]).toEqual([
    0,
    'Exported to out: therapists.csv (0 rows), clients.csv (0 rows), appointments.csv (0 rows), authorizations.csv (0 rows), credentials.csv (0 rows). The files hold data about clients: keep them safe.\n',
  ]);
  expect(readFileSync(join(folder, 'out', 'clients.csv'), 'utf8')).toMatch(/^\uFEFFid,first_name,/);
  const recorded = await database.db.selectFrom('audit').select(['action', 'account_id']).execute();
  expect(recorded).toEqual([{ action: 'export.made', account_id: null }]);
});

test.each([
  ['no folder', [], /^Usage: npm run export -- FOLDER \[--changes-since last\] .*\n$/],
  ['an option', ['--out'], /^Usage: npm run export -- FOLDER \[--changes-since last\] .*\n$/],
  ['a time that does not exist', ['out', '--changes-since', '2026-02-31'], /^Usage: /],
  ['a file', ['a-file'], /The files cannot be written to a-file: /],
])('refuses %s in one line', async (_, args, said) => {
  writeFileSync(join(folder, 'a-file'), 'kept');
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([1, expect.stringMatching(said)]);
  expect(stderr).not.toContain('\n    at ');
});

test('lists what changed here since the last export, in files of their own', async () => {
  await database.db.deleteFrom('setting').where('key', '=', 'export-mark').execute();
  expect(await run('changes', '--changes-since', 'last')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/No export was made before/) as string,
  });
  await run('changes');
  const { code, stdout } = await run('changes', '--changes-since', 'last');
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^Exported what changed here since .*: changed-therapists.csv \(0 rows\),/),
  ]);
  expect(readFileSync(join(folder, 'changes', 'clients.csv'), 'utf8')).toMatch(/^\uFEFFid,first_name,/);
  expect((await run('changes', '--changes-since', '2026-11-20T18:00-05:00')).stdout).toMatch(/since 2026-11-20T23:00/);
});
