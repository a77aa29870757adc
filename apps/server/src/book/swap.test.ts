import { beforeAll, expect, test } from 'vitest';
import type { Swaps, WireAppointment } from '@clinic/contract';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const DATE = '2030-11-22';
const app = useApp(() => buildTestApp({ deps: { clock: { now: () => Date.parse('2030-11-20T13:05:00Z') } } }));
let [bos, mos, idas, toms] = ['', '', '', ''];
const WEEK: [number, string, string][] = [1, 2, 3, 4, 5].map((day) => [day, '08:00', '17:00']);

beforeAll(async () => {
  const { db } = app;
  const therapist = (first: string, last: string) => buildTherapist(db, { first, last, windows: WEEK });
  const [ana, kai, lin, max] = [
    await therapist('Ana', 'Ruiz'),
    await therapist('Kai', 'Wood'),
    await therapist('Lin', 'Park'),
    await therapist('Max', 'Dean'),
  ];
  const client = (first: string, more = {}) => buildClient(db, { first, last: 'Lee', ...more });
  const at = (own: string, of: string, start: string, end: string) =>
    buildAppointment(db, { client: of, therapist: own, date: DATE, start, end });
  bos = await at(ana, await client('Bo'), '09:00', '11:00');
  mos = await at(kai, await client('Mo'), '10:00', '12:00'); // at the same time in part
  idas = await at(lin, await client('Ida', { excludes: [ana] }), '13:00', '14:00');
  toms = await at(max, await client('Tom'), '15:00', '16:00');
  await at(max, await client('Zoe'), '09:30', '10:00');
  await buildAbsence(db, { therapist: lin, date: DATE, start: '08:00', end: '09:30' });
});

const swapsOf = async (key: string): Promise<Swaps> => {
  const reply = await app.staff.call({ url: `/api/appointments/${key}/swaps` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Swaps>();
};
const swap = (key: string, payload: object) =>
  app.staff.call({ method: 'POST', url: `/api/appointments/${key}/swap`, payload });
/** What is stored of both sessions, but for their versions. */
const people = async () =>
  (await app.db.selectFrom('appointment').select(['id', 'therapist_id', 'status']).orderBy('id').execute()).map(
    (row) => ({ ...row }),
  );
const calls = async (): Promise<string[]> => {
  const reply = await app.staff.call({ url: `/api/calls?location=altamonte&date=${DATE}` });
  return reply
    .json<{ lines: { name: string }[] }>()
    .lines.map(({ name }) => name)
    .sort();
};

test('each session of the day is offered, or says why not', async () => {
  const { swaps } = await swapsOf(bos);
  expect(swaps.map(({ client, therapist, why }) => [client, therapist, why])).toEqual([
    ['Zoe Lee', 'Max Dean', null],
    ['Mo Lee', 'Kai Wood', null],
    ['Ida Lee', 'Lin Park', 'Lin Park is away.'],
    ['Tom Lee', 'Max Dean', 'Max Dean has Zoe Lee 9:30 AM - 10:00 AM.'],
  ]);
});

test('two sessions at the same time exchange their therapists, everyone is on the call list, and a second swap takes it back', async () => {
  const before = await people();
  const { version, swaps } = await swapsOf(bos);
  const with_version = swaps.find(({ key }) => key === mos)?.version;
  const done = await swap(bos, { with: mos, version, with_version });
  expect(done.statusCode, done.body).toBe(200);
  const [bo, mo] = done.json<WireAppointment[]>();
  expect([bo?.Preferred_Provider_Name, mo?.Preferred_Provider_Name]).toEqual(['Kai Wood', 'Ana Ruiz']);
  expect(await calls()).toEqual(['Ana Ruiz', 'Bo Lee', 'Kai Wood', 'Mo Lee']);
  const stale = await swap(bos, { with: mos, version, with_version });
  expect(stale.statusCode).toBe(409);
  const back = await swap(bos, { with: mos, version: bo?.version, with_version: mo?.version });
  expect(back.statusCode, back.body).toBe(200);
  expect(await people()).toEqual(before);
  expect(await calls()).toEqual([]);
});

test('every swap that is offered can be made, and every other one is refused or asks first', async () => {
  for (const key of [bos, mos, idas, toms])
    for (const { key: other, why } of (await swapsOf(key)).swaps) {
      const { version, swaps } = await swapsOf(key);
      const with_version = swaps.find((each) => each.key === other)?.version;
      const done = await swap(key, { with: other, version, with_version });
      expect([done.statusCode === 200, other], done.body).toEqual([why === null, other]);
      if (done.statusCode !== 200) continue;
      const [a, b] = done.json<WireAppointment[]>();
      await swap(key, { with: other, version: a?.version, with_version: b?.version, anyway: true });
    }
});

test('given a therapist who is away then, when asked to exchange all the same, then it is refused with a sentence and nothing changes', async () => {
  const before = await people();
  const { version, swaps } = await swapsOf(bos);
  const other = swaps.find(({ therapist }) => therapist === 'Lin Park');
  const body = { with: other?.key, version, with_version: other?.version };
  for (const payload of [body, { ...body, anyway: true }]) {
    const refused = await swap(bos, payload);
    expect(refused.statusCode).toBe(409);
    expect(refused.body).toContain('Lin Park is away at the time of the other session.');
  }
  expect(await people()).toEqual(before);
});
