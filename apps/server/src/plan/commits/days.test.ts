import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { ActionsReply, CommitSummary } from '@clinic/contract';
import { detailOf, everyone, propose, submit, submitBody, undo } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildSmallClinic, DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import { dayOf } from '../../testing/state.ts';
import { buildAppointment } from '../../testing/builders.ts';
import type { Db } from '../../db/connection.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';

const NEXT = '2030-11-25';
/** 9:50 AM at the clinic on that day, in milliseconds since 1970. */
const MORNING = Date.parse(`${DATE}T14:50:00Z`);
let app: TestApp | undefined;
let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
let now: number;
beforeEach(async () => {
  await app?.close();
  now = Date.parse('2026-11-20T12:00:00Z');
  app = await buildCoverApp({ deps: { clock: { now: () => now } } });
  db = app.database.db;
  who = await app.signIn();
  clinic = await buildSmallClinic(db);
});
afterAll(() => app?.close());

test('[SOL-08] given options for several dates, then either all dates are committed together, or none is', async () => {
  await buildAppointment(db, { therapist: clinic.ana, client: clinic.ida, date: NEXT, start: '09:00', end: '11:00' });
  const proposal = await propose(who, ...[DATE, NEXT].map((date) => ({ therapist: 'Ana Ruiz', date })));
  expect(Object.keys(proposal.data)).toEqual([DATE, NEXT]);
  const body = submitBody(proposal, everyone(proposal));
  const helper = proposal.data[NEXT]?.['Ida Fox']?.['Option 1']?.['9:00 AM - 11:00 AM']?.therapist ?? '';
  const row = await db
    .selectFrom('therapist')
    .select('id')
    .where('display_name', '=', helper)
    .executeTakeFirstOrThrow();
  const other = await buildAppointment(db, {
    therapist: row.id,
    client: clinic.mo,
    date: NEXT,
    start: '10:00',
    end: '12:00',
  });
  const refused = await submit(who, body);
  expect(refused.statusCode).toBe(409);
  expect(new Set(detailOf(refused).conflicts.map((c) => c['date']))).toEqual(new Set([NEXT]));
  expect(await dayOf(db, DATE, clinic.bo)).toEqual(['08:30-11:30 Ana Ruiz booked']);
  await db.updateTable('appointment').set({ status: 'cancelled' }).where('id', '=', other).execute();
  const done = await submit(who, body);
  expect(done.statusCode, done.body).toBe(200);
  const { actions, commit } = done.json<ActionsReply>();
  expect(actions.map((a) => a.date)).toEqual([DATE, NEXT]);
  for (const date of [DATE, NEXT]) {
    const listed = await who.call({ method: 'GET', url: `/api/commits?date=${date}&location=altamonte` });
    expect(listed.json<{ id: string }[]>().map((c) => c.id)).toEqual([commit]);
  }
  expect((await undo(who, commit)).statusCode).toBe(200);
  expect(await dayOf(db, NEXT, clinic.ida)).toEqual(['09:00-11:00 Ana Ruiz booked']);
});

test('given a group session, then it is listed and covered as one session, and its appointments share one `place`', async () => {
  const group = { date: DATE, start: '12:00', end: '13:00', therapist: clinic.ana, group: 'social-skills' };
  for (const client of [clinic.ida, clinic.mo]) await buildAppointment(db, { ...group, client });
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  expect(Object.keys(proposal.data[DATE] ?? {})).toEqual(['Bo Lee', 'Ida Fox and Mo Diaz']);
  const done = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(done.statusCode, done.body).toBe(200);
  const rows = await db
    .selectFrom('appointment')
    .select(['therapist_id', 'place'])
    .where('group_key', '=', 'social-skills')
    .execute();
  expect(new Set(rows.map((r) => `${r.therapist_id} ${r.place}`)).size).toBe(1);
  expect(rows[0]?.therapist_id).not.toBe(clinic.ana);
  const families = done.json<ActionsReply>().calls.filter((c) => c.kind === 'family');
  expect(families.map((c) => c.who)).toEqual(['Family of Bo Lee', 'Family of Ida Fox', 'Family of Mo Diaz']);
  for (const [own, other] of [
    ['Ida', 'Mo'],
    ['Mo', 'Ida'],
  ] as const)
    expect(families.find((c) => c.who.includes(own))?.say).not.toContain(other);
  expect((await undo(who, done.json<ActionsReply>().commit)).statusCode).toBe(200);
  const back = await db
    .selectFrom('appointment')
    .select(['therapist_id', 'place'])
    .where('group_key', '=', 'social-skills')
    .execute();
  expect(new Set(back.map((r) => `${r.therapist_id} ${r.place}`))).toEqual(
    new Set([`${clinic.ana} group:social-skills`]),
  );
});

test('given a day under way, then past time is neither planned nor mentioned in calls, except in a demo clinic', async () => {
  now = MORNING;
  const cut = await propose(who, { therapist: 'Ana Ruiz' });
  const done = (await submit(who, submitBody(cut, everyone(cut)))).json<ActionsReply>();
  expect(done.actions.map((a) => a.time)).toEqual(['10:00 AM - 11:30 AM']);
  expect(done.calls.length).toBeGreaterThan(0);
  for (const { say } of done.calls) expect(say).not.toMatch(/\b[89]:\d\d/);
  expect((await undo(who, done.commit)).statusCode).toBe(200);
  await db.updateTable('account').set({ demo: true }).where('id', '=', who.accountId).execute();
  const whole = await propose(who, { therapist: 'Ana Ruiz' });
  const told = (await submit(who, submitBody(whole, everyone(whole)))).json<ActionsReply>();
  expect(told.actions.map((a) => a.time)).toEqual(['8:30 AM - 11:30 AM']);
});

test('a commit is checked as of the time when its options were made, if that was at most 15 minutes ago', async () => {
  now = MORNING;
  const first = await propose(who, { therapist: 'Ana Ruiz' });
  const body = submitBody(first, everyone(first));
  now = MORNING + 14 * 60_000;
  const soon = await submit(who, body);
  expect(soon.statusCode, soon.body).toBe(200);
  expect((await undo(who, soon.json<ActionsReply>().commit)).statusCode).toBe(200);
  now = MORNING + 30 * 60_000;
  const late = await submit(who, body);
  expect(late.statusCode).toBe(409);
  expect(detailOf(late).conflicts[0]).toMatchObject({
    client: 'Bo Lee',
    why: expect.stringMatching(/time has passed/) as string,
  });
  now = MORNING + 24 * 60 * 60_000;
  expect((await submit(who, body)).statusCode).toBe(409);
});

test('given a commit whose sessions have begun, then undo is refused', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const { commit } = (await submit(who, submitBody(proposal, everyone(proposal)))).json<ActionsReply>();
  now = MORNING;
  const refused = await undo(who, commit);
  expect(refused.statusCode).toBe(409);
  expect(detailOf(refused).conflicts).toMatchObject([
    { client: 'Bo Lee', therapist: 'Kai Wood', why: "Bo Lee's session has begun since these changes were submitted." },
  ]);
  await db.updateTable('account').set({ demo: true }).execute();
  expect((await undo(who, commit)).statusCode).toBe(200); // in the demo clinic, no time counts as over
});

test('given a withdrawn absence, then past time keeps the therapist who covered it', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  await submit(who, submitBody(proposal, everyone(proposal)));
  now = MORNING;
  await who.call({
    method: 'POST',
    url: '/api/absences/withdraw',
    payload: { location: 'altamonte', date: DATE, type: 'therapist', name: 'Ana Ruiz', take_back: true },
  });
  expect(await dayOf(db, DATE, clinic.bo)).toEqual([
    '08:30-10:00 Kai Wood/Ana Ruiz booked',
    '10:00-11:30 nobody/Ana Ruiz booked',
  ]);
});

test('cover never makes an imported double booking worse, and cancelling either appointment removes the double-booking mark from both', async () => {
  const one = { date: DATE, therapist: clinic.kai, clash: 'import-1' };
  const ida = await buildAppointment(db, { ...one, client: clinic.ida, start: '13:00', end: '15:00' });
  const bo = await buildAppointment(db, { ...one, client: clinic.bo, start: '14:00', end: '16:00' });
  // The change makes the rows look like an import's: the therapist is double-booked, the clients are not.
  await db
    .updateTable('appointment')
    .set({ client_place: sql`id::text` })
    .where('id', 'in', [ida, bo])
    .execute();
  const flags = async () =>
    (
      await db
        .selectFrom('appointment')
        .select(['clash', 'place'])
        .where('id', 'in', [ida, bo])
        .orderBy('starts')
        .execute()
    ).map((r) => [r.clash, r.place === ida || r.place === bo]);
  const before = await flags();
  const proposal = await propose(who, { client: 'Ida Fox' });
  const done = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(done.statusCode, done.body).toBe(200);
  expect(await dayOf(db, DATE, clinic.bo)).toContain('14:00-16:00 Kai Wood booked');
  expect((await flags())[1]).toEqual([false, true]);
  expect((await undo(who, done.json<ActionsReply>().commit)).statusCode).toBe(200);
  expect(await flags()).toEqual(before);
});

test('given a chosen therapist who has left the clinic, then the reply is a conflict that names them', async () => {
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  const body = submitBody(proposal, everyone(proposal));
  const leave = (id: string) =>
    db.updateTable('therapist').set({ deleted_at: new Date().toISOString() }).where('id', '=', id).execute();
  await leave(clinic.kai);
  const refused = await submit(who, body);
  expect(refused.statusCode).toBe(409);
  expect(detailOf(refused).conflicts[0]).toMatchObject({
    therapist: 'Kai Wood',
    client: 'Bo Lee',
    why: 'Kai Wood is no longer with the clinic.',
  });
  await db.updateTable('therapist').set({ deleted_at: null }).execute();
  const { commit } = (await submit(who, body)).json<ActionsReply>();
  await leave(clinic.ana);
  const back = await undo(who, commit);
  expect(back.statusCode).toBe(409);
  expect(detailOf(back).message).toMatch(/^Ana Ruiz is no longer with the clinic/);
});

test("given options committed some minutes after they were made, then the reply and the list of commits still show the options' figures", async () => {
  now = Date.parse(`${DATE}T13:20:00Z`); // 8:20 AM at the clinic; the first session begins at 8:30
  const proposal = await propose(who, { therapist: 'Ana Ruiz', date: DATE });
  const chosen = Object.values(proposal.metadata.client_figures[DATE] ?? {}).flatMap((of) => of['Option 1'] ?? []);
  const sum = (of: (f: (typeof chosen)[number]) => number): number => chosen.reduce((n, f) => n + of(f), 0);
  now += 14 * 60_000;
  const workbook = await who.call({
    method: 'POST',
    url: '/api/actions',
    payload: submitBody(proposal, everyone(proposal)),
  });
  expect(workbook.statusCode, workbook.body).toBe(200);
  const [commit] = (await who.call({ url: `/api/commits?date=${DATE}&location=altamonte` })).json<CommitSummary[]>();
  expect(commit).toMatchObject({
    changes: sum((f) => f.changes),
    minutes_needed: sum((f) => f.minutes_needed),
    minutes_kept: sum((f) => f.minutes_kept),
  });
  expect(workbook.headers['x-changes']).toBe(String(commit?.changes));
});
