import { beforeAll, expect, test } from 'vitest';
import { addDays, isoDate } from '@clinic/domain';
import type { SeriesPreview } from '@clinic/contract';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { makeSeriesFurther } from './series-further.ts';

const app = useApp(() => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T13:05:00Z') } } }));
const PEOPLE = ['Ana Ruiz', 'Kai Wood', 'Lin Park'];
let bos = '';
const ids: string[] = [];

beforeAll(async () => {
  const { db } = app;
  for (const name of PEOPLE) {
    const [first = '', last = ''] = name.split(' ');
    ids.push(await buildTherapist(db, { first, last }));
  }
  const client = await buildClient(db, { first: 'Bo', last: 'Lee' });
  bos = await buildAppointment(db, {
    client,
    therapist: ids[1] ?? '',
    date: '2026-11-30',
    start: '12:30',
    end: '14:00',
  });
});

const body = (more: object = {}): object => ({
  location: 'altamonte',
  client: 'Admin',
  subject: 'Staff meeting',
  meeting: true,
  days: PEOPLE.map((therapist) => ({ weekday: 1, start: '12:00', end: '13:00', therapist })),
  from: '2026-11-23',
  until: '2026-12-07',
  ...more,
});
const ask = (path: string, payload: object) => app.staff.call({ method: 'POST', url: `/api${path}`, payload });
const rows = async () =>
  (await app.db.selectFrom('appointment').select(['service', 'status', 'starts']).orderBy('id').execute()).map(
    (row) => ({ ...row }),
  );

test('a meeting is administrative time for everyone, without those who have a session then, and one act takes it back', async () => {
  const before = await rows();
  const preview = (await ask('/series/preview', body())).json<SeriesPreview>();
  expect(preview.days.map(({ dates }) => dates.length)).toEqual([3, 2, 3]);
  expect(preview.days[1]?.skipped).toMatchObject([{ date: '2026-11-30', kind: 'booked' }]);
  expect(await rows()).toEqual(before);
  const booked = await ask('/series', body({ version: preview.version }));
  expect(booked.statusCode, booked.body).toBe(201);
  const { keys, sessions } = booked.json<{ keys: string[]; sessions: number }>();
  expect([keys.length, sessions]).toEqual([3, 8]);
  const made = (await rows()).filter(({ service, status }) => service === 'admin' && status !== 'entered-in-error');
  expect(made.length).toBe(8);
  expect(await app.db.selectFrom('appointment').select('status').where('id', '=', bos).executeTakeFirst()).toEqual({
    status: 'booked',
  });
  const [key = '', ...also] = keys;
  const back = await ask(`/appointments/${key}/take-back`, { scope: 'following', also });
  expect(back.statusCode, back.body).toBe(204);
  const left = (await rows()).filter(({ status }) => status !== 'entered-in-error');
  expect(left).toEqual(before);
});

test('given one person who has changed their part since, nothing of the meeting is taken back', async () => {
  const { keys } = (await ask('/series', body({ from: '2027-01-04', until: '2027-01-11' }))).json<{ keys: string[] }>();
  const [first = '', ...others] = keys;
  expect((await ask(`/appointments/${others.at(-1) ?? ''}/cancel`, {})).statusCode).toBe(200);
  const before = await rows();
  expect((await ask(`/appointments/${first}/take-back`, { scope: 'following', also: others })).statusCode).toBe(409);
  expect(await rows()).toEqual(before);
});

test('one person cannot be asked to two meetings at once, and two people can', async () => {
  const day = { weekday: 1, start: '12:00', end: '13:00', therapist: 'Ana Ruiz' };
  const twice = await ask('/series/preview', body({ days: [day, { ...day, start: '12:30', end: '13:30' }] }));
  expect(twice.statusCode).toBe(422);
  const two = await ask(
    '/series/preview',
    body({ days: [day, { ...day, therapist: 'Lin Park', start: '12:30', end: '13:30' }] }),
  );
  expect(two.statusCode, two.body).toBe(200);
});

test('a meeting leaves out whoever has a session because the request says so, also when one person comes alone', async () => {
  const kai = [{ weekday: 1, start: '12:00', end: '13:00', therapist: 'Kai Wood' }];
  const alone = body({ days: kai });
  const made = async (payload: object) => (await ask('/series/preview', payload)).json<SeriesPreview>().days[0]?.dates;
  expect(await made(alone)).toEqual(['2026-11-23', '2026-12-07']);
  // Administrative time that is no meeting may lie beside a session, for one person and for several.
  expect(await made({ ...alone, meeting: false })).toEqual(['2026-11-23', '2026-11-30', '2026-12-07']);
  const several = (await ask('/series/preview', body({ meeting: undefined }))).json<SeriesPreview>();
  expect(several.days.map(({ dates }) => dates.length)).toEqual([3, 3, 3]);
  const withClient = await ask('/series/preview', { ...alone, client: 'Bo Lee' });
  expect(withClient.statusCode).toBe(422);
  expect(withClient.json<{ detail: string }>().detail).toContain('without a client');
});

test('a meeting without an end goes on without those who have a session or are away then, also once it is moved for good', async () => {
  const { db } = app;
  const [ana, kai, lin] = ids;
  const days = PEOPLE.map((therapist) => ({ weekday: 3, start: '16:00', end: '17:00', therapist }));
  const booked = await ask('/series', body({ days, from: '2026-11-25', until: undefined }));
  expect(booked.statusCode, booked.body).toBe(201);
  const { keys } = booked.json<{ keys: string[] }>();
  // Kai's part moves for good: his series becomes another one, and is still a meeting's.
  const move = await app.staff.call({
    method: 'PUT',
    url: `/api/appointments/${keys[1] ?? ''}`,
    payload: {
      location: 'altamonte',
      client: 'Admin',
      subject: 'Staff meeting',
      therapist: 'Kai Wood',
      date: '2026-11-25',
      start: '15:30',
      end: '16:30',
      scope: 'following',
    },
  });
  expect(move.statusCode, move.body).toBe(200);
  const later = isoDate('2027-03-03');
  const client = await buildClient(db, { first: 'Mo', last: 'Diaz' });
  await buildAppointment(db, { client, therapist: kai ?? '', date: later, start: '16:00', end: '18:00' });
  await buildAbsence(db, { therapist: lin ?? '', date: later });
  await makeSeriesFurther(db, () => ({ date: isoDate('2027-01-20'), minutes: 480 }), Date.now());
  const at = async (date: string) =>
    (
      await db
        .selectFrom('appointment')
        .select('therapist_id')
        .where('service', '=', 'admin')
        .where('starts', '>=', `${date} 00:00`)
        .where('starts', '<', `${date} 23:59`)
        .orderBy('therapist_id')
        .execute()
    ).map(({ therapist_id }) => therapist_id);
  expect(await at(later)).toEqual([ana]);
  expect((await at(addDays(later, 7))).toSorted()).toEqual([ana, kai, lin].toSorted());
});
