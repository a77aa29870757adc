import { afterAll, beforeEach, expect, test } from 'vitest';
import type { OwnChange, OwnWeek } from '@clinic/contract';
import { buildAppointment } from '../../testing/builders.ts';
import { commitEveryone, propose, saveAbsences, solveDay, undo } from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import type { SignedIn } from '../../testing/test-app.ts';

/** Tests that a therapist's own page says what holds and what the next plan decides about. */

let t: SmallApp;
let now: number;
const at = (time: string): void => void (now = Date.parse(`${DATE}T${time}:00-05:00`));
let kai: SignedIn;
let ana: SignedIn;
beforeEach(async () => {
  at('07:00');
  t = await openSmallClinic(t?.app, { deps: { clock: { now: () => now } } });
  const own = (therapistId: string) => t.app.signIn({ role: 'therapist', therapistId, locations: ['altamonte'] });
  [kai, ana] = [await own(t.clinic.kai), await own(t.clinic.ana)];
});
afterAll(() => t.app.close());

const { list, answered, covered } = new CallList(() => t.who);
const week = async (who: SignedIn): Promise<OwnWeek> => {
  const reply = await who.call({ url: '/api/me' });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<OwnWeek>();
};
/** A therapist's day: the times and clients of each session, and whether it is being decided. */
const dayOf = async (who: SignedIn): Promise<string[]> =>
  ((await week(who)).days.find(({ date }) => date === DATE)?.sessions ?? []).map(
    ({ start, end, clients, undecided }) =>
      `${start} to ${end} ${clients.map(({ name }) => name).join()}${undecided ? '?' : ''}`,
  );
const changeOf = async (who: SignedIn): Promise<OwnChange | undefined> => (await week(who)).changes[0];
const answer = (version: string | undefined, what: string, who = kai) =>
  who.call({ method: 'POST', url: '/api/me/answer', payload: { ...ON, version, answer: what } });
const backAtWork = () =>
  t.who.call({
    method: 'POST',
    url: '/api/absences/withdraw',
    payload: { ...ON, type: 'therapist', name: 'Ana Ruiz', take_back: true },
  });
/** Undoes the plan that gave Bo to Kai while Ana is away; Kai is asked about Ida besides. Returns Kai's change. */
async function partlyDecided(): Promise<OwnChange | undefined> {
  const commit = await covered();
  await answered('Kai Wood', 'told');
  const { kai: therapist, ida } = t.clinic;
  await buildAppointment(t.db, { therapist, client: ida, date: DATE, start: '16:00', end: '17:00' });
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  return changeOf(kai);
}
const BO = { start: '08:30', end: '11:30', service: 'direct', clients: ['Bo Lee'] };

test('given a therapist who is back at work, then both therapists see the session as being decided, until the next plan', async () => {
  await covered();
  await answered('Kai Wood', 'told');
  expect(await dayOf(kai)).toEqual(['08:30 to 11:30 Bo Lee']);
  expect((await backAtWork()).statusCode).toBe(200);
  expect([await dayOf(kai), await dayOf(ana)]).toEqual([['08:30 to 11:30 Bo Lee?'], ['08:30 to 11:30 Bo Lee?']]);
  for (const who of [kai, ana]) expect(await changeOf(who)).toMatchObject({ say: [], gone: [], undecided: [BO] });
  await commitEveryone(t.who, await solveDay(t.who));
  expect([...(await dayOf(kai)), ...(await dayOf(ana))]).toEqual(['08:30 to 11:30 Bo Lee']);
});

test('given a therapist who is back and was told that the session is not theirs, then they still see that it is being decided, and no change', async () => {
  await covered();
  expect((await backAtWork()).statusCode).toBe(200);
  await answered('Ana Ruiz', 'told');
  expect([await dayOf(ana), (await week(ana)).changes]).toEqual([['08:30 to 11:30 Bo Lee?'], []]);
});

test('given a therapist who said no or is away, then that time is being decided and the rest holds; what is past stays as it was', async () => {
  await covered();
  await answered('Kai Wood', 'said-no', { no: { scope: 'until', until: '10:00' } });
  expect(await dayOf(kai)).toEqual(['08:30 to 10:00 Bo Lee?', '10:00 to 11:30 Bo Lee']);
  at('09:00');
  expect(await dayOf(kai)).toEqual(['08:30 to 09:00 Bo Lee', '09:00 to 10:00 Bo Lee?', '10:00 to 11:30 Bo Lee']);
  at('07:00');
  await answered('Kai Wood', 'said-no', { no: { scope: 'session' } });
  expect(await dayOf(kai)).toEqual(['08:30 to 11:30 Bo Lee?']);
  expect(
    (await saveAbsences(t.who, [{ client: 'Mo Diaz', date: DATE, begin: '15:00', end: '23:59' }])).statusCode,
  ).toBe(200);
  const lin = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.lin, locations: ['altamonte'] });
  expect(await dayOf(lin)).toEqual(['13:00 to 15:00 Mo Diaz', '15:00 to 16:00 Mo Diaz?']);
});

test('given an undone plan while someone is away, then the therapist answers only what is settled, and hears of the rest after the plan', async () => {
  const commit = await covered();
  await answered('Kai Wood', 'told');
  const { kai: therapist, ida } = t.clinic;
  await buildAppointment(t.db, { therapist, client: ida, date: DATE, start: '16:00', end: '17:00' });
  const before = await changeOf(kai);
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  const change = await changeOf(kai);
  expect(change).toMatchObject({
    undecided: [BO],
    gone: [],
    say: [expect.stringMatching(/Ida Fox from 4:00 to 5:00/)],
  });
  expect(change?.say.join()).not.toContain('Bo Lee');
  expect((await answer(before?.version, 'yes')).statusCode).toBe(409);
  expect((await answer(change?.version, 'yes')).statusCode).toBe(204);
  expect((await answer(change?.version, 'yes')).statusCode).toBe(204);
  expect(await t.db.selectFrom('call_answer').select('answer').where('by_page', '=', true).execute()).toHaveLength(1);
  expect(await changeOf(kai)).toMatchObject({ undecided: [BO], say: [] });
  // Someone else gets the session: Kai was never told that it is gone, so it is told now.
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '00:00', end: '00:15' }]);
  expect(await changeOf(kai)).toMatchObject({ undecided: [], gone: [BO] });
  expect((await list()).lines.map(({ name }) => name)).toContain('Kai Wood');
});

test('given a session of which a part is gone and a part is being decided, then the words do not give the part that is being decided away', async () => {
  const absent = { therapist: 'Ana Ruiz', begin: '09:00' };
  await commitEveryone(t.who, await propose(t.who, { ...absent, end: '10:00' }));
  for (const name of ['Ana Ruiz', 'Bo Lee', 'Kai Wood']) await answered(name, 'told');
  const { commit } = await commitEveryone(t.who, await propose(t.who, { ...absent, end: '11:00' }));
  await answered('Kai Wood', 'told');
  // Kai had all of Bo's session; after the undo, the part from 11:00 on is Ana's again, and Ana is away before.
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  expect(await dayOf(kai)).toEqual(['08:30 to 10:00 Bo Lee', '10:00 to 11:00 Bo Lee?']);
  expect(await changeOf(kai)).toMatchObject({
    say: ['Bo Lee is from 8:30 to 11:00 instead of 8:30 to 11:30.', 'You are released from 11:00 on.'],
    undecided: [{ start: '10:00', end: '11:00' }],
  });
});

test('given a page that shows a change as being decided, when the plan has settled it, then an answer from that page is refused', async () => {
  const commit = await covered();
  await answered('Kai Wood', 'told');
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  const shown = await changeOf(kai);
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '00:00', end: '00:15' }]);
  expect((await answer(shown?.version, 'seen')).statusCode).toBe(409);
  expect((await answer((await changeOf(kai))?.version, 'seen')).statusCode).toBe(204);
  expect(await changeOf(kai)).toBeUndefined();
});

test('given a change of which a part is being decided, when time passes, then the answer from a page loaded before is kept', async () => {
  const change = await partlyDecided();
  at('08:50');
  const shown = await changeOf(kai);
  expect(shown).toMatchObject({ undecided: [BO], gone: [], say: change?.say, version: change?.version });
  expect(await dayOf(kai)).toEqual(['08:50 to 11:30 Bo Lee?', '16:00 to 17:00 Ida Fox']);
  at('09:20');
  expect((await answer(shown?.version, 'yes')).statusCode).toBe(204);
});

test('given a question that was seen while another part was being decided, once that is settled, then the change does not count as seen', async () => {
  const change = await partlyDecided();
  expect(change).toMatchObject({ call: 'ask', seen_at: null });
  expect((await answer(change?.version, 'seen')).statusCode).toBe(204);
  const line = async () => (await list()).lines.find(({ name }) => name === 'Kai Wood');
  for (const seen of [await changeOf(kai), await line()]) expect(seen?.seen_at).toMatch(/^20/);
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '00:00', end: '00:15' }]);
  expect([await changeOf(kai), await line()]).toMatchObject([{ gone: [BO], seen_at: null }, { seen_at: null }]);
});

test('given a change of which everything is being decided, then a yes or a no to it is refused, and does not count once it is settled', async () => {
  const commit = await covered();
  await answered('Kai Wood', 'told');
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  const { version } = (await changeOf(kai)) ?? {};
  for (const what of ['yes', 'cannot']) expect((await answer(version, what)).statusCode).toBe(409);
  await saveAbsences(t.who, [{ therapist: 'Ana Ruiz', date: DATE, begin: '00:00', end: '00:15' }]);
  expect(await changeOf(kai)).toMatchObject({ gone: [BO], said_no: false });
});
