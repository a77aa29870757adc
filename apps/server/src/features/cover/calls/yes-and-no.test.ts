import { afterAll, beforeEach, expect, test } from 'vitest';
import { detailOf } from '../../../testing/calls.ts';
import { CallList } from '../../../testing/call-list.ts';
import { openSmallClinic, type SmallApp } from '../../../testing/small-app.ts';

let t: SmallApp;
beforeEach(async () => {
  t = await openSmallClinic(t?.app);
});
afterAll(() => t.app.close());

const { list, lineOf, post, covered } = new CallList(() => t.who);

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
