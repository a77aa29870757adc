import { afterAll, beforeEach, expect, test } from 'vitest';
import type { CommitSummary, ProposalReply, SessionHistory, TodayReply } from '@clinic/contract';
import {
  asProposal,
  detailOf,
  everyone,
  pin,
  refresh,
  saveAbsences,
  slotsOf,
  solveDay,
  submit,
  submitBody,
  undo,
} from '../../testing/calls.ts';
import { CallList, ON } from '../../testing/call-list.ts';
import { openSmallClinic } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';

let app: TestApp | undefined;
let who: SignedIn;
beforeEach(async () => {
  ({ app, who } = await openSmallClinic(app));
});
afterAll(() => app?.close());

const { list, lineOf, told, answered, covered } = new CallList(() => who);
const solve = (keep?: 'told' | 'nothing') => solveDay(who, keep ? { keep } : {});
/** Bo's therapists in all options. */
const takers = ({ data }: ProposalReply): string[] =>
  Object.values(data[DATE]?.['Bo Lee'] ?? {}).flatMap((slots) => Object.values(slots).map((cell) => cell.therapist));
const withdrawn = async (name: string): Promise<void> => {
  const payload = { ...ON, type: 'therapist', name, take_back: true };
  const reply = await who.call({ method: 'POST', url: '/api/absences/withdraw', payload });
  expect(reply.statusCode, reply.body).toBe(200);
};

test('given that no one has been called yet, then a new plan pins nothing and does not mention calls', async () => {
  await covered();
  await withdrawn('Ana Ruiz');
  const proposal = await solve();
  expect(proposal.metadata.told).toEqual({});
  expect(takers(proposal)).not.toContain('Kai Wood');
});

test('given an absence withdrawn before anyone was told, then after the commit that gives the session back, no one needs a call', async () => {
  await covered();
  await withdrawn('Ana Ruiz');
  const proposal = await solve();
  const reply = await submit(who, submitBody(proposal, everyone(proposal)));
  expect(reply.statusCode, reply.body).toBe(200);
  expect((await list()).lines).toEqual([]);
});

test('given a family that was told, when the absence is withdrawn, then their line opens again with what they had been told', async () => {
  await covered();
  await told('Bo Lee');
  expect((await list()).lines.map(({ name }) => name)).toEqual(['Kai Wood']);
  await withdrawn('Ana Ruiz');
  const { again, say } = await lineOf('Bo Lee');
  expect(again).toMatchObject({ was: 'Kai 8:30 to 11:30', now: 'nobody 8:30 to 11:30' });
  expect(say.join()).toContain('We have nobody for Bo from 8:30 to 11:30');
});

test('a therapist who was only left a message counts as not told, so a new plan need not keep their sessions', async () => {
  await covered();
  await answered('Kai Wood', 'no-answer');
  await answered('Kai Wood', 'left-message');
  const [bo] = (await slotsOf(who, DATE)).appointments.filter((a) => a['Client Name'] === 'Bo Lee');
  const history = await who.call({ url: `/api/appointments/${bo?.key}/history` });
  expect(history.json<SessionHistory>().cover?.told).toContainEqual({ who: 'Kai Wood', told: false });
  await withdrawn('Ana Ruiz');
  const proposal = await solve();
  expect(proposal.metadata.told).toEqual({});
  expect(takers(proposal)[0]).toBe('Ana Ruiz');
});

test('given people who were told, and an absence withdrawn since, then a new plan keeps what they were told unless asked not to', async () => {
  await covered();
  await told('Kai Wood', 'Bo Lee');
  await withdrawn('Ana Ruiz');
  const kept = await solve();
  expect(kept.metadata.told).toEqual({ [DATE]: { people: 2, kept: true } });
  expect(new Set(takers(kept))).toEqual(new Set(['Kai Wood']));
  const anew = await solve('nothing');
  expect(anew.metadata.told).toEqual({ [DATE]: { people: 2, kept: false } });
  expect(takers(anew)[0]).toBe('Ana Ruiz');

  // Refreshing keeps what people were told, unless a selection says otherwise.
  const again = await refresh(who, kept, []);
  expect(new Set(takers(asProposal(again.json())))).toEqual(new Set(['Kai Wood']));
  const reply = await submit(who, submitBody(anew, everyone(anew)));
  expect(reply.statusCode, reply.body).toBe(200);
});

test('given people who were told, and an absence withdrawn since, then only the returning therapist must be told after the commit', async () => {
  await covered();
  await told('Kai Wood', 'Bo Lee');
  await withdrawn('Ana Ruiz');
  const kept = await solve();
  const reply = await submit(who, submitBody(kept, everyone(kept)));
  expect(reply.statusCode, reply.body).toBe(200);
  expect((await list()).lines.map((line) => line.name)).toEqual(['Ana Ruiz']);
});

test('given that only one of two people was told, then a new plan keeps what that person was told, unless a rule forbids it', async () => {
  await covered();
  await told('Kai Wood');
  await withdrawn('Ana Ruiz');
  expect(new Set(takers(await solve()))).toEqual(new Set(['Kai Wood']));
  await saveAbsences(who, [{ therapist: 'Kai Wood', date: DATE }]);
  const without = await solve();
  expect(without.metadata.told).toEqual({ [DATE]: { people: 1, kept: true } });
  expect(takers(without)).not.toContain('Kai Wood');
});

test('given an undo after the calls, then the next options include what people were told', async () => {
  const commit = await covered();
  await told('Kai Wood', 'Bo Lee');
  expect((await undo(who, commit)).statusCode).toBe(200);
  expect(new Set(takers(await solve()))).toEqual(new Set(['Kai Wood']));
});

test('given a selection that takes a session from a person who was told, then the selection takes precedence', async () => {
  await covered();
  await told('Bo Lee');
  await withdrawn('Ana Ruiz');
  const anew = await solve('nothing');
  const option = Object.entries(anew.data[DATE]?.['Bo Lee'] ?? {}).find(([, slots]) =>
    Object.values(slots).some((cell) => cell.therapist === 'Ana Ruiz'),
  )?.[0];
  const reply = await refresh(who, anew, [pin('Bo Lee', option ?? '')]);
  expect(reply.statusCode, reply.body).toBe(200);
  expect(new Set(takers(asProposal(reply.json())))).toEqual(new Set(['Ana Ruiz']));
});

test('given a commit that can no longer be undone, then the lists say why before anyone tries to', async () => {
  const commit = await covered();
  const shown = async () => {
    const list = await who.call({ url: '/api/commits', query: ON });
    const today = await who.call({ url: '/api/today', query: ON });
    const of = [list.json<CommitSummary[]>(), today.json<TodayReply>().commits];
    return of.map((commits) => commits.find((each) => each.id === commit)?.cannot_undo);
  };
  expect(await shown()).toEqual([null, null]);
  const [bo] = (await slotsOf(who, DATE)).appointments.filter((a) => a['Client Name'] === 'Bo Lee');
  const cancelled = await who.call({ method: 'POST', url: `/api/appointments/${bo?.key}/cancel`, payload: {} });
  expect(cancelled.statusCode, cancelled.body).toBe(200);
  const why = "Bo Lee's session has changed since these changes were submitted.";
  expect(await shown()).toEqual([why, why]);
  const refused = await undo(who, commit);
  expect([refused.statusCode, detailOf(refused).conflicts[0]?.['why']]).toEqual([409, why]);
});
