import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { importSummarySchema, type ImportSummary } from '@clinic/contract';
import { buildTestApp, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { formOf } from './testing/form.ts';
import { appointment, CLIENTS, smallFiles, THERAPISTS } from './testing/small.ts';
import type { ImportFile } from './import-types.ts';

let admin: SignedIn;
const clinic = useApp(() => buildTestApp());
beforeAll(async () => {
  admin = await clinic.signIn({ role: 'admin' });
});

const upload = (who: SignedIn, given: Record<string, ImportFile>, query = '') => who.call(formOf(given, query));
const files = smallFiles({
  therapists: THERAPISTS,
  clients: CLIENTS,
  appointments: [
    appointment('A-1', '8:00 AM', '9:00 AM', 'Ana Ruiz', 'Bo Lee'),
    appointment('A-2', '8:00 AM', '9:00 AM', 'Nobody', 'Bo Lee'),
  ],
}) as Record<string, ImportFile>;
const count = async () => (await clinic.deps.db.selectFrom('appointment').select('id').execute()).length;

test('a dry run returns what an import would do and writes nothing; the import then makes exactly these changes, once', async () => {
  const dry = await upload(admin, files, '?dry_run=true');
  expect(dry.statusCode).toBe(200);
  expect(importSummarySchema.safeParse(dry.json()).success).toBe(true);
  expect(dry.json<ImportSummary>()).toMatchObject({
    dry_run: true,
    files: [{ new: 3 }, { new: 3 }, { new: 1, refused: 1 }],
  });
  expect(await count()).toBe(0);
  const done = await upload(admin, files);
  const told = done.json<ImportSummary>().rows;
  expect(told.map(({ kind, line, outcome }) => `${kind} ${line} ${outcome}`)).toEqual([
    ...[2, 3, 4].map((line) => `therapists ${line} new`),
    ...[2, 3, 4].map((line) => `clients ${line} new`),
    'appointments 2 new',
    'appointments 3 refused',
  ]);
  expect(told.at(-1)).toEqual({
    kind: 'appointments',
    line: 3,
    outcome: 'refused',
    reason: 'unknown therapist',
    explanation: "there is no therapist named 'Nobody'",
    original: appointment('A-2', '8:00 AM', '9:00 AM', 'Nobody', 'Bo Lee'),
  });
  expect(await count()).toBe(1);
  expect((await upload(admin, files)).json<ImportSummary>().files.map((f) => f.unchanged)).toEqual([3, 3, 1]);
});

test('a file name is shown without control characters and direction marks, which could make it look like another', async () => {
  const named = Object.fromEntries(
    Object.entries(files).map(([kind, { bytes }]) => [kind, { name: `\u202e${kind}\u2066.csv`, bytes }]),
  );
  const reply = await upload(admin, named, '?dry_run=true');
  expect(reply.json<ImportSummary>().files.map(({ file }) => file)).toEqual([
    'therapists.csv',
    'clients.csv',
    'appointments.csv',
  ]);
});

test('only administrators with access to all locations may import', async () => {
  const staff = await clinic.signIn({ role: 'scheduler' });
  expect((await upload(staff, files)).statusCode).toBe(403);
  const some = await clinic.signIn({ role: 'admin', locations: ['tampa'] });
  expect((await upload(some, files)).statusCode).toBe(403);
  expect((await clinic.app.inject({ method: 'POST', url: '/api/imports' })).statusCode).toBe(401);
});

test.each([
  [
    'a file that is not an export',
    { clients: { name: 'x.csv', bytes: Buffer.from('a,b\n') } },
    422,
    'x.csv does not look like a client export',
  ],
  [
    'an unknown field',
    { people: { name: 'x.csv', bytes: Buffer.from('a') } },
    422,
    'in its own field: therapists, clients, appointments, authorizations or credentials',
  ],
  ['no file', {}, 422, 'no file to import'],
  [
    'too large a file',
    { clients: { name: 'x.csv', bytes: Buffer.alloc(20 * 1024 * 1024 + 1, 'x') } },
    413,
    'request is too large',
  ],
])('%s is refused with an explanation', async (_, given, status, words) => {
  const reply = await upload(admin, given);
  expect(reply.statusCode).toBe(status);
  expect(reply.json<{ detail: string }>().detail).toContain(words);
});

test.each([
  ['cut off', '--b\r\nContent-Disposition: form-data; name="clients"; filename="x.csv"\r\n\r\nid,fir'],
  ['without an end', '--b\r\nContent-Disposition: form-data; name="clients"; filename="x.csv"\r\n\r\nid\r\n'],
  ['with a part that has no name', '--b\r\nX: y\r\n\r\n--b--\r\n'],
  ['of bytes that are not a form', '\u0000\u0001\u0002'],
  ['with an empty body', ''],
])('a form %s is refused with an explanation', async (_, payload) => {
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const reply = await admin.call({ method: 'POST', url: '/api/imports?dry_run=true', headers, payload });
  expect([400, 422]).toContain(reply.statusCode);
  expect(reply.json<{ detail: string }>().detail).toMatch(
    /interrupted or is not in the expected format|no file to import/,
  );
});

test('a form with a file twice, or with a field that is no answer, is refused', async () => {
  const form = formOf({ clients: files['clients'] });
  const text = form.payload instanceof Buffer ? form.payload.toString() : '';
  const [part = '', end = ''] = text.split(/(?=--a-boundary-of-no-file--)/);
  const other = '--a-boundary-of-no-file\r\nContent-Disposition: form-data; name="other"\r\n\r\nx\r\n';
  for (const payload of [part + part + end, part + other + end]) {
    const reply = await admin.call({ ...form, payload });
    expect(reply.statusCode).toBe(422);
    expect(reply.json<{ detail: string }>().detail).toContain('in its own field');
  }
});

test('a form without a boundary is refused with an explanation', async () => {
  const headers = { 'content-type': 'multipart/form-data' };
  const reply = await admin.call({ method: 'POST', url: '/api/imports', headers, payload: 'x' });
  expect(reply.statusCode).toBe(400);
  expect(reply.json<{ detail: string }>().detail).toMatch(/Nothing was changed/);
});

test('given an import of 10 MB, other requests are still served: the main thread is never blocked for long', async () => {
  const row = (i: number): string =>
    `APT-${i},"1/${(i % 28) + 1}/2026, 8:00 AM","1/${(i % 28) + 1}/2026, 9:00 AM",Direct Therapy at the other clinic,Somebody Else${i},Confirmed,Nobody Here${i},Altamonte`;
  const other = smallFiles({ appointments: Array.from({ length: 70_000 }, (_, i) => row(i)) }).appointments;
  if (!other) throw new Error('no file');
  expect(other.bytes.length).toBeGreaterThan(9 * 1024 * 1024);
  let pending = true;
  const importing = upload(admin, { appointments: other }, '?dry_run=true').finally(() => (pending = false));
  let served = 0;
  let longest = 0;
  // Measures only this thread's processor time, so other work on the machine does not count; but on a busy machine, the
  // same work takes up to twice as long. Parsing such a file in this thread would take over half a second.
  let before = process.threadCpuUsage();
  while (pending) {
    await delay(2);
    expect((await clinic.app.inject({ url: '/healthz' })).statusCode).toBe(200);
    served++;
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  }
  const reply = await importing;
  expect(reply.statusCode).toBe(200);
  expect(served).toBeGreaterThan(30);
  expect(longest).toBeLessThan(300);
  expect(reply.json<ImportSummary>().files).toMatchObject([{ rows: 70_000, refused: 70_000 }]);
});

test('only one import runs at a time: a second import is refused for that reason', async () => {
  const both = await Promise.all([upload(admin, files, '?dry_run=true'), upload(admin, files, '?dry_run=true')]);
  expect(both.map((reply) => reply.statusCode).sort()).toEqual([200, 503]);
  expect(both.find((reply) => reply.statusCode === 503)?.json<{ detail: string }>().detail).toContain(
    'Another import is running.',
  );
  expect((await upload(admin, files, '?dry_run=true')).statusCode).toBe(200);
});

test('a JSON body is refused, because it is not a file', async () => {
  const reply = await admin.call({ method: 'POST', url: '/api/imports', payload: {} });
  expect(reply.statusCode).toBe(415);
});

test('only a few imports a minute are allowed, because imports are the most costly requests; other requests are not limited', async () => {
  const strict = await buildTestApp({ database: clinic.database, config: { rateLimit: 0.2 } });
  try {
    const who = await strict.signIn({ role: 'admin' });
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push((await upload(who, {})).statusCode);
    expect(statuses).toEqual([422, 422, 429, 429]);
    expect((await who.call({ url: '/api/session' })).statusCode).toBe(200);
  } finally {
    await strict.close();
  }
});

test('the log contains nothing about a client', () => {
  expect(clinic.logLines.join('\n')).not.toMatch(/Bo|Lee|Ruiz/);
});
