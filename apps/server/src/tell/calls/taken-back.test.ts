import { afterAll, beforeEach, expect, test } from 'vitest';
import type { CallsReply, OwnWeek } from '@clinic/contract';
import { buildAppointment } from '../../testing/builders.ts';
import { slotsOf, solveDay } from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

/** Tests that taking something back restores what stood before. */

let t: SmallApp;
let now: number;
beforeEach(async () => {
  now = Date.parse(`${DATE}T12:00:00Z`);
  t = await openSmallClinic(t?.app, { deps: { clock: { now: () => now } } });
});
afterAll(() => t.app.close());

const { list, lineOf, answered, post, covered } = new CallList(() => t.who);
const openOn = async (): Promise<string[]> =>
  (await slotsOf(t.who, DATE)).appointments.filter((a) => a.needs_cover).map((a) => a['Client Name']);
const notTold = (id: string) => post('answer', { kind: 'therapist', id, version: '', answer: 'not-told' });
const takeBack = async (): Promise<CallsReply> => {
  const reply = await post('said-no/take-back', { id: (await list()).declined[0]?.id });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<CallsReply>();
};

test('given a yes recorded by mistake after a no, when it is taken back, then the no stands again, with its reason, in every plan', async () => {
  await covered();
  const before = await answered('Kai Wood', 'said-no', { no: { scope: 'session' }, note: 'at the dentist' });
  await answered('Kai Wood', 'told');
  expect([(await list()).declined, await openOn()]).toEqual([[], []]);
  expect((await notTold(t.clinic.kai)).statusCode).toBe(200);
  const after = await list();
  expect(after.declined).toEqual(before.declined);
  expect(after.lines).toEqual(before.lines);
  expect(await openOn()).toEqual(['Bo Lee']);
  const options = Object.values((await solveDay(t.who)).data[DATE]?.['Bo Lee'] ?? {});
  expect(options.flatMap((slots) => Object.values(slots).map((cell) => cell.therapist))).not.toContain('Kai Wood');
});

test('given a no that was taken back before a yes, when the yes is taken back, then the no stays taken back', async () => {
  await covered();
  await answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  await takeBack();
  await answered('Kai Wood', 'told');
  expect((await notTold(t.clinic.kai)).statusCode).toBe(200);
  expect([(await list()).declined, await openOn()]).toEqual([[], []]);
});

test('given a no to more sessions since a yes, when both are taken back, then the no that the yes ended still stands', async () => {
  const { kai: therapist, mo: client, bo } = t.clinic;
  await covered();
  const first = await answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  await answered('Kai Wood', 'told');
  // Bo's session is moved, so Kai is asked about it again, and about Mo.
  await t.db
    .updateTable('appointment')
    .set({ starts: `${DATE} 13:00`, ends: `${DATE} 15:00` })
    .where('therapist_id', '=', therapist)
    .where('client_id', '=', bo)
    .where('starts', '=', `${DATE} 08:30`)
    .execute();
  await buildAppointment(t.db, { therapist, client, date: DATE, start: '08:30', end: '09:30' });
  await answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  expect((await notTold(therapist)).statusCode).toBe(200);
  expect(await takeBack()).toMatchObject({ declined: first.declined });
});

test('given a no that is taken back, then the therapist can be asked as before: their line is urgent, and their own page has the question', async () => {
  const kai = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.kai, locations: ['altamonte'] });
  const own = async () => (await kai.call({ url: '/api/me' })).json<OwnWeek>().changes[0];
  await covered();
  now = Date.parse(`${DATE}T13:10:00Z`);
  expect(await lineOf('Kai Wood')).toMatchObject({ urgent: true });
  const version = (await own())?.version;
  const cannot = { ...ON, version, answer: 'cannot', reason: 'no car' };
  expect((await kai.call({ method: 'POST', url: '/api/me/answer', payload: cannot })).statusCode).toBe(204);
  expect(await own()).toMatchObject({ said_no: true });
  expect(await lineOf('Kai Wood')).toMatchObject({ urgent: false, answers: [{ taken_back: false }] });
  await takeBack();
  expect(await own()).toMatchObject({ said_no: false });
  expect(await lineOf('Kai Wood')).toMatchObject({
    urgent: true,
    answers: [{ answer: 'said-no', note: 'no car', taken_back: true }],
  });
});

test('given a no until a time, when the therapist is recorded as back at work, then they can be asked as before; undoing that restores the no', async () => {
  const kai = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.kai, locations: ['altamonte'] });
  const own = async () => (await kai.call({ url: '/api/me' })).json<OwnWeek>().changes[0];
  await covered();
  const before = await lineOf('Kai Wood');
  await answered('Kai Wood', 'said-no', { no: { scope: 'until', until: '10:00' } });
  const person = { ...ON, type: 'therapist', name: 'Kai Wood', take_back: true };
  const absences = (act: string) => t.who.call({ method: 'POST', url: `/api/absences/${act}`, payload: person });
  expect((await absences('withdraw')).statusCode).toBe(200);
  now = Date.parse(`${DATE}T13:10:00Z`);
  expect(await lineOf('Kai Wood')).toMatchObject({
    version: before.version,
    urgent: true,
    answers: [{ taken_back: true }],
  });
  expect([(await list()).declined, (await own())?.said_no]).toEqual([[], false]);
  expect((await absences('restore')).statusCode).toBe(200);
  expect((await list()).declined).toMatchObject([{ therapist: 'Kai Wood' }]);
});

test('given a no to nothing in particular, or one that repeats another, then it is taken back only with the no that it repeats', async () => {
  const dana = await t.app.signIn({ name: 'Dana West' });
  const sayNo = async (no: object | undefined, by = t.who): Promise<void> => {
    const { kind, id, version } = await lineOf('Kai Wood');
    const reply = await post('answer', { kind, id, version, answer: 'said-no', ...(no && { no }) }, by);
    expect(reply.statusCode, reply.body).toBe(200);
  };
  const takenBackOf = async () => (await lineOf('Kai Wood')).answers.map((each) => each.taken_back);
  await covered();
  await sayNo({ scope: 'today' });
  await sayNo({ scope: 'session' });
  // This stores nothing, since the same no stands.
  await sayNo({ scope: 'session' }, dana);
  await sayNo(undefined);
  expect(await takenBackOf()).toEqual([false, false, false, false]);
  // The newest no is listed first: that to the session.
  await takeBack();
  expect(await takenBackOf()).toEqual([false, true, true, false]);
  await takeBack();
  expect(await takenBackOf()).toEqual([true, true, true, false]);
});
