/** A standing replacement among other acts: closures, a stand-in who leaves the clinic, races, and people who were told. */
import { beforeEach, expect, test } from 'vitest';
import type { CallsReply, LeaveOutcome, StandingCommit, StandingReply } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { useApp } from '../../testing/use-app.ts';
import { halfWritten, overlappingPairs } from '../../reliability/testing/state-checks.ts';

const app = useApp(fridayCoverApp);
const DATES = ['2026-12-08', '2026-12-15', '2026-12-22'] as const;
const RANGE = { from: isoDate('2026-12-07'), until: isoDate('2026-12-31') };

const send = (url: string, body: object) =>
  app.staff.call({ method: 'POST', url: `/api${url}`, payload: { location: 'altamonte', ...body } });
async function post<T>(url: string, body: object): Promise<T> {
  const reply = await send(url, body);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<T>();
}
const choiceOf = ({ children }: StandingReply) => Object.fromEntries(children.map(({ id }) => [id, 'Option 1']));
const rows = (client: string) =>
  app.db
    .selectFrom('appointment')
    .select(['therapist_id', 'status', 'starts', 'ends', 'commit_id'])
    .where('client_id', '=', client)
    .where('starts', '>=', '2026-12-01 00:00:00')
    .orderBy('starts')
    .execute();
const holders = async (client: string) =>
  (await rows(client)).map(({ therapist_id, status }) => (status === 'cancelled' ? 'cancelled' : therapist_id));
const close = (date: string) => ({
  locations: ['altamonte'],
  from_date: date,
  from_time: '00:00',
  to_date: date,
  to_time: '24:00',
  name: 'Burst pipe',
  cause: null,
});

let people = 0;
let [ana, kai, mia, bo] = ['', '', '', ''];
let names = { ana: '', kai: '', mia: '', bo: '' };
/** Ana has Bo on three Tuesdays and is away; Kai is on Bo's team, Mia knows Bo. */
beforeEach(async () => {
  const last = `Number${String.fromCharCode(65 + people++)}`;
  names = { ana: `Ana ${last}`, kai: `Kai ${last}`, mia: `Mia ${last}`, bo: `Bo ${last}` };
  // Everyone of an earlier test is gone, so that only these can stand in.
  await app.db.updateTable('therapist').set({ end_date: '2026-11-19' }).execute();
  ana = await buildTherapist(app.db, { first: 'Ana', last });
  kai = await buildTherapist(app.db, { first: 'Kai', last });
  mia = await buildTherapist(app.db, { first: 'Mia', last });
  bo = await buildClient(app.db, { first: 'Bo', last });
  const at = (therapist: string, date: string) =>
    buildAppointment(app.db, { therapist, client: bo, date, start: '10:00', end: '12:00' });
  for (const date of DATES) await at(ana, date);
  for (const date of ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-16']) await at(kai, date);
  for (const date of ['2026-11-17', '2026-11-18']) await at(mia, date);
});

const leave = () =>
  post<LeaveOutcome>('/leave', {
    type: 'therapist',
    name: names.ana,
    first_date: RANGE.from,
    last_date: RANGE.until,
    weekdays: [1, 2, 3, 4, 5],
    begin: '00:00',
    end: '23:59',
  });
const offer = (therapist: string, more: object = {}) =>
  post<StandingReply>('/standing', { ...RANGE, therapist, ...more });
async function replaced(): Promise<StandingCommit> {
  const reply = await offer(ana);
  const done = await post<StandingCommit>('/standing/commit', { proposal: reply.proposal, choice: choiceOf(reply) });
  expect(await holders(bo)).toEqual([kai, kai, kai]);
  return done;
}

test('given a site that closes in the middle of a leave, then its date is nobody’s to take, and reopening gives it back to the stand-in', async () => {
  await leave();
  await replaced();
  const closed = await post<{ closures: string[] }>('/closures', close(DATES[1]));
  expect(await holders(bo)).toEqual([kai, 'cancelled', kai]);
  // A new look at the leave of the stand-in leaves the closed date out.
  const again = await offer(kai);
  expect(again.children.flatMap(({ series }) => series.flatMap(({ dates }) => dates))).toEqual([DATES[0], DATES[2]]);
  const opened = await post(`/closures/${closed.closures[0] ?? ''}/reopen`, {});
  expect(opened).toMatchObject({ back: 1, stays: [] });
  expect(await holders(bo)).toEqual([kai, kai, kai]);
  expect([await overlappingPairs(app.db), await halfWritten(app.db)]).toEqual([0, []]);
});

test('given a site that was closed before the leave and opens again in it, then the date needs cover like the others', async () => {
  const closed = await post<{ closures: string[] }>('/closures', close(DATES[1]));
  await leave();
  const reply = await offer(ana);
  expect(reply.children.flatMap(({ series }) => series.flatMap(({ dates }) => dates))).toEqual([DATES[0], DATES[2]]);
  await post(`/closures/${closed.closures[0] ?? ''}/reopen`, {});
  const open = await offer(ana);
  expect(open.children.flatMap(({ series }) => series.flatMap(({ dates }) => dates))).toEqual([...DATES]);
});

test('given a closure since, then a replacement is not undone, nothing changes, and the refusal says what has changed', async () => {
  await leave();
  const { commit } = await replaced();
  await post<{ closures: string[] }>('/closures', close(DATES[2]));
  const before = await rows(bo);
  const undone = await send(`/commits/${commit}/undo`, {});
  expect(undone.statusCode, undone.body).toBe(409);
  expect(undone.body).toContain(names.bo);
  expect(await rows(bo)).toEqual(before);
});

test('given a family that was told, then the undo puts them back onto the call list', async () => {
  await leave();
  const { commit } = await replaced();
  const list = async () =>
    (await app.staff.call({ url: `/api/calls?location=altamonte&date=${DATES[0]}` })).json<CallsReply>().lines;
  const line = (await list()).find(({ id }) => id === bo);
  expect(line).toBeDefined();
  const { kind, version } = line ?? { kind: '', version: '' };
  await post('/calls/answer', { date: DATES[0], kind, id: bo, version, answer: 'told', before_yes: true });
  expect((await list()).some(({ id }) => id === bo)).toBe(false);
  await post(`/commits/${commit}/undo`, {});
  expect(await holders(bo)).toEqual([ana, ana, ana]);
  expect((await list()).some(({ id }) => id === bo)).toBe(true);
});

test('given a stand-in who leaves the clinic, then what they stood in for is handed over too, with the rest of their caseload', async () => {
  await leave();
  await replaced();
  await app.db.updateTable('therapist').set({ end_date: DATES[0] }).where('id', '=', kai).execute();
  const reply = await post<StandingReply>('/standing', { therapist: kai, from: '2026-12-09' });
  expect(reply.for_good).toBe(true);
  expect(reply.children.flatMap(({ series }) => series.flatMap(({ dates }) => dates))).toEqual(DATES.slice(1));
  await post('/standing/commit', { proposal: reply.proposal, choice: choiceOf(reply) });
  expect(await holders(bo)).toEqual([kai, mia, mia]);
});

test('given a closing and a submit at the same moment, then each session is either cancelled or given, and nothing is half written', async () => {
  await leave();
  const reply = await offer(ana);
  const body = { proposal: reply.proposal, choice: choiceOf(reply) };
  const [done, closed] = await Promise.all([send('/standing/commit', body), send('/closures', close(DATES[1]))]);
  expect(closed.statusCode, closed.body).toBe(200);
  expect([200, 409]).toContain(done.statusCode);
  const rest = done.statusCode === 200 ? kai : ana;
  expect(await holders(bo)).toEqual([rest, 'cancelled', rest]);
  expect([await overlappingPairs(app.db), await halfWritten(app.db)]).toEqual([0, []]);
});

test('given two leaves that need the same stand-in, submitted at the same moment, then one is refused by name and nobody is booked twice', async () => {
  const [ivy, zoe] = [
    await buildTherapist(app.db, { first: 'Ivy', last: names.ana.slice(4) }),
    await buildClient(app.db, { first: 'Zoe', last: names.ana.slice(4) }),
  ];
  for (const date of DATES)
    await buildAppointment(app.db, { therapist: ivy, client: zoe, date, start: '10:30', end: '12:30' });
  for (const date of ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-16'])
    await buildAppointment(app.db, { therapist: kai, client: zoe, date, start: '13:00', end: '15:00' });
  const both = [await offer(ana), await offer(ivy)];
  const done = await Promise.all(
    both.map((reply) => send('/standing/commit', { proposal: reply.proposal, choice: choiceOf(reply) })),
  );
  expect(done.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(done.find(({ statusCode }) => statusCode === 409)?.body).toContain(names.kai);
  expect([await overlappingPairs(app.db), await halfWritten(app.db)]).toEqual([0, []]);
});

test('given weeks over a clock change, then the times on the wall stay, and so does who is free', async () => {
  const spring = ['2027-03-09', '2027-03-16', '2027-03-23'];
  for (const date of spring)
    await buildAppointment(app.db, { therapist: ana, client: bo, date, start: '10:00', end: '12:00' });
  const reply = await offer(ana, { from: '2027-03-08', until: '2027-03-26' });
  expect(reply.children.flatMap(({ series }) => series)).toMatchObject([{ start: 600, end: 720, dates: spring }]);
  const runs = Object.values(reply.options[0]?.series ?? {}).flatMap((plan) => plan.runs);
  expect(runs.map(({ therapist, dates }) => [therapist, dates])).toEqual([[kai, spring]]);
});
