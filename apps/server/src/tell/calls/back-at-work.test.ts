import { afterAll, beforeEach, expect, test } from 'vitest';
import { buildAppointment } from '../../testing/builders.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { commitEveryone, propose, saveAbsences, solveDay, submit, submitBody, undo } from '../../testing/calls.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

let t: SmallApp;
let now: number;
/** Sets the clinic's clock to a time on the small clinic's day. */
const at = (time: string): void => {
  now = Date.parse(`${DATE}T${time}:00-05:00`);
};
beforeEach(async () => {
  at('07:00');
  t = await openSmallClinic(t?.app, { deps: { clock: { now: () => now } } });
});
afterAll(() => t.app.close());

const { list, answered, covered } = new CallList(() => t.who);
const absences = (act: 'withdraw' | 'restore', payload: object) =>
  t.who.call({ method: 'POST', url: `/api/absences/${act}`, payload: { ...ON, ...payload } });
const ANA = { type: 'therapist', name: 'Ana Ruiz' };
async function backAtWork(who: object = ANA): Promise<void> {
  const reply = await absences('withdraw', { ...who, take_back: true });
  expect(reply.statusCode, reply.body).toBe(200);
}
/** What each person's line waits for. */
const waiting = async (): Promise<Record<string, readonly string[]>> =>
  Object.fromEntries((await list()).lines.map(({ name, waits_for }) => [name, waits_for]));
const allWaits = async () => Object.values(await waiting()).flat();
const IS_BACK = ['Ana Ruiz is back'];

test('given a therapist who is back, then everyone who would be called about their session waits for the next plan', async () => {
  await covered();
  await answered('Kai Wood', 'told');
  await answered('Bo Lee', 'told');
  await backAtWork();
  expect(await waiting()).toEqual({ 'Ana Ruiz': IS_BACK, 'Bo Lee': IS_BACK, 'Kai Wood': IS_BACK });
  const { commit } = await commitEveryone(t.who, await solveDay(t.who, { keep: 'nothing' }));
  expect(await allWaits()).toEqual([]);
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  expect((await waiting())['Bo Lee']).toEqual(IS_BACK);
});

test('given a plan after the therapist came back that leaves the session without one, then nothing waits, until that plan is undone', async () => {
  await covered();
  await backAtWork();
  const proposal = await propose(t.who, { client: 'Mo Diaz' });
  expect((await waiting())['Bo Lee']).toEqual(IS_BACK);
  const commit = await submit(t.who, submitBody(proposal, { [DATE]: { 'Mo Diaz': 'Option 1' } }));
  expect(commit.statusCode, commit.body).toBe(200);
  const lines = await waiting();
  expect([lines['Bo Lee'], lines['Ana Ruiz']]).toEqual([[], []]);
  expect((await undo(t.who, commit.json<{ commit: string }>().commit)).statusCode).toBe(200);
  expect((await waiting())['Bo Lee']).toEqual(IS_BACK);
});

test('given a therapist who is back and then away again, then no line says that they are back', async () => {
  await covered();
  await backAtWork();
  await propose(t.who, { therapist: 'Ana Ruiz' });
  expect(await allWaits()).toEqual([]);
});

const saved = (begin: string, end: string) =>
  saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: DATE, begin, end, replaces: true }], 'altamonte', {
    take_back: true,
  });
/** Commits a plan that leaves Bo without a therapist, because everyone else is away too. */
async function leftOpen(): Promise<void> {
  const all = ['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean'].map((therapist) => ({ therapist }));
  await commitEveryone(t.who, await propose(t.who, ...all));
  expect(await allWaits()).toEqual([]);
}

test('given a session that the plan left without a therapist, when its therapist is back for a part of it, then its lines wait too', async () => {
  await leftOpen();
  // The absence is shorter, but not in the time of the session.
  expect((await saved('00:00', '13:00')).statusCode).toBe(200);
  expect(await allWaits()).toEqual([]);
  expect((await saved('00:00', '10:00')).statusCode).toBe(200);
  const lines = await waiting();
  expect([lines['Bo Lee'], lines['Mo Diaz']]).toEqual([IS_BACK, []]);
});

test('given an absence that was shortened only in the past, then no line says that its therapist is back', async () => {
  await leftOpen();
  at('09:45');
  expect((await saved('09:30', '24:00')).statusCode).toBe(200);
  expect((await waiting())['Bo Lee']).toEqual([]);
  expect((await saved('09:30', '11:00')).statusCode).toBe(200);
  expect((await waiting())['Bo Lee']).toEqual(IS_BACK);
});

test('given a withdrawal that was undone, or a child who is back, then the lines say so as it is now', async () => {
  await covered();
  await answered('Bo Lee', 'told');
  await backAtWork();
  expect((await absences('restore', ANA)).statusCode).toBe(200);
  expect(await allWaits()).toEqual([]);
  const child = await propose(t.who, { client: 'Mo Diaz', date: DATE });
  await commitEveryone(t.who, child);
  await backAtWork({ type: 'client', name: 'Mo Diaz' });
  const lines = await waiting();
  expect([lines['Mo Diaz'], lines['Lin Park']]).toEqual([['Mo Diaz is back'], ['Mo Diaz is back']]);
});

test('given an absence that was a mistake and changed no session, when a session is taken off its therapist by hand, then its lines wait for nothing', async () => {
  await propose(t.who, { client: 'Mo Diaz' });
  await backAtWork({ type: 'client', name: 'Mo Diaz' });
  const people = { ...ON, client: 'Mo Diaz', therapist: 'Unassigned', subject: 'Direct Therapy' };
  const payload = { ...people, start: '13:00', end: '16:00' };
  const reply = await t.who.call({ method: 'PUT', url: `/api/appointments/${t.clinic.moAfternoon}`, payload });
  expect(reply.statusCode, reply.body).toBe(200);
  expect(await waiting()).toEqual({ 'Lin Park': [], 'Mo Diaz': [] });
});

test('given a plan that is undone while its therapist is still away, then the line of the therapist who had the session waits as the family’s does', async () => {
  const commit = await covered();
  await answered('Kai Wood', 'told');
  await answered('Bo Lee', 'told');
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  const away = ['Ana Ruiz is away'];
  expect(await waiting()).toEqual({ 'Bo Lee': away, 'Kai Wood': away });
  await commitEveryone(t.who, await solveDay(t.who, { keep: 'nothing' }));
  expect(await allWaits()).toEqual([]);
});

/** Commits a plan in which Kai covers Bo, whom no one else may take, and Lin takes Mo from Kai; returns the commit's id. */
async function swapped(): Promise<string> {
  const { kai, lin, max, bo, mo: client } = t.clinic;
  for (const excludes_therapist_id of [lin, max])
    await t.db.insertInto('client_restriction').values({ client_id: bo, excludes_therapist_id }).execute();
  const times = { start: '08:30', end: '11:30' };
  await buildAppointment(t.db, { therapist: kai, client, date: DATE, ...times });
  for (const date of ['2030-11-08', '2030-11-15'])
    await buildAppointment(t.db, { therapist: lin, client, date, ...times, status: 'fulfilled' });
  return covered();
}

test('given a plan with a swap that is undone while its therapist is still away, then the lines of the swapped session wait too, until the next plan', async () => {
  const commit = await swapped();
  const names = (await list()).lines.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['Bo Lee', 'Mo Diaz', 'Kai Wood']));
  for (const name of names) await answered(name, 'told');
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  const undone = 'The last changes were undone';
  const lines = await waiting();
  expect(lines).toMatchObject({ 'Bo Lee': ['Ana Ruiz is away'], 'Mo Diaz': [undone] });
  expect(lines['Kai Wood']).toEqual(['Ana Ruiz is away', undone]);
  // Whoever had Mo in the plan.
  expect(Object.values(lines).filter(([first]) => first === undone)).toHaveLength(2);
  expect(Object.keys(lines).toSorted()).toEqual(names.toSorted());
  // The next plan keeps what everyone was told.
  await commitEveryone(t.who, await solveDay(t.who));
  expect(await waiting()).toEqual({});
});

test('given an undone plan whose therapist is not away any more, then the swapped session waits for nothing', async () => {
  const commit = await swapped();
  for (const { name } of (await list()).lines) await answered(name, 'told');
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  await backAtWork();
  expect(await allWaits()).toEqual([]);
});

test('given a session that a plan gave to someone else after a no, when that therapist says no too, then only the line of those who may still get it waits', async () => {
  await covered();
  await answered('Kai Wood', 'told');
  await answered('Bo Lee', 'told');
  // Kai cannot after all: another therapist takes the session.
  await saveAbsences(t.who, [{ therapist: 'Kai Wood', date: DATE, begin: '08:00', end: '09:00' }]);
  await commitEveryone(t.who, await solveDay(t.who, { keep: 'nothing' }));
  const next = (await list()).lines.find(({ kind, sessions }) => kind === 'therapist' && sessions.length > 0);
  expect(
    (await saveAbsences(t.who, [{ therapist: 'Kai Wood', date: DATE, begin: '00:00', end: '00:15' }])).statusCode,
  ).toBe(200);
  await answered(next?.name ?? '', 'said-no', { no: { scope: 'session' } });
  const lines = await waiting();
  expect([lines['Kai Wood'], lines[next?.name ?? '']]).toEqual([
    [expect.stringMatching(new RegExp(`^${next?.name} said no at`))],
    [],
  ]);
});
