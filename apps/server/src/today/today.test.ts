import { beforeAll, expect, test } from 'vitest';
import type { TodayReply } from '@clinic/contract';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { slotsOf } from '../testing/calls.ts';
import { buildTestApp, type SignedIn } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';

const TODAY = '2026-11-20';
let staff: SignedIn;
let commit: string;
// It is 8:05 AM at the clinic in all tests.
const t = useApp(() => buildTestApp({ deps: { clock: { now: () => Date.parse('2026-11-20T13:05:00Z') } } }));
beforeAll(async () => {
  staff = await t.signIn({ name: 'Sam Staff' });
  const { db } = t.deps;
  const ana = await buildTherapist(db, {
    first: 'Ana',
    last: 'Ruiz',
    windows: [
      [5, '08:00', '12:00'],
      [5, '13:00', '20:00'],
    ],
    specialization: 'BCBA',
  });
  const kai = await buildTherapist(db, { first: 'Kai', last: 'Wood', windows: [[5, '08:00', '17:00']] });
  await buildTherapist(db, { first: 'Off', last: 'Today', windows: [[1, '08:00', '17:00']] });
  // A visiting therapist has only one session here, and so no free time between sessions. Another therapist has left,
  // but has past sessions.
  const visiting = await buildTherapist(db, { first: 'Elsewhere', last: 'Now', location: 'tampa' });
  const gone = await buildTherapist(db, { first: 'Has', last: 'Left' });
  const [bo, mo, io] = [
    await buildClient(db, { first: 'Bo', last: 'Lee' }),
    await buildClient(db, { first: 'Mo', last: 'Diaz' }),
    await buildClient(db, { first: 'Io', last: 'Vance' }),
  ];
  const at = (client: string | null, therapist: string | null, start: string, end: string, more = {}) =>
    buildAppointment(db, { client, therapist, date: TODAY, start, end, ...more });
  await at(bo, kai, '08:00', '10:00');
  await at(mo, null, '10:00', '11:00', {
    bookedTherapist: kai,
    subject: 'Parent Training',
    service: 'parent-training',
  });
  await at(io, null, '12:00', '13:00');
  await at(io, ana, '13:00', '14:20');
  await at(bo, ana, '16:00', '16:40', { location: 'tampa' });
  await at(null, ana, '17:00', '18:00');
  await at(mo, kai, '14:00', '15:00', { status: 'cancelled' });
  await at(null, ana, '09:00', '10:00', { status: 'cancelled' });
  for (const therapist of [visiting, gone]) await at(null, therapist, '09:00', '09:30');
  await db.updateTable('therapist').set({ deleted_at: '2026-11-01T00:00:00Z' }).where('id', '=', gone).execute();
  await buildAbsence(db, { therapist: kai, date: TODAY });
  await buildAbsence(db, { client: mo, date: TODAY, start: '10:30', end: '12:00' });
  await db
    .insertInto('proposal')
    .values({ id: 'p_1', location: 'altamonte', dates: [TODAY], created_by: staff.accountId })
    .execute();
  const empty = JSON.stringify({});
  await db
    .insertInto('proposal_revision')
    .values({
      proposal_id: 'p_1',
      revision: 1,
      queries: empty,
      pins: empty,
      days: empty,
      data: empty,
      metadata: empty,
      backed_up_therapists: empty,
      created_by: staff.accountId,
    })
    .execute();
  const made = await db
    .insertInto('schedule_commit')
    .values({
      proposal_id: 'p_1',
      revision: 1,
      location: 'altamonte',
      sent_location: null,
      choice: empty,
      choice_key: 'k',
      changes: JSON.stringify([]),
      summary: JSON.stringify({
        dates: [TODAY],
        clients: ['Bo Lee'],
        option: 'Option 1',
        changes: 2,
        minutesKept: 90,
        wall: `${TODAY} 07:30:00`,
      }),
      reply: empty,
      workbook: Buffer.from(''),
      committed_by: staff.accountId,
      committed_at: '2026-11-20T12:30:00Z',
      undone_by: null,
      undone_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  commit = made.id;
});

async function today(location = 'altamonte', date = TODAY, by = staff): Promise<TodayReply> {
  const reply = await by.call({ url: '/api/today', query: { location, date } });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<TodayReply>();
}

test('the Today page lists the times that need cover from now on, and why', async () => {
  const { needs_cover, now } = await today();
  expect(now).toBe('2026-11-20T08:05:00');
  expect(needs_cover.map(({ key: _key, session: _session, ...each }) => each)).toEqual([
    { client: 'Bo Lee', start: '08:15', end: '10:00', subject: 'Direct Therapy', why: 'Kai Wood is away all day.' },
    {
      client: 'Mo Diaz',
      start: '10:00',
      end: '10:30',
      subject: 'Parent Training',
      why: 'It was Kai Wood’s; no one has taken it.',
    },
    { client: 'Io Vance', start: '12:00', end: '13:00', subject: 'Direct Therapy', why: 'No therapist is booked.' },
  ]);
});

test('the Today page counts the sessions from now on whose client is away, but which are not cancelled', async () => {
  const { db } = t.deps;
  const client = await buildClient(db, { first: 'Ola', last: 'Frey', location: 'orlando' });
  const therapist = await buildTherapist(db, { first: 'Uma', last: 'Bell', location: 'orlando' });
  const session = { client, therapist, date: TODAY, location: 'orlando' } as const;
  for (const status of ['booked', 'cancelled'] as const)
    await buildAppointment(db, { ...session, start: '08:00', end: '09:00', status });
  await buildAbsence(db, { client, date: TODAY, start: '00:00', end: '08:15' });
  expect((await today('orlando')).to_cancel).toBe(0);
  await buildAbsence(db, { client, date: TODAY, start: '08:45', end: '12:00' });
  expect((await today('orlando')).to_cancel).toBe(1);
  // The calendar counts them too.
  expect((await slotsOf(staff, TODAY, 'orlando')).to_cancel).toBe(1);
});

test('the Today page lists who is away and which changes were submitted', async () => {
  const { away, commits } = await today();
  expect(away.map(({ id: _id, ...each }) => each)).toEqual([
    { name: 'Kai Wood', type: 'therapist', startTime: '00:00', endTime: '23:59' },
    { name: 'Mo Diaz', type: 'client', startTime: '10:30', endTime: '12:00' },
  ]);
  expect(commits).toEqual([
    {
      id: commit,
      location: 'altamonte',
      dates: [TODAY],
      committed_at: '2026-11-20T12:30:00.000Z',
      committed_by: 'Sam Staff',
      clients: ['Bo Lee'],
      option: 'Option 1',
      changes: 2,
      minutes_kept: 90,
      undone_at: null,
      undone_by: null,
      cannot_undo: null,
    },
  ]);
  expect((await today('altamonte', '2026-11-19')).commits).toEqual([]);
});

test('the reserve lists therapists who are free from now on, between 7:00 and 19:00, for at least half an hour', async () => {
  expect((await today()).reserve).toEqual([
    {
      therapist: 'Ana Ruiz',
      credential: 'BCBA',
      windows: [
        { start: '08:15', end: '12:00' },
        { start: '14:20', end: '16:00' },
        { start: '18:00', end: '19:00' },
      ],
      minutes: 225 + 100 + 60,
    },
  ]);
});

test('a therapist who visits from another location is in the reserve only between their sessions here', async () => {
  const { db } = t.deps;
  const day = '2026-11-24';
  const visitor = await buildTherapist(db, { first: 'Vi', last: 'Stone', location: 'tampa' });
  const client = await buildClient(db, { first: 'Una', last: 'Fox', location: 'deerfield' });
  const at = { client, therapist: visitor, date: day, location: 'deerfield' } as const;
  await buildAppointment(db, { ...at, start: '10:00', end: '11:00' });
  await buildAppointment(db, { ...at, start: '14:00', end: '15:00' });
  const { reserve } = await today('deerfield', day);
  expect(reserve).toMatchObject([{ therapist: 'Vi Stone', windows: [{ start: '11:00', end: '14:00' }] }]);
});

test('a therapist of another location who is here only by video is not in the reserve', async () => {
  const day = '2026-11-25';
  const visitor = await buildTherapist(t.deps.db, { first: 'Vi', last: 'Reed', location: 'tampa' });
  const client = await buildClient(t.deps.db, { first: 'Una', last: 'Ash', location: 'deerfield' });
  const at = {
    client,
    therapist: visitor,
    date: day,
    location: 'deerfield',
    subject: 'Parent Training (video)',
  } as const;
  await buildAppointment(t.deps.db, { ...at, start: '10:00', end: '11:00' });
  await buildAppointment(t.deps.db, { ...at, start: '14:00', end: '15:00' });
  expect((await today('deerfield', day)).reserve).toEqual([]);
});

test('the week’s booked time is divided into kept, lost and still open time', async () => {
  const { week } = await today();
  expect(week.map((day) => day.date)).toEqual(Array.from({ length: 7 }, (_, i) => `2026-11-${16 + i}`));
  // Booked: the five sessions. Open: the times that Today lists as needing cover. Lost: time before 8:15 without a
  // therapist, the client's absence, and the cancelled session.
  expect(week[4]).toEqual({ date: TODAY, booked: 380, open: 105 + 30 + 60, lost: 15 + 30 + 60, kept: 80 });
  expect(week[3]).toMatchObject({ booked: 0, kept: 0, lost: 0, open: 0 });
});

test('in the demo clinic, no part of today counts as past', async () => {
  const { db } = t.deps;
  await db.updateTable('account').set({ demo: true }).where('id', '=', staff.accountId).execute();
  const { needs_cover, week } = await today();
  await db.updateTable('account').set({ demo: false }).where('id', '=', staff.accountId).execute();
  expect(needs_cover[0]).toMatchObject({ start: '08:00', end: '10:00' });
  expect(week[4]).toMatchObject({ open: 120 + 30 + 60, lost: 30 + 60 });
});

test('[AUTH-06] only logged-in accounts for the location can read the Today page; the read is audited by day, and no name reaches the log', async () => {
  const query = { location: 'altamonte', date: TODAY };
  expect((await t.app.inject({ url: '/api/today', query })).statusCode).toBe(401);
  expect((await (await t.signIn({ locations: ['tampa'] })).call({ url: '/api/today', query })).statusCode).toBe(403);
  expect((await staff.call({ url: '/api/today', query: { ...query, location: 'miami' } })).statusCode).toBe(422);
  const mine = await t.signIn({ locations: ['altamonte'] });
  expect((await mine.call({ url: '/api/today', query })).headers['cache-control']).toBe('no-store');
  const rows = await t.deps.db
    .selectFrom('audit')
    .selectAll()
    .where('account_id', '=', mine.accountId)
    .where('action', '=', 'today.read')
    .execute();
  expect(rows.map((row) => row.subject_ids)).toEqual([[`altamonte/${TODAY}`]]);
  expect(t.logLines.join('\n')).not.toMatch(/Lee|Diaz|Vance/);
});
