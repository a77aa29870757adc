import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { MOST_OPEN_REPORTS, type OpenReport, type OwnWeek, type ProposalReply } from '@clinic/contract';
import { addDays, isoDate } from '@clinic/domain';
import { dayVersion } from '../../testing/builders.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import type { SignedIn } from '../../testing/test-app.ts';

const day = (n: number): string => addDays(isoDate(DATE), n);
let t: SmallApp;
let ana: SignedIn;
beforeEach(async () => {
  t = await openSmallClinic(t?.app, { deps: { clock: { now: () => Date.parse(`${day(-1)}T22:00:00Z`) } } });
  ana = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.ana, locations: ['altamonte'] });
});
afterAll(() => t.app.close());

const MORNING = { from_date: DATE, from_time: '08:00', to_date: DATE, to_time: '12:00', cause: 'sick' };
const report = (body: object = {}, who = ana) =>
  who.call({ method: 'POST', url: '/api/me/absences', payload: { ...MORNING, ...body } });
const open = async (who = t.who, location = 'altamonte'): Promise<OpenReport[]> =>
  (await who.call({ url: `/api/absence-reports?location=${location}` })).json<OpenReport[]>();
const actOn = (id: string | undefined, what: string, payload: object = {}, who = t.who) => {
  const url = `/api/absence-reports/${id}/${what}`;
  return who.call({ method: 'POST', url, payload: { location: 'altamonte', ...payload } });
};
const act = async (...[what, payload, who]: [what: string, payload?: object, who?: SignedIn]) =>
  actOn((await open())[0]?.id, what, payload, who);
const own = async () => (await ana.call({ url: '/api/me' })).json<OwnWeek>().reports;
const stored = () =>
  t.db
    .selectFrom('absence')
    .select(['therapist_id', 'date', 'start_minute', 'end_minute', 'cause_id'])
    .where('withdrawn_at', 'is', null)
    .orderBy('date')
    .execute();

test('given a report, nothing is replanned until a coordinator confirms it', async () => {
  const before = await dayVersion(t.db, 'altamonte', DATE);
  expect((await report()).statusCode).toBe(204);
  expect(await stored()).toEqual([]);
  expect(await dayVersion(t.db, 'altamonte', DATE)).toBe(before);
  expect(await open()).toMatchObject([{ name: 'Ana Ruiz', ...MORNING }]);
  expect(await own()).toMatchObject([{ state: 'open', ...MORNING }]);
  expect((await act('confirm')).json()).toEqual([]);
  const window = { therapist_id: t.clinic.ana, date: DATE, start_minute: 480, end_minute: 720, cause_id: 'sick' };
  expect(await stored()).toEqual([window]);
  expect(await dayVersion(t.db, 'altamonte', DATE)).toBeGreaterThan(before);
  expect(await own()).toMatchObject([{ state: 'confirmed' }]);
});

test('given a report over several days, confirming it stores one absence for each day, from the start of the report to its end', async () => {
  await report({ from_time: '13:00', to_date: day(2), to_time: '10:00' });
  await act('confirm');
  expect((await stored()).map(({ date, start_minute, end_minute }) => [date, start_minute, end_minute])).toEqual([
    [DATE, 780, 1440],
    [day(1), 0, 1440],
    [day(2), 0, 600],
  ]);
});

test('given a report, “Preview options” shows the options as if the report were confirmed, and stores nothing', async () => {
  await report();
  const reply = await act('preview', { date: DATE });
  expect(reply.statusCode, reply.body).toBe(200);
  const proposal = reply.json<ProposalReply>();
  expect(Object.keys(proposal.data[DATE] ?? {})).toEqual(['Bo Lee']);
  expect(await stored()).toEqual([]);
  for (const table of ['proposal', 'proposal_revision'] as const)
    expect(await t.db.selectFrom(table).selectAll().execute()).toEqual([]);
  expect(await open()).toHaveLength(1);
});

test('given four coordinators who confirm or decline a report at the same moment, only one of them succeeds', async () => {
  await report();
  const [first] = await open(); // the report is read first, because the list shows only open reports
  const acts = ['confirm', 'decline', 'confirm', 'decline'];
  const coordinators = await Promise.all(acts.map(() => t.app.signIn()));
  const replies = await Promise.all(acts.map((what, i) => actOn(first?.id, what, {}, coordinators[i])));
  expect(replies.map((each) => each.statusCode).sort()).toEqual([200, 409, 409, 409]);
  expect(await stored()).toHaveLength((await own())[0]?.state === 'confirmed' ? 1 : 0);
});

test.each(['confirm', 'decline'])(
  'given a coordinator who sends “%s” again, then it counts once, and only another answer is refused',
  async (what) => {
    await report();
    const [first] = await open();
    for (const each of [1, 2]) expect([each, (await actOn(first?.id, what)).statusCode]).toEqual([each, 200]);
    const entries = await t.db.selectFrom('audit').selectAll().where('action', 'like', 'absence-report.%ed').execute();
    expect(entries).toHaveLength(1);
    expect((await actOn(first?.id, what === 'confirm' ? 'decline' : 'confirm')).statusCode).toBe(409);
    expect((await actOn(first?.id, what, {}, await t.app.signIn())).statusCode).toBe(409);
  },
);

test('a therapist can withdraw their own report, also twice, but not another therapist’s, nor one that was declined', async () => {
  await report();
  const [first] = await own();
  const url = `/api/me/absences/${first?.id}/withdraw`;
  const kai = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.kai, locations: ['altamonte'] });
  expect((await kai.call({ method: 'POST', url })).statusCode).toBe(404);
  const twice = await Promise.all([1, 2].map(() => ana.call({ method: 'POST', url })));
  expect(twice.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
  expect([await own(), await open()]).toEqual([[], []]);
  const withdrawn = await t.db
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'absence-report.withdrawn')
    .execute();
  expect(withdrawn).toHaveLength(1);
  expect((await kai.call({ method: 'POST', url })).statusCode).toBe(404);

  await report();
  const [second] = await own();
  await act('decline');
  const late = await ana.call({ method: 'POST', url: `/api/me/absences/${second?.id}/withdraw` });
  expect(late.statusCode).toBe(404);
});

test('a therapist cannot have more open reports than allowed, even by sending many at once', async () => {
  await report();
  const row = await t.db.selectFrom('absence_report').selectAll().executeTakeFirstOrThrow();
  const waiting = Array.from({ length: MOST_OPEN_REPORTS - 3 }, () => ({ ...row, id: randomUUID() }));
  await t.db.insertInto('absence_report').values(waiting).execute();
  const last = await Promise.all(['13:00', '14:00', '15:00', '16:00'].map((to_time) => report({ to_time })));
  expect(last.map(({ statusCode }) => statusCode).sort()).toEqual([204, 204, 422, 422]);
  expect(await open()).toHaveLength(MOST_OPEN_REPORTS);
  await act('decline');
  expect((await report({ to_time: '17:00' })).statusCode).toBe(204);
});

test('given a report sent twice, coordinators see it once; if it is sent again after it was declined, it counts as a new report', async () => {
  const both = await Promise.all([report(), report()]);
  expect(both.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
  expect(await open()).toHaveLength(1);
  await report({ cause: 'leave' });
  expect(await open()).toHaveLength(2);
  await act('decline');
  await act('decline');
  await report();
  expect(await open()).toHaveLength(1);
});

test('given a report sent again after it was confirmed, then it is not a second report, until the therapist is back at work', async () => {
  const days = { from_time: '13:00', to_date: day(1), to_time: '12:00' };
  await report(days);
  await act('confirm');
  await report(days);
  expect([await open(), await own()]).toMatchObject([[], [{ state: 'confirmed' }]]);
  const back = { type: 'therapist', name: 'Ana Ruiz', location: 'altamonte', date: day(1) };
  const reply = await t.who.call({ method: 'POST', url: '/api/absences/withdraw', payload: back });
  expect(reply.statusCode, reply.body).toBe(200);
  await report(days);
  expect(await open()).toMatchObject([days]);
  expect((await act('confirm')).statusCode).toBe(200);
  expect((await stored()).map(({ date }) => date)).toEqual([DATE, day(1)]);
});

test.each([
  ['the past', { from_date: day(-2) }],
  ['more than two weeks ahead', { to_date: day(20) }],
  ['an end before its beginning', { to_time: '07:00' }],
  ['no time at all', { to_time: '08:00' }],
  ['a cause that is not offered', { cause: 'none of your business' }],
])('an invalid report (%s) is refused', async (_, body) => {
  expect((await report(body)).statusCode).toBe(422);
  expect(await open()).toEqual([]);
});

test('a report is not shown, and cannot be confirmed, at a location where the therapist neither belongs nor works on its dates', async () => {
  await report();
  const tampa = await t.app.signIn({ locations: ['tampa'] });
  expect(await open(tampa, 'tampa')).toEqual([]);
  expect((await act('confirm', { location: 'tampa' }, tampa)).statusCode).toBe(404);
  expect((await act('confirm', {}, tampa)).statusCode).toBe(403);
  expect(await stored()).toEqual([]);
});

test('given a therapist who has left, their open report is not shown and cannot be confirmed', async () => {
  await report();
  const [left] = await open();
  await t.db
    .updateTable('therapist')
    .set({ deleted_at: new Date().toISOString() })
    .where('id', '=', t.clinic.ana)
    .execute();
  expect(await open()).toEqual([]);
  expect((await actOn(left?.id, 'confirm')).statusCode).toBe(404);
});

test('reporting an absence and confirming the report are both in the audit trail', async () => {
  await report();
  await act('confirm');
  const rows = await t.db.selectFrom('audit').select(['action', 'account_id', 'location']).execute();
  const at = { location: 'altamonte' };
  expect(rows).toContainEqual({ action: 'absence.reported', account_id: ana.accountId, ...at });
  expect(rows).toContainEqual({ action: 'absence-report.confirmed', account_id: t.who.accountId, ...at });
});
