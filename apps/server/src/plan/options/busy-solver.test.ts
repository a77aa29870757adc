import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { buildAbsence } from '../../testing/builders.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../../testing/test-app.ts';
import { forgetting } from '../../testing/cover-app.ts';
import type { SolvedAnswer } from './solve-days.ts';
import { openSolver } from './solver.ts';

const SECONDS = 60;

const real = forgetting(openSolver({ seconds: SECONDS, workers: 1 }));
/** How many requests have reached the solver since `open` was set; they go on once it has resolved. */
let arrived = 0;
let open: Promise<void> = Promise.resolve();
/** What the solver says when time runs out. */
let ranOut: Pick<SolvedAnswer, 'unfinished'> = {};
const solver: typeof real = {
  ...real,
  async solve(...asked) {
    arrived++;
    await open;
    return { ...(await real.solve(...asked)), ...ranOut };
  },
};

let t: TestApp;
beforeAll(async () => {
  t = await buildTestApp({ solver, config: { solverSeconds: SECONDS } });
  const clinic = await buildSmallClinic(t.deps.db);
  await buildAbsence(t.deps.db, { therapist: clinic.ana, date: DATE });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await t.close();
  await real.close();
});

const ask = (who: SignedIn) =>
  who.call({ method: 'POST', url: '/api/proposals', payload: { location: 'altamonte', dates: [DATE] } });

test('given options that were not all found in time, the reply names the date, so that nobody takes them for all options', async () => {
  const one = await t.signIn();
  const unfinishedOf = async () => (await ask(one)).json<ProposalReply>().metadata.unfinished;
  expect(await unfinishedOf()).toBeUndefined();
  ranOut = { unfinished: ['bcba-free'] };
  expect(await unfinishedOf()).toEqual([DATE]);
  ranOut = {};
});

test('given eighty requests of one account at once, four are worked on at a time, and other accounts get options beside them', async () => {
  const [flood, small] = [await t.signIn(), await t.signIn()];
  let letIn: () => void = () => {};
  open = new Promise((resolve) => (letIn = resolve));
  arrived = 0;
  const asked = Array.from({ length: 80 }, () => ask(flood));
  try {
    await expect.poll(() => arrived, { timeout: 60_000 }).toBe(4);
    const beside = ask(small);
    await expect.poll(() => arrived, { timeout: 60_000 }).toBe(5);
    letIn();
    expect((await beside).statusCode).toBe(200);
  } finally {
    letIn();
  }
  const replies = await Promise.all(asked);
  // On a busy machine, the last ones may have waited too long.
  expect(replies.map((reply) => reply.statusCode).filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(replies[0]?.statusCode).toBe(200);
});

test('given forty saves by one account at once, each save gets a reply', async () => {
  const one = await t.signIn();
  const replies = await Promise.all(Array.from({ length: 40 }, () => ask(one)));
  expect(replies.map((reply) => reply.statusCode)).toEqual(Array.from({ length: 40 }, () => 200));
});

test('given clients that hang up while their requests wait, their problems are not solved', async () => {
  const { token, accountId } = await t.signIn();
  const { port } = t.app.server.address() as AddressInfo;
  const body = JSON.stringify({ location: 'altamonte', dates: [DATE] });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const requests = Array.from({ length: 30 }, () => {
    const request = send({ port, method: 'POST', path: '/api/proposals', headers, agent: false }).on('error', () => {});
    request.end(body);
    return request;
  });
  const made = async (): Promise<number> =>
    (await t.deps.db.selectFrom('proposal').select('id').where('created_by', '=', accountId).execute()).length;
  await expect.poll(made, { interval: 5 }).toBeGreaterThan(0);
  for (const request of requests) request.destroy();
  // All waiting requests have hung up; a new request gets its turn when the current solve has finished.
  expect((await ask(await t.signIn())).statusCode).toBe(200);
  expect(await made()).toBeLessThan(30);
});
