import { afterAll, beforeEach, expect, test } from 'vitest';
import type { LinePlanB } from '@clinic/contract';
import { propose, saveAbsences, slotsOf, takersOf } from '../../testing/calls.ts';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic } from '../../testing/small-app.ts';
import { DATE, type SmallClinic } from '../../testing/small-clinic.ts';
import type { Db } from '../../db/connection.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';

let app: TestApp | undefined;
let db: Db;
let who: SignedIn;
let clinic: SmallClinic;
beforeEach(async () => {
  ({ app, db, who, clinic } = await openSmallClinic(app));
});
afterAll(() => app?.close());

const { lineOf, answered, covered } = new CallList(() => who);
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
