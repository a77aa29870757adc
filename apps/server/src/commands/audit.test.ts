import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

function verify(...heads: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, DATABASE_URL: urlOf(database.target) };
  const args = [join(import.meta.dirname, 'audit.ts'), 'verify', ...heads];
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
  expect(await verify('no head')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: /) as string });
});
