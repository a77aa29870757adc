import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUDITED_AT, auditedFile } from '../testing/auditor.ts';
import { buildClient } from '../testing/builders.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';
import { audit, type AuditEntry } from '../access/audit.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const day = { subjectKind: 'day', subjectIds: ['2026-11-20'] };
  const entry: AuditEntry = { action: 'calendar.read', ...day, accountId: null };
  await database.db.transaction().execute((trx) => audit(trx, Date.now(), entry));
});
afterAll(() => database.close());

const verify = (...heads: string[]) => run({ ...process.env, DATABASE_URL: urlOf(database.target) }, ...heads);

function run(env: NodeJS.ProcessEnv, ...given: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const args = [join(import.meta.dirname, 'audit.ts'), 'verify', ...given];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test('given an intact audit trail, the command prints the heads of its chains; given a damaged one, the exit code is 1', async () => {
  const whole = await verify();
  expect(whole).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Database: .*\n$/) as string });
  const [, head = ''] =
    /^head (\d+:1:[\da-f]{64})\nThe audit trail is intact: 1 row in 1 chain\.\n$/.exec(whole.stdout) ?? [];
  expect((await verify(head)).code).toBe(0);
  expect((await verify(head.replace(':1:', ':2:'))).stdout).toContain('row 2 was cut off');
  await sql`alter table audit disable trigger user`.execute(database.db);
  await sql`update audit set subject_ids = '{2026-11-21}'`.execute(database.db);
  const changed = await verify();
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain('row 1 was changed');
  expect(changed.stderr).toMatch(/^Database: .*\nThe audit trail is damaged: 1 error in 1 row\.\n$/);
  expect(await verify('no head')).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage: ') as string });
});

test('given a file made for an auditor, the command checks it without a database, and says what that does not prove', async () => {
  const app = await buildTestApp({ deps: { clock: { now: () => Date.parse(AUDITED_AT) } } });
  const folder = mkdtempSync(join(tmpdir(), 'auditor-'));
  try {
    const staff = await app.signIn();
    const client = await buildClient(app.database.db);
    const { bytes, parts, seal } = await auditedFile(staff, { client, from: '2030-11-01', to: '2030-11-30' });
    const file = join(folder, 'file.zip');
    writeFileSync(file, bytes);
    const env = { ...process.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
    const verifyFile = (...args: string[]) => run(env, file, ...args);
    const alone = await verifyFile();
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    expect(alone.stdout).toContain(`seal ${seal}\nNot proven: `);
    expect((await verifyFile(seal)).stdout).toContain('The seal is the expected one.');
    expect(await verifyFile(seal.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toMatchObject({ code: 1 });
    const csv = bytes.indexOf('sessions.csv');
    writeFileSync(file, Buffer.concat([bytes.subarray(0, csv + 14), Buffer.of(0), bytes.subarray(csv + 15)]));
    const changed = await verifyFile();
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('not as it was made') as string });
    expect(parts.size).toBe(5);
  } finally {
    rmSync(folder, { recursive: true });
    await app.close();
  }
});
