import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isLocation } from '@clinic/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../db/backup/backup.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';
import { audit } from '../access/audit.ts';
import { loadLocations } from '../db/locations.ts';
import { buildTestApp } from '../testing/test-app.ts';

let database: TestDatabase;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-restore-'));
  database = await createTestDatabase();
  const entry = { subjectKind: 'day', subjectIds: ['2026-11-20'], accountId: null };
  for (const action of ['calendar.read', 'schedule.committed', 'schedule.undone'] as const)
    await database.db.transaction().execute((trx) => audit(trx, Date.now(), { ...entry, action }));
  file = join(folder, 'backup');
  await backUp(database.pool, file, new Date());
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.close();
});

function restoreCommand(from: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: urlOf(database.target) };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'restore.ts'), from, '--replace'],
      { env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** A skilled forgery: a backup with one string replaced, and a checksum that matches. */
function forged(from: RegExp, to: string): string {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const footer = JSON.parse(lines.pop() ?? '') as { rows: Record<string, number>; sha256: string };
  const changed = lines.map((line) => `${line.replace(from, to)}\n`).join('');
  expect(changed).not.toBe(lines.map((line) => `${line}\n`).join(''));
  const sha256 = createHash('sha256').update(changed).digest('hex');
  const path = join(folder, 'forged');
  writeFileSync(path, gzipSync(`${changed}${JSON.stringify({ ...footer, sha256 })}\n`));
  return path;
}

test('a restore checks the audit trail that it has restored, and reports the result', async () => {
  const ended = await restoreCommand(file);
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Database: .*\n$/) as string });
  expect(ended.stdout).toMatch(
    /^Restored \d+ rows of \d+ tables, .*\nThe audit trail is intact: 3 rows in \d+ chains?\.\n$/,
  );
});

test('given a backup with a changed audit trail, a restore reports the change and exits with code 1', async () => {
  const ended = await restoreCommand(forged(/schedule\.committed/, 'calendar.read'));
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/row \d was changed/);
  expect(ended.stderr).toMatch(/\nThe audit trail in the backup is damaged: 1 error in 3 rows\./);
});

test('a server that runs meanwhile knows the locations of the backup, and its pages read everything again', async () => {
  const app = await buildTestApp({ database });
  const heard: string[] = [];
  app.deps.events.subscribe(({ kind }) => void heard.push(kind));
  await sql`insert into location (value, label, group_name, zone) values ('mesa', 'Mesa', 'West', 'America/Phoenix')`.execute(
    database.db,
  );
  await loadLocations(database.db);
  expect(isLocation('mesa')).toBe(true);
  expect(await restoreCommand(file)).toMatchObject({ code: 0 });
  await expect.poll(() => isLocation('mesa')).toBe(false);
  expect(heard).toContain('resync');
  await app.close();
});
