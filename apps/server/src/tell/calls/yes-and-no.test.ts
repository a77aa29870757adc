import { afterAll, beforeEach, expect, test } from 'vitest';
import { buildAppointment } from '../../testing/builders.ts';
import { detailOf, solveDay } from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

let t: SmallApp;
beforeEach(async () => {
  t = await openSmallClinic(t?.app);
});
afterAll(() => t.app.close());

const { list, lineOf, post, answered, covered } = new CallList(() => t.who);

test('given a yes that one coordinator has recorded, then another coordinator who records a no to the same call is refused and told how to change the answer', async () => {
  await covered();
  const { kind, id, version } = await lineOf('Kai Wood');
  const first = await t.app.signIn({ name: 'Dana West' });
  const given = { kind, id, version };
  expect((await post('answer', { ...given, answer: 'told' }, first)).statusCode).toBe(200);
  const no = { ...given, answer: 'said-no', no: { scope: 'session' } };
  const refused = await post('answer', no);
  expect([refused.statusCode, detailOf(refused).message]).toEqual([
    409,
    'Dana West has already recorded that Kai Wood was told. Nothing was saved. If they said no, press “Not told” beside their name, then “Said no”.',
  ]);
  expect((await post('answer', { ...given, answer: 'not-told' })).statusCode).toBe(200);
  expect((await post('answer', no)).statusCode).toBe(200);
  expect((await list()).declined).toMatchObject([{ therapist: 'Kai Wood' }]);
});

test('given a no that a coordinator’s page does not show yet, then another result is refused, and saved once the page shows the no', async () => {
  const day = Date.parse(`${DATE}T12:00:00Z`);
  t = await openSmallClinic(t.app, { deps: { clock: { now: () => day } } });
  const { kai: therapistId } = t.clinic;
  const kai = await t.app.signIn({ role: 'therapist', therapistId, locations: ['altamonte'] });
  await covered();
  const { kind, id, version } = await lineOf('Kai Wood');
  const cannot = { ...ON, version, answer: 'cannot', reason: 'no car' };
  expect((await kai.call({ method: 'POST', url: '/api/me/answer', payload: cannot })).statusCode).toBe(204);
  for (const answer of ['told', 'left-message', 'no-answer']) {
    const refused = await post('answer', { kind, id, version, answer, last_shown: '' });
    expect([refused.statusCode, detailOf(refused).message]).toEqual([
      409,
      'Kai Wood has said no on their own page. Nothing was saved. If that has changed since, record the result again.',
    ]);
  }
  expect((await list()).declined).toMatchObject([{ therapist: 'Kai Wood', note: 'no car' }]);
  // Another coordinator's no counts as well, and a later no does not need to know of the first.
  const dana = await t.app.signIn({ name: 'Dana West' });
  const no = { kind, id, version, answer: 'said-no', no: { scope: 'session' } };
  const { newest_result: first } = await lineOf('Kai Wood');
  expect((await post('answer', { ...no, last_shown: '' }, dana)).statusCode).toBe(200);
  const refused = await post('answer', { kind, id, version, answer: 'told', last_shown: first });
  expect(detailOf(refused).message).toMatch(/^Dana West has recorded that Kai Wood said no\. /);
  const { newest_result: last_shown } = await lineOf('Kai Wood');
  expect((await post('answer', { kind, id, version, answer: 'told', last_shown })).statusCode).toBe(200);
  expect((await list()).declined).toEqual([]);
});

test('given a family that said no before someone cancelled one of their sessions with them, if the page that cancelled it does not know of the no, then it cannot record the family as told', async () => {
  const { bo } = t.clinic;
  const at = { date: DATE, client: bo, therapist: t.clinic.lin };
  const noon = await buildAppointment(t.db, { ...at, start: '12:00', end: '12:45' });
  expect((await post('day-sheet', {})).statusCode).toBe(200);
  await covered();
  const shown = await lineOf('Bo Lee');
  const dana = await t.app.signIn({ name: 'Dana West' });
  const no = { scope: 'but', therapist: t.clinic.kai };
  const { kind, id, version } = shown;
  expect((await post('answer', { kind, id, version, answer: 'said-no', no }, dana)).statusCode).toBe(200);
  const cancelled = { family_told: true };
  const url = `/api/appointments/${noon}/cancel`;
  expect((await t.who.call({ method: 'POST', url, payload: cancelled })).statusCode).toBe(200);
  const after = await lineOf('Bo Lee');
  const told = { kind, id, version: after.version, answer: 'told' };
  const refused = await post('answer', { ...told, last_shown: '' });
  expect([refused.statusCode, detailOf(refused).message]).toEqual([
    409,
    'Dana West has recorded that the family of Bo Lee said no. Nothing was saved. If that has changed since, record the result again.',
  ]);
  // Once it is booked again, its line does not show the calls before the cancellation; a page that has loaded it may answer.
  await buildAppointment(t.db, { ...at, start: '12:00', end: '12:45' });
  const again = await lineOf('Bo Lee');
  expect(again.answers).toEqual([]);
  const now = { ...told, version: again.version };
  expect((await post('answer', { ...now, last_shown: '' })).statusCode).toBe(409);
  expect((await post('answer', { ...now, last_shown: again.newest_result })).statusCode).toBe(200);
});

test('given a family that refused a therapist, when they are recorded as told, then the refusal stays in every plan until it is taken back', async () => {
  await covered();
  await answered('Bo Lee', 'said-no', { no: { scope: 'but', therapist: t.clinic.kai } });
  const after = await answered('Bo Lee', 'told');
  expect(after.declined).toMatchObject([{ therapist: 'Kai Wood' }]);
  const takers = async (): Promise<string[]> =>
    Object.values((await solveDay(t.who)).data[DATE]?.['Bo Lee'] ?? {}).flatMap((slots) =>
      Object.values(slots).map((cell) => cell.therapist),
    );
  expect(await takers()).not.toContain('Kai Wood');
  expect((await post('said-no/take-back', { id: after.declined[0]?.id })).statusCode).toBe(200);
  expect(await takers()).toEqual([]);
});
