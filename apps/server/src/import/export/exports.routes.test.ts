import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { IMPORT_KINDS } from '../import-types.ts';
import { importFiles } from '../imports.service.ts';
import { Archive } from '../read/unpack.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from '../testing/small.ts';
import { WHOLE } from './scope.ts';
import { writeExport } from './write-files.ts';

let t: TestApp;
let admin: SignedIn;
beforeAll(async () => {
  t = await buildTestApp();
  admin = await t.signIn({ role: 'admin', name: 'Dana Admin' });
  const appointments = [
    appointment('1', '9:00 AM', '10:00 AM', 'Ana Ruiz', 'Bo Lee'),
    appointment('2', '9:00 AM', '10:00 AM', 'Lin Park', 'Mo Diaz', { location: 'Tampa', date: '11/20/2026' }),
  ];
  await importFiles(t.database.db, smallFiles({ therapists: THERAPISTS, clients: CLIENTS, appointments }), {
    dryRun: false,
    adminClientName: 'Admin',
    accountId: null,
    now: Date.now(),
  });
});
afterAll(() => t.close());

type Texts = Record<string, string>;

async function exported(body: object, by: SignedIn = admin): Promise<Texts> {
  const reply = await by.call({ method: 'POST', url: '/api/exports', payload: body });
  expect([reply.statusCode, reply.headers['content-type']], reply.body).toEqual([200, 'application/zip']);
  expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length));
  const archive = Archive.open(reply.rawPayload);
  return Object.fromEntries((archive?.names ?? []).map((name) => [name, String(archive?.part(name) ?? '')]));
}

/** The first cell of each row of a file. */
const firstCells = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0] ?? '');

const trail = () =>
  t.database.db
    .selectFrom('audit')
    .select(['account_id', 'subject_kind', 'subject_ids', 'location', 'detail'])
    .where('action', '=', 'export.made')
    .orderBy('at')
    .orderBy('number')
    .execute();

test('the page’s export is the command’s, file by file, and leaves no copy on the server', async () => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('clinic-export-'));
  const before = left();
  const files = await exported({});
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  try {
    await writeExport(t.database.db, folder, WHOLE, 'Admin');
    for (const kind of IMPORT_KINDS)
      expect(files[`${kind}.csv`], kind).toBe(readFileSync(join(folder, `${kind}.csv`), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(Object.keys(files).length).toBe(IMPORT_KINDS.length);
  expect(left()).toEqual(before);
});

test('is on record as a read of every client that it names, at the client’s location', async () => {
  const before = (await trail()).length;
  await exported({ locations: ['tampa'] });
  const [whole, ...named] = (await trail()).slice(before);
  expect(whole).toMatchObject({
    account_id: admin.accountId,
    subject_kind: 'database',
    detail: { appointments: 1, clients: 1, therapists: 1, locations: ['tampa'] },
  });
  expect(named.map(({ subject_ids, location }) => [subject_ids, location])).toEqual([[['C-2'], 'altamonte']]);
});

test('a location’s file has its people, its sessions, and whoever those name', async () => {
  const files = await exported({ locations: ['altamonte'] });
  expect(firstCells(files['appointments.csv'])).toEqual(['1']);
  expect(firstCells(files['clients.csv'])).toEqual(['C-1', 'C-2', 'C-3']);
  expect(firstCells(files['therapists.csv'])).toEqual(['T-1', 'T-2']);
  const tampa = await exported({ locations: ['tampa'], from: '2026-11-21' });
  expect([firstCells(tampa['appointments.csv']), firstCells(tampa['clients.csv'])]).toEqual([[], []]);
  expect(firstCells((await exported({ from: '2026-11-16', until: '2026-11-16' }))['appointments.csv'])).toEqual(['1']);
  expect(firstCells((await exported({ from: '2026-11-20', until: '2026-11-20' }))['appointments.csv'])).toEqual(['2']);
});

test('changes since the last export are what was changed here, and nothing that an import wrote', async () => {
  await exported({});
  const nothing = await exported({ since: 'last' });
  expect(Object.keys(nothing)).toEqual(IMPORT_KINDS.map((kind) => `changed-${kind}.csv`));
  for (const text of Object.values(nothing)) expect(firstCells(text)).toEqual([]);
  const [session] = await t.database.db.selectFrom('appointment').select('id').where('wire_id', '=', '1').execute();
  const scheduler = await t.signIn();
  const reply = await scheduler.call({
    method: 'POST',
    url: `/api/appointments/${session?.id}/cancel`,
    payload: {},
  });
  expect(reply.statusCode, reply.body).toBe(200);
  const changed = await exported({ since: 'last' });
  expect(changed['changed-appointments.csv']).toMatch(/\r\n1,2026-11-16 09:00,.*,Cancelled,Bo Lee,C-1,Altamonte,/);
  expect(firstCells(changed['changed-appointments.csv'])).toEqual(['1']);
  expect(firstCells(changed['changed-clients.csv'])).toEqual([]);
  expect((await trail()).at(-1)?.subject_ids).toEqual(['C-1']);
  const { last } = (await admin.call({ url: '/api/exports' })).json<{ last: { at: string; by: string } }>();
  expect([last.by, Date.now() - Date.parse(last.at) < 60_000]).toEqual(['Dana Admin', true]);
  const later = await exported({ since: new Date(Date.now() + 60_000).toISOString() });
  expect(firstCells(later['changed-appointments.csv'])).toEqual([]);
});

test('without an earlier export there is nothing to compare with, and no file', async () => {
  await t.database.db.deleteFrom('setting').where('key', '=', 'export-mark').execute();
  const before = (await trail()).length;
  await exported({ locations: ['tampa'], from: '2026-01-01' }); // a part of the clinic is no start for changes
  const reply = await admin.call({ method: 'POST', url: '/api/exports', payload: { since: 'last' } });
  expect([reply.statusCode, reply.json<{ detail: string }>().detail]).toEqual([
    422,
    expect.stringMatching(/^No export was made before/),
  ]);
  expect((await trail()).length - before).toBe(2);
});
