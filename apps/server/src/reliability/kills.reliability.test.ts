import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionsReply } from '@clinic/contract';
import { randomFrom, type Random } from '@clinic/testkit';
import { submit, undo } from '../testing/calls.ts';
import type { OpenDatabase } from '../db/connection.ts';
import type { SignedIn } from '../testing/test-app.ts';
import { verifyAudit } from '../admin/verify.ts';
import { doseOf, keepFigures, type ScenarioName, seedOfRun, timeLimit } from './testing/doses.ts';
import { install, type Installed } from './testing/installed.ts';
import { buildMornings, randomChoice, type Morning } from './testing/morning.ts';
import { halfWritten, overlappingPairs } from './testing/state-checks.ts';

const WRITERS = 4;

let installed: Installed;
let staff: SignedIn;
let mornings: Morning[];
let beside: OpenDatabase;

beforeAll(async () => {
  installed = await install();
  ({ staff, beside } = installed);
  mornings = await buildMornings(beside.db, staff, { days: 4, proposals: 2, seed: 3 + (seedOfRun() % 400) });
}, 600_000);
afterAll(() => installed.close(), 300_000);

/** The acknowledged commits by id, and whether each stands or was undone; `unknown` while an undo has no reply. */
type Acknowledged = Map<string, 'stands' | 'undone' | 'unknown'>;

/** Sends commits and undos, several at a time, until stopped. A request without a reply guarantees nothing. */
async function write(acknowledged: Acknowledged, random: Random, going: () => boolean): Promise<void> {
  while (going()) {
    try {
      const morning = random.pick(mornings);
      const reply = await submit(staff, randomChoice(random, morning, random.pick(morning.proposals)));
      if (reply.statusCode === 200) {
        const { commit } = reply.json<ActionsReply>();
        if (!acknowledged.has(commit)) acknowledged.set(commit, 'stands');
      }
      const standing = [...acknowledged].filter(([, state]) => state === 'stands').map(([id]) => id);
      if (standing.length < 2) continue;
      const id = random.pick(standing);
      acknowledged.set(id, 'unknown');
      const undone = await undo(staff, id);
      if (undone.statusCode === 200) acknowledged.set(id, 'undone');
      else if (undone.statusCode < 500) acknowledged.set(id, 'stands');
    } catch {
      // The connection was lost, so nothing was acknowledged.
    }
  }
}

async function lostOf(acknowledged: Acknowledged): Promise<string[]> {
  const rows = await beside.db.selectFrom('schedule_commit').select(['id', 'undone_at']).execute();
  const stored = new Map(rows.map((row) => [row.id, row.undone_at === null ? 'stands' : 'undone']));
  return [...acknowledged]
    .filter(([id, state]) => (state === 'unknown' ? !stored.has(id) : stored.get(id) !== state))
    .map(([id, state]) => `${id} ${state}`);
}

/** Undoes the standing commits, so that the next round starts from the same days. */
async function takeAllBack(): Promise<void> {
  const rows = await beside.db.selectFrom('schedule_commit').select('id').where('undone_at', 'is', null).execute();
  for (const { id } of rows) {
    const reply = await undo(staff, id);
    expect(reply.statusCode, reply.body).toBe(200);
  }
}

/** Repeatedly kills the server or database in the middle of writing, and checks the data that is left. */
async function killRepeatedly(name: ScenarioName, kill: () => Promise<void>): Promise<void> {
  const began = performance.now();
  const count = doseOf(name);
  const random = randomFrom(seedOfRun());
  const lost: string[] = [];
  const half: string[] = [];
  let said = 0;
  let slowest = 0;
  for (let n = 0; n < count; n++) {
    const acknowledged: Acknowledged = new Map();
    let going = true;
    const writers = Array.from({ length: WRITERS }, (_, i) =>
      write(acknowledged, randomFrom(n * WRITERS + i), () => going),
    );
    while (acknowledged.size === 0) await delay(5); // wait until the writers have begun
    await delay(random.int(0, 120));
    const killed = performance.now();
    going = false;
    await kill();
    slowest = Math.max(slowest, performance.now() - killed);
    await Promise.all(writers);
    said += acknowledged.size;
    lost.push(...(await lostOf(acknowledged)));
    half.push(...(await halfWritten(beside.db)));
    expect(await overlappingPairs(beside.db)).toBe(0);
    await takeAllBack();
  }
  const trail = await verifyAudit(beside.db);
  keepFigures(name, count, began, {
    'acknowledged and lost': lost.length,
    'half-written': half.length,
    acknowledged: said,
    'slowest to be ready again, ms': Math.round(slowest),
  });
  expect(lost).toEqual([]);
  expect(half).toEqual([]);
  expect(trail.faults).toEqual([]);
  expect(said).toBeGreaterThanOrEqual(count);
}

const limit = (name: ScenarioName): number => timeLimit(doseOf(name), 30_000);

test(
  'given a server killed while it writes, every acknowledged change is kept and none is half-written',
  () => killRepeatedly('kills-server', () => installed.killServer()),
  limit('kills-server'),
);

test(
  'given a database killed while it writes, every acknowledged change is kept and the server recovers by itself',
  () => killRepeatedly('kills-database', () => installed.killDatabase()),
  limit('kills-database'),
);
