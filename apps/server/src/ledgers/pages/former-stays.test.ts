import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { HoursReply, LedgerSession, ReportReply, SupervisionReply } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildTestApp, type SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(() => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-27T13:05:00Z') } } }));
let ana: string;
let bo: string;
let tampa: SignedIn;
// Ana works on Wednesdays, 8 hours each. She moved to Tampa on November 12; Bo left on October 9 and came back on November 16.
beforeAll(async () => {
  const { db } = t.deps;
  const windows: [number, string, string][] = [[3, '08:00', '16:00']];
  ana = await buildTherapist(db, { first: 'Ana', last: 'Ruiz', windows });
  bo = await buildTherapist(db, { first: 'Bo', last: 'Back', windows });
  const client = await buildClient(db, { first: 'Ida', last: 'Lee' });
  for (const date of ['2026-11-04', '2026-11-11'])
    await buildAppointment(db, { client, therapist: ana, date, start: '08:00', end: '12:00' });
  await buildAppointment(db, {
    client,
    therapist: ana,
    date: '2026-11-18',
    start: '08:00',
    end: '14:00',
    location: 'tampa',
  });
  await buildAppointment(db, { client, therapist: bo, date: '2026-10-07', start: '08:00', end: '10:00' });
  await db.updateTable('therapist').set({ location: 'tampa' }).where('id', '=', ana).execute();
  await db.updateTable('therapist').set({ end_date: '2026-10-09' }).where('id', '=', bo).execute();
  await db.updateTable('therapist').set({ start_date: '2026-11-16', end_date: null }).where('id', '=', bo).execute();
  tampa = await t.signIn({ locations: ['tampa'] });
});

const stored = () =>
  t.db
    .selectFrom('former_stay')
    .select(['location', 'first_date', 'last_date'])
    .where('therapist_id', '=', ana)
    .execute();
const get = async <T>(path: string, who = t.staff): Promise<T> => {
  const reply = await who.call({ url: `/api/${path}` });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
};
const report = async (location: string, from: string, to: string) => {
  const { groups, total } = await get<ReportReply>(`reports?location=${location}&from=${from}&to=${to}`);
  return { rows: groups.therapist.map((own) => [own.label, own.worked, own.available]), total: total.available };
};

test('given a new location, then the one before is kept until the day before, and a correction on the same day keeps nothing', async () => {
  const { rows } = await sql<{ day: string }>`
    select ((now() at time zone zone)::date - 1)::text as day from location where value = 'altamonte'`.execute(t.db);
  const first = { location: 'altamonte', first_date: '2024-03-04', last_date: rows[0]?.day };
  expect(await stored()).toEqual([first]);
  for (const location of ['orlando', 'tampa'] as const)
    await t.db.updateTable('therapist').set({ location }).where('id', '=', ana).execute();
  expect(await stored()).toEqual([first]);
  // The move is supposed to have been on November 12.
  await t.db.updateTable('former_stay').set({ last_date: '2026-11-11' }).where('therapist_id', '=', ana).execute();
});

test('given someone who moved, then each location has the available time of the days on which they were there', async () => {
  expect(await report('altamonte', '2026-11-02', '2026-11-22')).toEqual({
    rows: [
      ['Ana Ruiz', 480, 960],
      ['Bo Back', 0, 480],
    ],
    total: 1440,
  });
  expect(await report('tampa', '2026-11-02', '2026-11-22')).toEqual({ rows: [['Ana Ruiz', 360, 480]], total: 480 });
  const both = await get<ReportReply>('reports?from=2026-11-02&to=2026-11-22');
  expect([both.total.worked, both.total.available]).toEqual([840, 1920]);
});

test('given someone who left and came back, then their earlier time counts, and the time between does not', async () => {
  const { rows, total } = await report('altamonte', '2026-10-05', '2026-11-22');
  expect(rows).toContainEqual(['Bo Back', 120, 480 + 480]);
  expect(total).toBe(960 + 6 * 480);
});

test('the pages of a week and a month list everyone who was at the location in it, and their sessions can be opened', async () => {
  const names = async (path: string, who?: SignedIn) =>
    (await get<HoursReply | SupervisionReply>(path, who)).rows.map(({ name }) => name);
  expect(await names('ledgers/hours?location=altamonte&date=2026-10-07')).toEqual(['Ana Ruiz', 'Bo Back']);
  expect(await names('ledgers/hours?location=altamonte&date=2026-11-10')).toEqual(['Ana Ruiz']);
  expect(await names('ledgers/hours?location=tampa&date=2026-11-10')).toEqual(['Ana Ruiz']);
  expect(await names('ledgers/hours?location=altamonte&date=2026-11-18')).toEqual(['Bo Back']);
  expect(await names('ledgers/supervision?location=altamonte&date=2026-11-18')).toEqual(['Ana Ruiz']);

  const altamonte = await t.signIn({ locations: ['altamonte'] });
  const sessions = await get<LedgerSession[]>(`ledgers/hours/${ana}?date=2026-11-10`, altamonte);
  expect(sessions.map(({ date }) => date)).toEqual(['2026-11-04', '2026-11-11']);
  for (const [who, date, status] of [
    [altamonte, '2026-11-18', 403],
    [tampa, '2026-11-18', 200],
  ] as const)
    expect((await who.call({ url: `/api/ledgers/hours/${ana}?date=${date}` })).statusCode).toBe(status);
});

test('given someone whose location was changed after their last day, then they were never at the new one', async () => {
  const { db } = t.deps;
  const cy = await buildTherapist(db, { first: 'Cy', last: 'Gone', windows: [[3, '08:00', '16:00']] });
  await db.updateTable('therapist').set({ end_date: '2026-10-09' }).where('id', '=', cy).execute();
  await db.updateTable('therapist').set({ location: 'orlando' }).where('id', '=', cy).execute();
  expect((await report('orlando', '2026-10-05', '2026-10-18')).rows).toEqual([]);
  expect((await report('altamonte', '2026-10-05', '2026-10-18')).rows).toContainEqual(['Cy Gone', 0, 480]);
});
