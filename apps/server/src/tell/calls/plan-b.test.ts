import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { LinePlanB } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { Solve } from '../../plan/options/solve-days.ts';
import { openSolver } from '../../plan/options/solver.ts';
import { wallNow } from '../../platform/wall-clock.ts';
import { commitEveryone, propose, saveAbsences, slotsOf, takersOf } from '../../testing/calls.ts';
import { buildAppointment, buildAuthorization, buildClient, buildTherapist } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import type { Db } from '../../db/connection.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { plansB } from './plan-b.service.ts';

let app: TestApp | undefined;
let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
beforeEach(async () => {
  ({ app, db, who, clinic } = await openSmallClinic(app));
});
afterAll(() => app?.close());

const { lineOf, answered, covered, post } = new CallList(() => who);
async function plans(): Promise<LinePlanB[]> {
  const reply = await who.call({ url: '/api/calls/plan-b', query: ON });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<{ plans: LinePlanB[] }>().plans;
}
test("each line that asks a question has a plan B, in words, for the line's current version", async () => {
  await covered();
  const { version } = await lineOf('Kai Wood');
  expect(await plans()).toEqual([
    { kind: 'therapist', id: clinic.kai, version, found: true, words: 'else Lin Park, knows Bo' },
  ]);
});

test('plan B is the plan that would be made if the person said no, with everything else unchanged', async () => {
  await covered();
  const [plan] = await plans();
  await answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  const proposal = await propose(who, { therapist: 'Ana Ruiz' });
  expect(plan?.words).toBe(`else ${takersOf(proposal, DATE)[0]}, knows Bo`);
  expect((await slotsOf(who, DATE)).appointments.find((a) => a['Client Name'] === 'Mo Diaz')?.needs_cover).toBe(false);
});

test('given no other therapist, then plan B says that there is none and why, and is updated when the day changes', async () => {
  await covered();
  await saveAbsences(who, [
    { therapist: 'Lin Park', date: DATE },
    { therapist: 'Max Dean', date: DATE },
  ]);
  const [plan] = await plans();
  expect([plan?.found, plan?.words]).toEqual([false, 'no plan B: 3 are away']);
  expect((await plans())[0]).toEqual(plan);
  await buildTherapist(db, { first: 'Kai', last: 'Morgan', windows: [[5, '08:00', '17:00']] });
  await saveAbsences(who, [{ therapist: 'Max Dean', date: DATE, begin: '08:00', end: '12:00' }]);
  expect((await plans())[0]?.words).toBe('else Kai Morgan, new to Bo');
});

test('given several sessions, then plan B says who would come, and which children would have no one', async () => {
  const zoe = await buildClient(db, { first: 'Zoe', last: 'Hall' });
  for (const [client, start, end] of [
    [clinic.ida, '13:00', '14:00'],
    [zoe, '14:00', '15:00'],
  ] as const)
    await buildAppointment(db, { therapist: clinic.ana, client, date: DATE, start, end });
  await saveAbsences(who, [{ therapist: 'Max Dean', date: DATE }]);
  await covered();
  expect((await plans()).map(({ words }) => words)).toEqual(['else Lin Park, knows Bo; no one for Ida and Zoe']);
});

test('given two sessions of one child, then plan B names the same therapist once, and different therapists with their times', async () => {
  const more = { therapist: clinic.ana, client: clinic.bo, date: DATE };
  await buildAppointment(db, { ...more, start: '12:00', end: '12:30' });
  await saveAbsences(who, [{ therapist: 'Max Dean', date: DATE }]);
  await covered();
  expect((await plans()).map(({ words }) => words)).toEqual(['else Lin Park, knows Bo']);
  await saveAbsences(who, [{ therapist: 'Max Dean', date: DATE, begin: '00:00', end: '12:00' }]);
  await saveAbsences(who, [{ therapist: 'Lin Park', date: DATE, begin: '12:00', end: '12:30' }]);
  expect((await plans()).map(({ words }) => words)).toEqual([
    'else Lin Park 8:30 to 11:30, knows Bo; Max Dean 12:00 to 12:30, new to Bo',
  ]);
  await saveAbsences(who, [{ therapist: 'Max Dean', date: DATE }]);
  expect((await plans()).map(({ words }) => words)).toEqual(['else Lin Park, knows Bo; no one for Bo 12:00 to 12:30']);
});

test("plan B leaves other people's sessions as they are, even if a swap would help", async () => {
  await covered();
  // Lin has a session with Zoe at that time, and no one else knows Zoe: if Lin covered Bo, Zoe would have no one.
  await saveAbsences(who, [{ therapist: 'Max Dean', date: DATE }]);
  const zoe = await buildClient(db, { first: 'Zoe', last: 'Hall' });
  await buildAppointment(db, { therapist: clinic.lin, client: zoe, date: DATE, start: '08:30', end: '11:30' });
  await saveAbsences(who, [{ therapist: 'Max Dean', date: DATE, begin: '08:00', end: '16:00' }]);
  expect((await plans())[0]?.words).toBe('no plan B: 2 are away, 1 is with their own client');
});

test('a call list without questions has no plan B, and an account at another location may not see plan B', async () => {
  expect(await plans()).toEqual([]);
  const far = await app?.signIn({ locations: ['tampa'] });
  expect((await far?.call({ url: '/api/calls/plan-b', query: ON }))?.statusCode).toBe(403);
});

const planOf = async (name: string): Promise<string | undefined> => {
  const { id } = await lineOf(name);
  return (await plans()).find((plan) => plan.id === id)?.words;
};
const EIGHT_TO_FIVE = { windows: [[5, '08:00', '17:00']] } satisfies Parameters<typeof buildTherapist>[1];
const MORNING = { date: DATE, start: '08:30', end: '11:30' } as const;
const AFTERNOON = { start: '13:00', end: '16:00' } as const;

/** Kai is asked for Bo and refused, so that Lin is asked, and Sam is asked for Ida, whom Kai knows, at the same time. */
async function twoAsks(refuse: () => Promise<unknown>): Promise<void> {
  const eva = await buildTherapist(db, { first: 'Eva', last: 'Hall', ...EIGHT_TO_FIVE });
  const sam = await buildTherapist(db, { first: 'Sam', last: 'Roe', ...EIGHT_TO_FIVE });
  await buildAppointment(db, { ...MORNING, therapist: eva, client: clinic.ida });
  for (const date of ['2030-11-01', '2030-11-08', '2030-11-15', '2030-10-25'])
    await buildAppointment(db, { ...MORNING, date, therapist: sam, client: clinic.ida, status: 'fulfilled' });
  const met = { ...MORNING, date: '2030-11-18', therapist: clinic.kai, client: clinic.ida };
  await buildAppointment(db, { ...met, status: 'fulfilled' });
  const away = [{ therapist: 'Ana Ruiz' }, { therapist: 'Eva Hall' }, { therapist: 'Max Dean' }] as const;
  await commitEveryone(who, await propose(who, ...away));
  await refuse();
  await commitEveryone(who, await propose(who, ...away));
  expect(await lineOf('Lin Park')).toMatchObject({ call: 'ask' });
}

test('given a no to one session, then they are plan B at that time only if no one else can come, and the line says so', async () => {
  await twoAsks(() => answered('Kai Wood', 'said-no', { no: { scope: 'session' } }));
  expect(await planOf('Sam Roe')).toBe('else Kai Wood, knows Ida (Kai Wood said no to another session at that time)');
  for (const last of ['Bell', 'Cole']) await buildTherapist(db, { first: 'Joy', last, ...EIGHT_TO_FIVE });
  expect(await planOf('Sam Roe')).toMatch(/^else Joy (Bell|Cole), new to Ida$/);
});

test('given a no to one session instead of admin time, then they are plan B at that time only with the remark, too', async () => {
  await twoAsks(() => answered('Kai Wood', 'said-no', { no: { scope: 'session' } }));
  await buildAppointment(db, { ...MORNING, therapist: clinic.kai, client: null, service: 'admin' });
  expect(await planOf('Sam Roe')).toBe('else Kai Wood, knows Ida (Kai Wood said no to another session at that time)');
});

test('given a plan B who would already come, and one who said no to another session then, then the one who said no is named', async () => {
  const joy = await buildTherapist(db, { first: 'Joy', last: 'Bell', ...EIGHT_TO_FIVE });
  await twoAsks(() => answered('Kai Wood', 'said-no', { no: { scope: 'session' } }));
  for (const date of ['2030-11-15', '2030-11-08', '2030-11-01', '2030-10-25'])
    await buildAppointment(db, { ...AFTERNOON, date, therapist: joy, client: clinic.ida, status: 'fulfilled' });
  expect(await planOf('Lin Park')).toBe('else Joy Bell, new to Bo');
  expect(await planOf('Sam Roe')).toBe('else Kai Wood, knows Ida (Kai Wood said no to another session at that time)');
});

test("given a family's no to a therapist, then that therapist is plan B for another child without a remark", async () => {
  await twoAsks(() => answered('Bo Lee', 'said-no', { no: { scope: 'but', therapist: clinic.kai } }));
  expect(await planOf('Sam Roe')).toBe('else Kai Wood, knows Ida');
});

test('given a rule of a payer, then plan B keeps it from the moment at which it is set', async () => {
  const admin = await app?.signIn({ role: 'admin' });
  await buildAuthorization(db, clinic.bo, { from: '2030-01-01', until: '2030-12-31', units: 10_000 });
  await covered();
  expect(await planOf('Kai Wood')).toBe('else Lin Park, knows Bo');
  await admin?.call({ method: 'PUT', url: '/api/payers', payload: { name: 'Acme', credential: 'BCBA', tag: null } });
  expect(await planOf('Kai Wood')).toBe('else no one for Bo 8:30 to 9:00, then Max Dean 9:00 to 11:30, new to Bo');
});

test('given hours booked on another date, then plan B asks nobody beyond what they may work', async () => {
  await covered();
  expect(await planOf('Kai Wood')).toBe('else Lin Park, knows Bo');
  await db
    .updateTable('therapist')
    .set({ week_minutes: 6 * 60 })
    .where('id', '=', clinic.lin)
    .execute();
  await buildAppointment(db, { ...MORNING, therapist: clinic.lin, client: clinic.ida, date: '2030-11-20' });
  expect(await planOf('Kai Wood')).toBe('else no one for Bo 8:30 to 9:00, then Max Dean 9:00 to 11:30, new to Bo');
});

test('given a yes that is taken back, then plan B is about everything that is asked again', async () => {
  await covered();
  await answered('Kai Wood', 'told');
  await buildAppointment(db, { ...MORNING, therapist: clinic.ana, client: clinic.ida, start: '13:00', end: '14:00' });
  await commitEveryone(who, await propose(who, { therapist: 'Ana Ruiz' }));
  expect(await planOf('Kai Wood')).toBe('else Max Dean, new to Ida');
  await answered('Kai Wood', 'not-told');
  expect(await planOf('Kai Wood')).toBe('else Lin Park, knows Bo; Max Dean, new to Ida');
});

test('given someone who was told that they are released, then plan B takes whoever is at work, until that is taken back', async () => {
  const lost: string[] = [];
  for (const last of ['Bell', 'Cole']) {
    const therapist = await buildTherapist(db, { first: 'Joy', last, ...EIGHT_TO_FIVE });
    const client = await buildClient(db, { first: 'Zoe', last });
    await buildAppointment(db, { ...MORNING, therapist, client, start: '08:00', end: '08:15' });
    lost.push(await buildAppointment(db, { ...MORNING, therapist, client, start: '08:15' }));
  }
  await saveAbsences(who, [
    { therapist: 'Lin Park', date: DATE, begin: '00:00', end: '12:00' },
    { therapist: 'Max Dean', date: DATE },
  ]);
  await post('day-sheet', {});
  await db.updateTable('appointment').set({ status: 'cancelled' }).where('id', 'in', lost).execute();
  const { kind, id, version } = await lineOf('Joy Bell');
  await answered('Joy Bell', 'told');
  await covered();
  expect(await planOf('Kai Wood')).toBe('else Joy Cole, new to Bo');
  const back = await post('answer', { kind, id, version, answer: 'not-told' });
  expect(back.statusCode, back.body).toBe(200);
  expect(await planOf('Kai Wood')).toBe('else Joy Bell, new to Bo');
});

test('given a later quarter hour, then plan B leaves out whom it would now call in without notice', async () => {
  let now = Date.parse('2030-11-22T12:05:00Z');
  ({ app, db, who, clinic } = await openSmallClinic(app, { deps: { clock: { now: () => now } } }));
  await saveAbsences(who, [{ therapist: 'Max Dean', date: DATE }]);
  await covered();
  expect(await planOf('Kai Wood')).toBe('else Lin Park, knows Bo');
  now = Date.parse('2030-11-22T12:35:00Z');
  expect(await planOf('Kai Wood')).not.toBe('else Lin Park, knows Bo');
});

test('given a request that is given up, then another that waits for the same plan B begins it again', async () => {
  await covered();
  const solver = openSolver({ seconds: 60, workers: 1 });
  const wall = (location: Location) => wallNow({ now: Date.now }, location);
  const given = new AbortController();
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ask = (gone: AbortSignal, solve: Solve) => plansB(db, solve, wall, ON, { account: who.accountId, gone });
  const first = ask(given.signal, async (problem, asker) => {
    begin();
    await setTimeout(300); // until the other waits, too
    given.abort();
    return solver.solveOne(problem, asker);
  });
  await begun;
  const other = ask(new AbortController().signal, solver.solveOne);
  const [up, done] = await Promise.allSettled([first, other]);
  await solver.close();
  expect(up).toMatchObject({ status: 'rejected', reason: { code: 'hung-up' } });
  expect(done).toMatchObject({ status: 'fulfilled', value: [{ words: 'else Lin Park, knows Bo' }] });
});
