import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLIENTS, smallFiles } from '../import/testing/small.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const here = mkdtempSync(join(tmpdir(), 'clinic-here-'));
let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(async () => {
  await database.close();
  rmSync(here, { recursive: true });
});

/** Runs `npm run` from a folder outside the repository. */
function npmRun(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: urlOf(database.target), DEMO: 'off', INIT_CWD: '' };
  return new Promise((resolve) => {
    execFile('npm', ['--prefix', ROOT, 'run', '--silent', ...args], { cwd: here, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test('given another working folder, a command reads and writes files relative to that folder', async () => {
  const { clients } = smallFiles({ clients: CLIENTS });
  if (!clients) throw new Error('no file of clients');
  writeFileSync(join(here, 'c.csv'), clients.bytes);
  expect(await npmRun('import', '--', '--clients', 'c.csv', '--report', 'r.csv')).toMatchObject({ code: 0 });
  expect(existsSync(join(here, 'r.csv'))).toBe(true);
  expect(await npmRun('backup', '--', 'kept.backup')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('to kept.backup') as string,
  });
  expect(existsSync(join(here, 'kept.backup'))).toBe(true);
  const onRecord = database.db.selectFrom('audit').select('detail').where('action', '=', 'backup.made');
  expect(await onRecord.execute()).toEqual([{ detail: { rows: expect.any(Number) as number } }]);
  expect(await npmRun('restore', '--', './kept.backup', '--replace')).toMatchObject({ code: 0 });
});

test('npm exits with code 2 after a refused cover problem, and with 0 after a solved one', async () => {
  const fixture = join(ROOT, 'packages/cover-engine/fixtures/12x12-absent20-201.json');
  const { problem } = JSON.parse(readFileSync(fixture, 'utf8')) as { problem: { sessions: { id: string }[] } };
  const pins = [{ session: problem.sessions[0]?.id, pieces: [] }];
  writeFileSync(join(here, 'fine.json'), JSON.stringify(problem));
  writeFileSync(join(here, 'pins.json'), JSON.stringify({ ...problem, pins }));
  writeFileSync(join(here, 'text.json'), 'not JSON');
  const refusal = async (...args: string[]) => {
    const { code, stdout } = await npmRun('cover', '--', ...args);
    return [code, (JSON.parse(stdout) as { refused?: { code: string } }).refused?.code];
  };
  expect(await refusal('fine.json', '--options', '1', '--seconds', '60')).toEqual([0, undefined]);
  expect(await refusal('pins.json')).toEqual([2, 'pins_clash']);
  expect(await refusal('text.json')).toEqual([2, 'unreadable']);
});
