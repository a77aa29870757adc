import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '@clinic/testkit';
import type { ProposalReply } from '@clinic/contract';
import { everyone, saveAbsences, solveDay, submit, submitBody, type Query } from '../../testing/calls.ts';
import { buildRandomClinic } from '../../testing/random-clinic.ts';
import { openSmallClinic } from '../../testing/small-app.ts';
import { DATE } from '../../testing/small-clinic.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { openSolver } from './solver.ts';

const solver = openSolver({ seconds: 60, workers: 2 });
let app: TestApp;
let who: SignedIn;
/** Another process on the same database, which has not found Option 1. */
let other: TestApp;
beforeAll(async () => {
  ({ app, who } = await openSmallClinic(undefined, { solver }));
  other = await buildTestApp({ database: app.database, solver });
});
afterAll(async () => {
  await other.close();
  await app.close();
  await solver.close();
});

/** Saves absences as the page does, which waits only for Option 1. */
async function save(queries: readonly Query[]): Promise<ProposalReply> {
  const reply = await saveAbsences(who, queries, 'altamonte', { wait_for: 'first' });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<ProposalReply>();
}

const optionNames = ({ data }: ProposalReply): Set<string> =>
  new Set(Object.values(data).flatMap((clients) => Object.values(clients).flatMap((options) => Object.keys(options))));

/** The cells of Option 1, without the names of their proposal. */
const firstCells = ({ data, metadata }: ProposalReply, date: string, clients: readonly string[]) =>
  clients.map((client) =>
    JSON.stringify(data[date]?.[client]?.['Option 1']).replaceAll(metadata.proposal, 'the proposal'),
  );

test('on any day, a page gets Option 1 first and then all options, and these are the same as for a page that waits for all options', async () => {
  let early = 0;
  for (const seed of [601, 602, 603]) {
    const { therapists, date } = await buildRandomClinic(app.deps.db, seed);
    const first = await save(
      randomFrom(seed)
        .sample(therapists, 3)
        .map((therapist) => ({ therapist, date })),
    );
    const rest = await solveDay(who, { dates: [date], wait_for: 'rest' });
    const all = await solveDay(await other.signIn(), { dates: [date] });
    expect([rest.metadata.more, all.metadata.more]).toEqual([undefined, undefined]);
    expect(JSON.stringify(rest.data).replaceAll(rest.metadata.proposal, '')).toBe(
      JSON.stringify(all.data).replaceAll(all.metadata.proposal, ''),
    );
    if (!first.metadata.more) continue;
    early++;
    expect([...optionNames(first)]).toEqual(['Option 1']);
    const clients = Object.keys(first.data[date] ?? {});
    expect(firstCells(first, date, clients)).toEqual(firstCells(rest, date, clients));
  }
  expect(early).toBeGreaterThan(0);
});

test('Option 1 alone can be submitted, even after all options were asked for', async () => {
  const first = await save([{ therapist: 'Ana Ruiz', date: DATE }]);
  expect([first.metadata.more, [...optionNames(first)]]).toEqual([true, ['Option 1']]);
  const rest = await solveDay(who, { wait_for: 'rest' });
  expect(rest.metadata.proposal).not.toBe(first.metadata.proposal);
  const reply = await submit(who, submitBody(first, everyone(first)));
  expect(reply.statusCode, reply.body).toBe(200);
});

test('a caller that does not say that it waits for Option 1 gets all options', async () => {
  const again = { therapist: 'Lin Park', date: DATE };
  const first = await save([again]);
  expect(first.metadata.more).toBe(true);
  const all = await solveDay(who);
  expect(all.metadata.more).toBeUndefined();
  expect(optionNames(all).size).toBeGreaterThanOrEqual(optionNames(first).size);
});
