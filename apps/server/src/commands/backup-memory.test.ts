import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';

/**
 * The maximum memory in MB. This limit is stricter than the documentation, which promises that a backup or a restore
 * needs at most 500 MB, however large the database is.
 */
const MOST_MB = 350;
/**
 * The total size of all rows (half a megabyte each) and the size of one huge row, in MB. For a long test run, set the
 * environment variables to 1,000 and 240.
 */
const ROWS_MB = Number(process.env['BACKUP_ROWS_MB'] ?? 80);
const ROW_MB = Number(process.env['BACKUP_ROW_MB'] ?? 60);

let source: TestDatabase;
let target: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clinic-memory-'));
  [source, target] = [await createTestDatabase(), await createTestDatabase()];
  // A busy day at a large location stores about this much, because proposals hold whole problems and their options.
  await sql`insert into proposal (id, location, dates) values ('p_1', 'tampa', '{2026-11-20}')`.execute(source.db);
  await sql`insert into proposal_revision (proposal_id, revision, queries, pins, days, data, metadata, backed_up_therapists)
    select 'p_1', n, '[]', '[]', '{}', jsonb_build_array(repeat('half a megabyte of "options" ', 18000)), '{}', '[]'
    from generate_series(1, ${ROWS_MB * 2}::int) n`.execute(source.db);
  await sql`insert into import_row (kind, key, content_hash, target_id, target_version)
    values ('client', 'k', repeat('one enormous row é', ${ROW_MB}::int * 52500), 'C-1', 1)`.execute(source.db);
});
afterAll(async () => {
  await source.close();
  await target.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command and returns its peak memory, as the system counts it. */
async function peakOf(command: string, database: TestDatabase, file: string): Promise<number> {
  const peak = join(folder, 'peak');
  const report = `import { readFileSync, writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(peak)}, readFileSync('/proc/self/status')));`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(report)}`];
  const env = { ...process.env, DATABASE_URL: urlOf(database.target), NODE_OPTIONS: '' };
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [...args, join(import.meta.dirname, command), file], { env }, (error, _out, stderr) =>
      error ? reject(new Error(stderr)) : resolve(),
    );
  });
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(peak, 'utf8'))?.[1]) / 1024;
}

test('given a large database with one enormous row, a backup and a restore use little memory', async () => {
  const file = join(folder, 'backup');
  const peaks = { backup: await peakOf('backup.ts', source, file), restore: await peakOf('restore.ts', target, file) };
  console.info(`Most memory held: backup ${peaks.backup.toFixed(0)} MB, restore ${peaks.restore.toFixed(0)} MB.`);
  expect(peaks.backup).toBeLessThan(MOST_MB);
  expect(peaks.restore).toBeLessThan(MOST_MB);
  const state = async ({ pool }: TestDatabase): Promise<unknown> =>
    (
      await pool.query(`select count(*) as n, sum(hashtextextended(data::text, 0))::text as sum,
        (select md5(content_hash) from import_row) as row from proposal_revision`)
    ).rows;
  expect(await state(target)).toEqual(await state(source));
});
