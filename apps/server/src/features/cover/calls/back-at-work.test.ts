import { expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { CallList, ON } from '../../../testing/call-list.ts';
import { commitEveryone, everyone, propose, solveDay, submit, submitBody, undo } from '../../../testing/calls.ts';
import { openForEachTest, type SmallApp } from '../../../testing/small-app.ts';
import { DATE } from '../../../testing/small-clinic.ts';

let t: SmallApp;
openForEachTest((small) => (t = small));

const { list, answered, covered } = new CallList(() => t.who);
const absences = (act: 'withdraw' | 'restore', payload: object) =>
  t.who.call({ method: 'POST', url: `/api/absences/${act}`, payload: { ...ON, ...payload } });
const ANA = { type: 'therapist', name: 'Ana Ruiz' };
async function backAtWork(who: object = ANA): Promise<void> {
  const reply = await absences('withdraw', { ...who, take_back: true });
  expect(reply.statusCode, reply.body).toBe(200);
}
const waiting = async () => (await list()).lines.map(({ name, waits_for }) => [name, waits_for]);
const IS_BACK = ['Ana Ruiz is back'];

test('given a therapist who is back, then everyone who would be called about their session waits for the next plan', async () => {
  await covered();
  await answered('Kai Wood', 'told');
  await answered('Bo Lee', 'told');
  await backAtWork();
  expect(Object.fromEntries(await waiting())).toEqual({ 'Ana Ruiz': IS_BACK, 'Bo Lee': IS_BACK, 'Kai Wood': IS_BACK });
  const { commit } = await commitEveryone(t.who, await solveDay(t.who, { keep: 'nothing' }));
  expect((await waiting()).flatMap(([, waits]) => waits)).toEqual([]);
  expect((await undo(t.who, commit)).statusCode).toBe(200);
  expect(Object.fromEntries(await waiting())['Bo Lee']).toEqual(IS_BACK);
});

test('given a plan after the therapist came back that leaves the session without one, then nothing waits, until that plan is undone', async () => {
  await covered();
  await backAtWork();
  // Now no one is free, so the plan changes nothing about Bo's session.
  const all = ['Ana Ruiz', 'Kai Wood', 'Lin Park', 'Max Dean'].map((therapist) => ({ therapist }));
  const proposal: ProposalReply = await propose(t.who, ...all);
  expect(Object.fromEntries(await waiting())['Bo Lee']).toEqual(IS_BACK);
  const commit = await submit(t.who, submitBody(proposal, everyone(proposal)));
  expect(commit.statusCode, commit.body).toBe(200);
  expect((await waiting()).flatMap(([, waits]) => waits)).toEqual([]);
  expect((await undo(t.who, commit.json<{ commit: string }>().commit)).statusCode).toBe(200);
  expect(Object.fromEntries(await waiting())['Bo Lee']).toEqual(IS_BACK);
});

test('given a withdrawal that was undone, or a child who is back, then the lines say so as it is now', async () => {
  await covered();
  await answered('Bo Lee', 'told');
  await backAtWork();
  expect((await absences('restore', ANA)).statusCode).toBe(200);
  expect((await waiting()).flatMap(([, waits]) => waits)).toEqual([]);
  const child = await propose(t.who, { client: 'Mo Diaz', date: DATE });
  await commitEveryone(t.who, child);
  await backAtWork({ type: 'client', name: 'Mo Diaz' });
  const lines = Object.fromEntries(await waiting());
  expect([lines['Mo Diaz'], lines['Lin Park']]).toEqual([['Mo Diaz is back'], ['Mo Diaz is back']]);
});
