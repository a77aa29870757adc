import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { FolderImport, ImportDifference } from '@clinic/contract';
import { buildTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { ImportProcesses } from '../import-processes.ts';
import { appointment, CLIENTS, HEADERS, THERAPISTS } from '../testing/small.ts';
import type { ImportKind } from '../import-types.ts';
import { makeFolderImport } from './folder-import.ts';

let t: TestApp;
let admin: SignedIn;
let folder: string;
let logged: string[];
let night = 0;
beforeEach(async () => {
  t = await buildTestApp();
  admin = await t.signIn({ role: 'admin', name: 'Dana Admin' });
  folder = mkdtempSync(join(tmpdir(), 'folder-import-'));
  logged = [];
  return async () => {
    await t.close();
    rmSync(folder, { recursive: true });
  };
});

const MORNING = appointment('1', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee');
const LATER = appointment('2', '1:00 PM', '2:00 PM', 'Ana Ruiz', 'Mo Diaz');

function put(kind: ImportKind, lines: readonly string[], name = `${kind}.csv`): void {
  writeFileSync(join(folder, name), [HEADERS[kind], ...lines, ''].join('\n'));
}
function putClinic(...appointments: readonly string[]): void {
  put('therapists', THERAPISTS);
  put('clients', CLIENTS);
  put('appointments', appointments.length > 0 ? appointments : [MORNING, LATER]);
}

const processes = new ImportProcesses();
/** The job, on a new day at this time. */
const job = ({ quietMs = 0, time = '03:00' } = {}) => {
  const date = `2026-12-${String((night++ % 28) + 1).padStart(2, '0')}` as const;
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return makeFolderImport({
    db: t.database.db,
    folder,
    at: 180,
    adminClientName: 'Admin',
    accessClock: { now: () => Date.now() + night * 86_400_000 },
    wallOf: () => ({ date: date as never, minutes: hours * 60 + minutes, text: '' }),
    run: (files, options) => processes.run(t.database.db, files, options),
    log: (figures) => void logged.push(JSON.stringify(figures)),
    quietMs,
  });
};

async function state(): Promise<{ last: FolderImport | null; differences: number }> {
  return (await admin.call({ url: '/api/folder-imports/last' })).json();
}
async function differences(): Promise<ImportDifference[]> {
  const reply = await admin.call({ url: '/api/folder-imports/differences' });
  return reply.json<{ differences: ImportDifference[] }>().differences;
}
const decide = (take: 'theirs' | 'ours', rows: readonly ImportDifference[]) =>
  admin.call({
    method: 'POST',
    url: '/api/folder-imports/differences',
    payload: { take, rows: rows.map(({ key, version }) => ({ key, version })) },
  });

async function cancel(wireId: string): Promise<void> {
  const { id } = await session(wireId);
  const reply = await admin.call({ method: 'POST', url: `/api/appointments/${id}/cancel`, payload: {} });
  expect(reply.statusCode, reply.body).toBe(200);
}
const session = (wireId: string) =>
  t.database.db
    .selectFrom('appointment')
    .select(['id', 'status', 'therapist_id', 'version'])
    .where('wire_id', '=', wireId)
    .executeTakeFirstOrThrow();

test('given files at night, they are imported once, moved with a report, and the same files again change nothing', async () => {
  putClinic();
  await job()();
  expect(await state()).toMatchObject({ last: { state: 'imported', files: 3, new: 8, refused: 0 }, differences: 0 });
  expect(readdirSync(folder)).toEqual(['done']);
  const [done = ''] = readdirSync(join(folder, 'done'));
  expect(readdirSync(join(folder, 'done', done)).sort()).toEqual([
    'appointments.csv',
    'clients.csv',
    'report.csv',
    'therapists.csv',
  ]);
  const before = await session('1');
  putClinic();
  await job()();
  expect(await state()).toMatchObject({ last: { state: 'imported', new: 0, changed: 0 } });
  expect(await session('1')).toEqual(before);
  for (const line of logged) expect(line).not.toMatch(/Ruiz|Lee|Diaz|csv/);
  expect(logged.length).toBe(2);
});

test('nothing is read before its time, while a file is being written, or twice in a day', async () => {
  putClinic();
  await job({ time: '02:59' })();
  expect((await state()).last).toBe(null);
  const waits = job({ quietMs: 300 });
  await waits();
  await new Promise((resolve) => setTimeout(resolve, 200));
  put('appointments', [MORNING]); // still being written
  await waits();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await waits();
  expect((await state()).last).toBe(null);
  writeFileSync(join(folder, 'clients.csv.part'), '');
  await new Promise((resolve) => setTimeout(resolve, 300));
  await waits();
  expect((await state()).last).toBe(null);
  rmSync(join(folder, 'clients.csv.part'));
  await waits();
  expect((await state()).last).toMatchObject({ state: 'imported', new: 7 });
  putClinic();
  await waits();
  expect(readdirSync(folder)).toContain('clients.csv'); // until tomorrow
});

test('given a session cancelled here after an import, the next night leaves it, lists it, and ours stays ours', async () => {
  putClinic();
  await job()();
  await cancel('1');
  putClinic();
  await job()();
  expect(await state()).toMatchObject({ last: { state: 'imported' }, differences: 1 });
  expect((await session('1')).status).toBe('cancelled');
  const [row, ...others] = await differences();
  expect([row, others]).toMatchObject([
    {
      both: false,
      changed_by: 'Dana Admin',
      theirs: { status: 'Confirmed' },
      ours: { status: 'Cancelled', client: 'Bo Lee' },
    },
    [],
  ]);
  const read = await t.database.db.selectFrom('audit').selectAll().where('action', '=', 'differences.read').execute();
  expect(read.map((entry) => [entry.subject_ids, entry.location])).toEqual([[['C-1'], 'altamonte']]);
  expect((await decide('ours', row ? [row] : [])).json()).toEqual({ decided: 1 });
  expect((await state()).differences).toBe(0);
  putClinic();
  await job()();
  expect([(await state()).differences, (await session('1')).status]).toEqual([0, 'cancelled']);
  putClinic(appointment('1', '9:15 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee'), LATER); // theirs changes too
  await job()();
  expect(await differences()).toMatchObject([{ both: true, theirs: { start: '09:15' }, ours: { start: '09:00' } }]);
});

test('when someone takes theirs, the import of the same files writes it, and nothing else', async () => {
  putClinic();
  await job()();
  await cancel('1');
  await cancel('2');
  putClinic();
  const nightly = job();
  await nightly();
  const [first, second] = await differences();
  expect((await decide('theirs', first ? [first] : [])).json()).toEqual({ decided: 1 });
  expect((await state()).last?.wanted).toBe(true);
  await nightly();
  expect([(await session('1')).status, (await session('2')).status]).toEqual(['booked', 'cancelled']);
  expect(await differences()).toMatchObject([{ key: second?.key }]);
  expect((await state()).last).toMatchObject({ state: 'imported', changed: 1, wanted: false });
});

test('a decision about a session that was changed since it was shown is refused, and decides nothing', async () => {
  putClinic();
  await job()();
  await cancel('1');
  await cancel('2');
  putClinic();
  await job()();
  const rows = await differences();
  await t.database.pool.query("update appointment set version = version + 1 where wire_id = '2'");
  expect((await decide('theirs', rows)).statusCode).toBe(409);
  expect(
    (await decide('ours', [...rows.slice(0, 1), { ...(rows[0] as ImportDifference), key: 'id:9' }])).statusCode,
  ).toBe(409);
  expect((await differences()).map(({ key }) => key)).toEqual(['id:1']);
});

test('rows that would newly be refused wait for a person; once let through, they no longer stop a night', async () => {
  putClinic();
  await job()();
  const broken = appointment('3', '3:00 PM', '2:00 PM', 'Ana Ruiz', 'Bo Lee');
  const added = appointment('4', '3:00 PM', '4:00 PM', 'Ana Ruiz', 'Bo Lee');
  putClinic(MORNING, broken, added);
  const nightly = job();
  await nightly();
  const { last } = await state();
  expect(last).toMatchObject({ state: 'waiting', refused: 1, newly_refused: 1, questions: 0, new: 1 });
  await expect(session('4')).rejects.toThrow();
  expect(readFileSync(join(folder, last?.folder ?? '', 'report.csv'), 'utf8')).toContain('end before start');
  const go = await admin.call({ method: 'POST', url: `/api/folder-imports/waiting/${last?.id}`, payload: {} });
  expect(go.statusCode, go.body).toBe(204);
  await nightly();
  expect((await state()).last).toMatchObject({ id: last?.id, state: 'imported', new: 1, refused: 1 });
  expect((await session('4')).status).toBe('booked');
  expect(existsSync(join(folder, (await state()).last?.folder ?? '', 'appointments.csv'))).toBe(true);
  expect(readdirSync(join(folder, 'waiting'))).toEqual([]);
  putClinic(MORNING, broken, added);
  await job()();
  expect((await state()).last).toMatchObject({ state: 'imported', newly_refused: 0 });
});

test('an open question waits, also when someone asks to go on; a newer set takes its place', async () => {
  putClinic(appointment('1', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee', { status: 'Frobnicated' }));
  const nightly = job();
  await nightly();
  const { last } = await state();
  expect(last).toMatchObject({ state: 'waiting', questions: 1 });
  await admin.call({ method: 'POST', url: `/api/folder-imports/waiting/${last?.id}`, payload: {} });
  await nightly();
  expect((await state()).last).toMatchObject({ state: 'waiting', questions: 1, wanted: false });
  expect((await t.database.db.selectFrom('therapist').select('id').execute()).length).toBe(0);
  putClinic();
  await job()();
  expect((await state()).last).toMatchObject({ state: 'imported', new: 8 });
  const states = await t.database.db.selectFrom('folder_import').select('state').orderBy('at').execute();
  expect(states.map((each) => each.state)).toEqual(['superseded', 'imported']);
});

test('a file that cannot be read goes to the failed ones with the reason, and nothing is imported', async () => {
  putClinic();
  writeFileSync(join(folder, 'appointments.csv'), '%PDF-1.7 …');
  await job()();
  const { last } = await state();
  expect(last).toMatchObject({ state: 'failed', fault: expect.stringMatching(/PDF/) as string });
  expect(last?.folder).toMatch(/^failed\//);
  expect(readdirSync(join(folder, last?.folder ?? '')).sort()).toContain('clients.csv');
  expect(await t.database.db.selectFrom('client').select('id').execute()).toEqual([]);
});
