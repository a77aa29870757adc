import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import type { ImportFiles } from './import-types.ts';
import { ImportProcesses } from './import-processes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const options = { dryRun: false, adminClientName: 'Admin', accountId: null, now: Date.UTC(2026, 10, 20) };
/** Makes new files each time, because they are sent to another process. */
const small = (): ImportFiles =>
  Object.fromEntries(
    Object.entries(smallFiles({ therapists: THERAPISTS, clients: CLIENTS })).map(([kind, file]) => [
      kind,
      { ...file, bytes: new Uint8Array(file.bytes) },
    ]),
  );
const large = (): ImportFiles => {
  const rows = Array.from({ length: 60_000 }, (_, i) =>
    appointment(`A-${i}`, '8:00 AM', '9:00 AM', `Nobody ${i}`, `No Client ${i}`),
  );
  const { appointments } = smallFiles({ appointments: rows });
  return appointments ? { appointments: { ...appointments, bytes: new Uint8Array(appointments.bytes) } } : {};
};
const therapists = async () => (await database.db.selectFrom('therapist').select('id').execute()).length;

test('given an import that needs more memory than allowed, the import is refused, and the next import works', async () => {
  const processes = new ImportProcesses({ heapMb: 32, silenceMs: 60_000 });
  await expect(processes.run(database.db, large(), options)).rejects.toMatchObject({
    code: 'invalid',
    message:
      'Reading the files needs more memory than an import may use. Nothing was changed. Split the largest file and import its parts.',
  });
  expect(await therapists()).toBe(0);
  const done = await processes.run(database.db, small(), { ...options, dryRun: true });
  expect(JSON.parse(done.toString())).toMatchObject({ files: [{ new: 3 }, { new: 3 }] });
});

/** The ids of the processes that this process has started. */
const children = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // The parent's id is the second field after the name, which is in parentheses.
        return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] === String(process.pid);
      } catch {
        return false; // the process has exited
      }
    });

test('given an import process that is killed partway, the server keeps running, no data has changed, and the next import works', async () => {
  const before = new Set(children());
  const processes = new ImportProcesses();
  const running = processes.run(database.db, large(), options);
  const own = children().filter((pid) => !before.has(pid));
  expect(own).toHaveLength(1);
  process.kill(own[0] ?? 0, 'SIGTRAP');
  await expect(running).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('stopped unexpectedly. Nothing was changed.') as string,
  });
  expect(await therapists()).toBe(0);
  const done = await processes.run(database.db, small(), { ...options, dryRun: true });
  expect(JSON.parse(done.toString())).toMatchObject({ files: [{ new: 3 }, { new: 3 }] });
  expect(children().filter((pid) => !before.has(pid))).toEqual([]);
});

test('given an import that takes too long, the import is stopped and refused, and leaves no data and no lock', async () => {
  const processes = new ImportProcesses({ heapMb: 512, silenceMs: 1 });
  await expect(processes.run(database.db, small(), options)).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining(
      'Reading the files takes more time than an import may use. Nothing was changed.',
    ) as string,
  });
  expect(await therapists()).toBe(0);
  await new ImportProcesses().run(database.db, small(), options);
  expect(await therapists()).toBe(3);
});

test('given a folder for compiled code, an import keeps the compiled modules of its process there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-compiled-'));
  vi.stubEnv('NODE_COMPILE_CACHE', folder);
  try {
    await new ImportProcesses().run(database.db, small(), { ...options, dryRun: true });
    const [version = ''] = readdirSync(folder);
    expect(readdirSync(join(folder, version)).length).toBeGreaterThan(20);
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});

test('given an import that runs, another is refused, whoever asks, or waits for it if it was told to', async () => {
  const [page, folder] = [new ImportProcesses(), new ImportProcesses()];
  const ended: string[] = [];
  const dry = { ...options, dryRun: true };
  const first = page.run(database.db, large(), dry).then(() => ended.push('page'));
  await expect(folder.run(database.db, small(), dry)).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('Another import is running.') as string,
  });
  const waiting = [1, 2].map((n) =>
    folder.run(database.db, small(), { ...dry, waits: true }).then(() => ended.push(`folder ${n}`)),
  );
  await Promise.all([first, ...waiting]);
  expect(ended[0]).toBe('page');
  expect(ended).toHaveLength(3);
});
