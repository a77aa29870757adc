import { afterAll, beforeEach, expect, test } from 'vitest';
import type { OwnWeek } from '@clinic/contract';
import { detailOf } from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';

let t: SmallApp;
beforeEach(async () => {
  t = await openSmallClinic(t?.app, { deps: { clock: { now: () => Date.parse(`${DATE}T11:00:00Z`) } } });
});
afterAll(() => t.app.close());

const { lineOf, list, post, covered } = new CallList(() => t.who);

/** The answers stored for the day, oldest first. */
const stored = async () => {
  const rows = await t.db.selectFrom('call_answer').select(['answer', 'note']).orderBy('id').execute();
  return rows.map(({ answer, note }) => (note === null ? answer : `${answer}: ${note}`));
};
const audited = async (action: string) => {
  const rows = await t.db.selectFrom('audit').select('action').where('action', '=', action).execute();
  return rows.length;
};

/** A line as the page showed it, as an answer names it. */
const shown = async (name: string) => {
  const { kind, id, version, newest_result } = await lineOf(name);
  return { kind, id, version, last_shown: newest_result };
};

test('given a “Told” that is sent again, then it is stored once and nothing is refused', async () => {
  await covered();
  const told = { ...(await shown('Bo Lee')), answer: 'told', note: 'mother' };
  for (const each of [1, 2]) expect([each, (await post('answer', told)).statusCode]).toEqual([each, 200]);
  expect(await stored()).toEqual(['told: mother']);
  expect(await audited('call.answered')).toBe(1);
});

test('given a “Told” that was recorded already, then another note or another coordinator’s is refused, and says who recorded it', async () => {
  await covered();
  const told = { ...(await shown('Bo Lee')), answer: 'told' };
  const dana = await t.app.signIn({ name: 'Dana West' });
  expect((await post('answer', told, dana)).statusCode).toBe(200);
  const refused = await post('answer', told);
  expect([refused.statusCode, detailOf(refused).message]).toEqual([
    409,
    'Dana West has already recorded that the family of Bo Lee was told. Nothing was saved.',
  ]);
  const more = await post('answer', { ...told, note: 'the father' }, dana);
  expect([more.statusCode, detailOf(more).message]).toEqual([
    409,
    'You have already recorded that the family of Bo Lee was told. Nothing was saved.',
  ]);
});

test.each(['no-answer', 'left-message'])(
  'given “%s” that is sent again, then it is one call; from a page that shows it, it is a second one',
  async (answer) => {
    await covered();
    const before = { ...(await shown('Bo Lee')), answer };
    for (const each of [1, 2]) expect([each, (await post('answer', before)).statusCode]).toEqual([each, 200]);
    expect(await stored()).toEqual([answer]);
    const dana = await t.app.signIn({ name: 'Dana West' });
    expect((await post('answer', before, dana)).statusCode).toBe(200);
    expect((await post('answer', { ...(await shown('Bo Lee')), answer })).statusCode).toBe(200);
    expect(await stored()).toEqual([answer, answer, answer]);
    expect((await post('answer', { ...(await shown('Bo Lee')), answer, note: 'full' })).statusCode).toBe(200);
    expect((await stored()).at(-1)).toBe(`${answer}: full`);
  },
);

test('given a no that is sent again, then it is stored once, and a wider no after it is stored too', async () => {
  await covered();
  const no = { ...(await shown('Kai Wood')), answer: 'said-no' };
  for (const each of [1, 2])
    expect([each, (await post('answer', { ...no, no: { scope: 'session' } })).statusCode]).toEqual([each, 200]);
  expect(await stored()).toEqual(['said-no']);
  expect((await post('answer', { ...no, no: { scope: 'today' } })).statusCode).toBe(200);
  expect(await stored()).toEqual(['said-no', 'said-no']);
  expect((await list()).declined).toHaveLength(2);
});

test('given a no that closed the line and is sent again, then it is not refused', async () => {
  await covered();
  const no = { ...(await shown('Kai Wood')), answer: 'said-no', no: { scope: 'until', until: '12:00' } };
  const first = await post('answer', no);
  expect(first.statusCode, first.body).toBe(200);
  expect((await post('answer', no)).statusCode).toBe(200);
  expect(await stored()).toEqual(['said-no']);
});

test('given a no that was taken back, then the same no counts again', async () => {
  await covered();
  const no = { ...(await shown('Kai Wood')), answer: 'said-no', no: { scope: 'session' } };
  expect((await post('answer', no)).statusCode).toBe(200);
  const [declined] = (await list()).declined;
  for (const each of [1, 2])
    expect([each, (await post('said-no/take-back', { id: declined?.id })).statusCode]).toEqual([each, 200]);
  const dana = await t.app.signIn({ name: 'Dana West' });
  const late = await post('said-no/take-back', { id: declined?.id }, dana);
  expect([late.statusCode, late.json()]).toEqual([
    404,
    { detail: 'This “no” was already taken back. Nothing was saved. Load the list again.' },
  ]);
  expect((await post('answer', no)).statusCode).toBe(200);
  expect((await list()).declined).toHaveLength(1);
});

test('given a “Not told” that is sent again, then it takes back only the result that it names', async () => {
  await covered();
  const told = async () => {
    expect((await post('answer', { ...(await shown('Bo Lee')), answer: 'told' })).statusCode).toBe(200);
    return (await list()).told.find(({ name }) => name === 'Bo Lee')?.result;
  };
  const back = (mistaken: string | undefined) =>
    post('answer', { kind: 'client', id: t.clinic.bo, version: '', answer: 'not-told', mistaken });
  const first = await told();
  for (const each of [1, 2]) expect([each, (await back(first)).statusCode]).toEqual([each, 200]);
  expect(await stored()).toEqual(['told', 'not-told']);
  const second = await told();
  const stale = await back(first);
  expect(stale.statusCode).toBe(409);
  expect(detailOf(stale).message).toMatch(
    / has recorded since then that the family of Bo Lee was told again\. Nothing was changed\./,
  );
  expect((await back(second)).statusCode).toBe(200);
  await post('day-sheet', {});
  const sheet = await post('answer', { kind: 'client', id: t.clinic.bo, version: '', answer: 'not-told' });
  expect([sheet.statusCode, detailOf(sheet).message]).toEqual([
    409,
    'There is no “Told” of the family of Bo Lee to take back, because the day sheet has told them since. Nothing was changed. Load the list again.',
  ]);
  const never = await post('answer', { kind: 'client', id: t.clinic.mo, version: '', answer: 'not-told' });
  expect(detailOf(never).message).toMatch(/^There is no “Told” of the family of Mo Diaz to take back\. Nothing/);
});

test('given an answer on a therapist’s own page that is sent again, then it is stored once and not refused', async () => {
  await covered();
  const kai = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.kai, locations: ['altamonte'] });
  const [change] = (await kai.call({ url: '/api/me' })).json<OwnWeek>().changes;
  const say = (payload: object) =>
    kai.call({ method: 'POST', url: '/api/me/answer', payload: { ...ON, version: change?.version, ...payload } });
  const no = { answer: 'cannot', reason: 'no car today' };
  for (const each of [1, 2]) expect([each, (await say(no)).statusCode]).toEqual([each, 204]);
  for (const each of [1, 2]) expect([each, (await say({ answer: 'yes' })).statusCode]).toEqual([each, 204]);
  expect(await stored()).toEqual(['said-no: no car today', 'told']);
  const late = await say(no);
  expect([late.statusCode, detailOf(late).message]).toEqual([
    409,
    'It is already recorded that you were told of this change. Nothing was saved. If you cannot come, call the clinic.',
  ]);
});

test('given a yes that a coordinator recorded first, then the therapist’s own yes is not refused', async () => {
  await covered();
  const kai = await t.app.signIn({ role: 'therapist', therapistId: t.clinic.kai, locations: ['altamonte'] });
  const [change] = (await kai.call({ url: '/api/me' })).json<OwnWeek>().changes;
  expect((await post('answer', { ...(await shown('Kai Wood')), answer: 'told' })).statusCode).toBe(200);
  const payload = { ...ON, version: change?.version, answer: 'yes' };
  expect((await kai.call({ method: 'POST', url: '/api/me/answer', payload })).statusCode).toBe(204);
  expect(await stored()).toEqual(['told']);
});
