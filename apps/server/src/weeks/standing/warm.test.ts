/** A warm handover from its plan to the calendar and back: docs/weeks.md. */
import { beforeAll, expect, test } from 'vitest';
import type { CallsReply, StandingCommit, StandingReply, WarmReply } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';

const app = useApp(fridayCoverApp);
let [ana, kai, bo] = ['', '', ''];
/** Bo's sessions with Ana: two before the leave, two in it. */
const BEFORE = ['2026-11-30', '2026-12-02'] as const;

beforeAll(async () => {
  const { db } = app;
  ana = await buildTherapist(db, { first: 'Ana', last: 'Leaves' });
  kai = await buildTherapist(db, { first: 'Kai', last: 'Face' });
  bo = await buildClient(db, { first: 'Bo', last: 'Stays' });
  for (const date of [...BEFORE, '2026-12-07', '2026-12-09'])
    await buildAppointment(db, { therapist: ana, client: bo, date, start: '10:00', end: '12:00' });
  // Kai has a client of their own in the first hour of the first session.
  const ida = await buildClient(db, { first: 'Ida', last: 'Own' });
  await buildAppointment(db, { therapist: kai, client: ida, date: BEFORE[0], start: '09:30', end: '11:00' });
});

const post = (url: string, payload: object) => app.staff.call({ method: 'POST', url: `/api${url}`, payload });
async function offer(from = '2026-12-07'): Promise<StandingReply> {
  const body = { location: 'altamonte', therapist: ana, from: isoDate(from), until: '2026-12-18' };
  const reply = await post('/standing', body);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<StandingReply>();
}
const choiceOf = ({ children }: StandingReply) => Object.fromEntries(children.map(({ id }) => [id, 'Option 1']));
async function plan(offered: StandingReply, times: number): Promise<WarmReply> {
  const reply = await post('/standing/meetings', { proposal: offered.proposal, choice: choiceOf(offered), times });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<WarmReply>();
}
const joinsOf = ({ meetings }: WarmReply) =>
  meetings.map(({ child, therapist, date, start, end }) => ({ child, therapist, date, start, end }));
/** The administrative time that stands, and who has Bo when. */
const calendar = async () =>
  (
    await app.db
      .selectFrom('appointment')
      .select(['service', 'subject', 'therapist_id', 'client_id', 'starts', 'ends'])
      .where('occupies', '=', true)
      .orderBy('starts')
      .orderBy('id')
      .execute()
  ).map((row) => ({ ...row }));

test('[WKS-03] each child meets the new face before the leave, in free time, and the unpaid hours are counted; more than can be is said', async () => {
  const offered = await offer();
  expect(offered.people[kai]?.name).toBe('Kai Face');
  const before = await calendar();
  const once = await plan(offered, 1);
  expect([once.meetings.length, once.minutes, once.unmet, once.proven]).toEqual([1, 60, [], true]);
  const twice = await plan(offered, 2);
  expect(twice.meetings.map(({ date, start, end, with: who }) => [date, start, end, who])).toEqual([
    [BEFORE[0], 660, 720, 'Ana Leaves'],
    [BEFORE[1], expect.any(Number), expect.any(Number), 'Ana Leaves'],
  ]);
  const thrice = await plan(offered, 3);
  expect(thrice.unmet).toEqual([{ child_name: 'Bo Stays', therapist_name: 'Kai Face', times: 1 }]);
  expect(await calendar()).toEqual(before);
});

test('[WKS-03] the meetings are booked with the replacement, once, and undone with it', async () => {
  const offered = await offer();
  const before = await calendar();
  const meetings = joinsOf(await plan(offered, 2));
  const body = { proposal: offered.proposal, choice: choiceOf(offered), meetings };
  const done = await post('/standing/commit', body);
  expect(done.statusCode, done.body).toBe(200);
  const { commit, sessions, meetings: booked } = done.json<StandingCommit>();
  expect([sessions, booked]).toEqual([2, 2]);
  const after = await calendar();
  const met = after.filter(({ service }) => service === 'admin');
  expect(met.map((row) => [row.subject, row.therapist_id, row.client_id])).toEqual([
    ['Meets Bo Stays', kai, null],
    ['Meets Bo Stays', kai, null],
  ]);
  // The child's sessions before the leave stay as they are.
  const bos = after.filter(({ client_id }) => client_id === bo).map(({ therapist_id }) => therapist_id);
  expect(bos).toEqual([ana, ana, kai, kai]);
  expect((await post('/standing/commit', body)).json()).toEqual(done.json());
  expect(await calendar()).toEqual(after);
  const calls = await app.staff.call({ url: `/api/calls?location=altamonte&date=${BEFORE[0]}` });
  expect(calls.json<CallsReply>().open).toBe(true);
  expect((await post(`/commits/${commit}/undo`, {})).statusCode).toBe(200);
  expect(await calendar()).toEqual(before);
});

test('[WKS-03] meetings that were not planned, or no longer fit, are refused by name, and nothing is written', async () => {
  const offered = await offer();
  const [first, second] = joinsOf(await plan(offered, 2));
  if (!first || !second) throw new Error('no meetings');
  const submit = (meetings: object[]) =>
    post('/standing/commit', { proposal: offered.proposal, choice: choiceOf(offered), meetings });
  const before = await calendar();
  const wrong: [string, object[]][] = [
    ['outside the session', [{ ...first, start: 720, end: 780 }]],
    ['in Kai’s own session', [{ ...first, start: 600, end: 660 }]],
    ['with somebody who takes nothing', [{ ...first, therapist: ana }]],
    ['twice at once', [second, second]],
    ['on a date of the leave', [{ ...first, date: '2026-12-07' }]],
    ['of no length', [{ ...first, end: first.start }]],
    ['with an unknown child', [{ ...first, child: 'C-0' }]],
  ];
  for (const [what, meetings] of wrong) {
    const refused = await submit(meetings);
    expect(refused.statusCode, what).toBe(409);
    expect(refused.body, what).toContain('can no longer join');
    expect(await calendar(), what).toEqual(before);
  }
  const zoe = await buildClient(app.db, { first: 'Zoe', last: 'New' });
  const { date } = second;
  await buildAppointment(app.db, { therapist: kai, client: zoe, date, start: '09:00', end: '13:00' });
  const late = await submit([second]);
  expect([late.statusCode, late.body]).toEqual([409, expect.stringContaining('Kai Face can no longer join Bo Stays')]);
});

test('given a leave that begins tomorrow, nobody can meet anybody before it, and that is said', async () => {
  const offered = await offer('2026-11-20');
  const reply = await plan(offered, 1);
  expect(reply.meetings).toEqual([]);
  expect(reply.unmet.map(({ therapist_name: name }) => name)).toContain('Kai Face');
});
