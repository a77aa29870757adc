import { setTimeout as delay } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionsReply } from '@clinic/contract';
import { randomFrom } from '@clinic/testkit';
import { submit } from '../testing/calls.ts';
import { ONE_SOLVER, startServerProcess, type ServerProcess } from '../testing/server-process.ts';
import type { SignedIn } from '../testing/test-app.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';
import { doseOf, keepFigures, LASTING_SETTINGS, seedOfRun, timeLimit } from './testing/doses.ts';
import { buildMornings, randomChoice, type Morning } from './testing/morning.ts';
import { isLostConnection, makeAccount, remoteSession, remoteToken } from './testing/remote.ts';
import { halfWritten, overlappingPairs } from './testing/state-checks.ts';

const PROCESSES = 4;
const RACERS = 16;
const COUNT = doseOf('racing-submits');

let database: TestDatabase;
let servers: ServerProcess[];
let racers: SignedIn[];
let mornings: Morning[];
beforeAll(async () => {
  database = await createTestDatabase();
  const settings = {
    ...LASTING_SETTINGS,
    DATABASE_URL: urlOf(database.target),
    DEMO: 'off',
    LOG_LEVEL: 'error',
    SOLVER_SECONDS: '20',
    ...ONE_SOLVER,
  };
  const first = await startServerProcess(settings);
  servers = [first, ...(await Promise.all(Array.from({ length: PROCESSES - 1 }, () => startServerProcess(settings))))];
  const account = await makeAccount(database.db);
  const token = await remoteToken(first.url, account.email);
  racers = servers.map((server) => remoteSession(() => server.url, account, token));
  const [one] = racers as [SignedIn];
  mornings = await buildMornings(database.db, one, { days: 4, proposals: 3, seed: seedOfRun() % 400 });
}, 600_000);
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGTERM');
  await Promise.all(servers.map((server) => server.ended));
  await database.close();
});

test(
  'given racing commits and undos on four servers, no one is double-booked, nothing fails, and every reply matches the calendar',
  async () => {
    const began = performance.now();
    const { db } = database;
    const overlapping = await overlappingPairs(db);
    expect(overlapping).toBe(0);
    const seen = new Map<number, number>();
    const faults: string[] = [];
    const standing: string[] = [];
    const taken = new Set<string>();
    const known = new Set<string>();
    const lost: string[] = [];
    let left = COUNT;
    let worst = 0;

    const answered = (status: number, body: string): void => {
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (status >= 500 || body.includes('40P01')) faults.push(`${status} ${body.slice(0, 200)}`);
    };
    let lostRequests = 0;
    /** Sends a request once more if its connection broke before a reply came, as the page advises. */
    const asked = async (ask: () => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> => {
      try {
        return await ask();
      } catch (error) {
        if (!isLostConnection(error)) throw error;
        lostRequests++;
        return ask();
      }
    };
    const undo = async (who: SignedIn, id: string): Promise<void> => {
      const reply = await asked(() => who.call({ method: 'POST', url: `/api/commits/${id}/undo` }));
      answered(reply.statusCode, reply.body);
      if (reply.statusCode === 200) taken.add(id);
      else standing.push(id);
    };
    const race = async (number: number): Promise<void> => {
      const random = randomFrom(seedOfRun() + number);
      while (left > 0) {
        const morning = random.pick(mornings);
        // Two commits often arrive at the same moment at two servers. If both are from one proposal, only one of them
        // may be written.
        const proposal = random.pick(morning.proposals);
        const together = Math.min(left, random.chance(0.5) ? 2 : 1);
        left -= together;
        const servers = random.sample(racers, together);
        const replies = await Promise.all(
          servers.map((server) => {
            const body = randomChoice(random, morning, proposal);
            return asked(() => submit(server, body));
          }),
        );
        for (const reply of replies) {
          answered(reply.statusCode, reply.body);
          if (reply.statusCode !== 200) continue;
          const { commit } = reply.json<ActionsReply>();
          // Two racers that submit the same choice get the same reply, so the commit is listed only once for an undo.
          if (!known.has(commit)) standing.push(commit);
          known.add(commit);
        }
        const next = standing.length > random.int(0, 6) ? standing.shift() : undefined;
        if (next !== undefined) await undo(random.pick(racers), next);
      }
    };
    let racing = true;
    const watch = async (): Promise<void> => {
      // The pause keeps the checks from slowing the racers down too much. The checks still see every write, because
      // writes stay for longer than the pause.
      for (; racing; await delay(5)) worst = Math.max(worst, await overlappingPairs(db));
    };
    const watching = watch();
    await Promise.all(Array.from({ length: RACERS }, (_, number) => race(number)));
    racing = false;
    await watching;

    const rows = await db.selectFrom('schedule_commit').select(['id', 'undone_at']).execute();
    const stored = new Map(rows.map((row) => [row.id, row.undone_at !== null]));
    for (const id of standing) if (stored.get(id) !== false) lost.push(id);
    for (const id of taken) if (stored.get(id) !== true) lost.push(id);
    keepFigures('racing-submits', COUNT, began, {
      'overlapping pairs': worst,
      'deadlocks or faults shown': faults.length,
      'acknowledged and lost': lost.length,
      written: rows.length,
      refused: seen.get(409) ?? 0,
      'connections lost, asked again': lostRequests,
    });
    expect(faults.slice(0, 5)).toEqual([]);
    expect([...seen.keys()].filter((status) => ![200, 409].includes(status))).toEqual([]);
    expect(worst).toBe(0);
    expect(lost).toEqual([]);
    expect(rows.length).toBe(known.size); // every write was reported by a reply
    expect(await halfWritten(db)).toEqual([]);
    // On a busy machine, an idle connection may close just as it is used; no other connection may break.
    expect(lostRequests).toBeLessThan(COUNT / 100);
    // Some commits conflicted, and some succeeded.
    expect(seen.get(409) ?? 0).toBeGreaterThan(COUNT / 20);
    expect(rows.length).toBeGreaterThan(COUNT / 50);
  },
  timeLimit(COUNT, 200),
);
