import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '@clinic/testkit';
import type { OpenDatabase } from '../db/connection.ts';
import type { SignedIn } from '../testing/test-app.ts';
import { doseOf, keepFigures, type ScenarioName, seedOfRun, timeLimit } from './testing/doses.ts';
import { install, type Installed } from './testing/installed.ts';
import { faultsInTrail, lostOf, takeAllBack, write, type Acknowledged } from './testing/acknowledged.ts';
import { buildMornings, type Morning } from './testing/morning.ts';
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
      write(staff, mornings, acknowledged, randomFrom(n * WRITERS + i), () => going),
    );
    while (acknowledged.size === 0) await delay(5); // wait until the writers have begun
    await delay(random.int(0, 120));
    const killed = performance.now();
    going = false;
    await kill();
    slowest = Math.max(slowest, performance.now() - killed);
    await Promise.all(writers);
    said += acknowledged.size;
    lost.push(...(await lostOf(beside.db, acknowledged)));
    half.push(...(await halfWritten(beside.db)));
    expect(await overlappingPairs(beside.db)).toBe(0);
    await takeAllBack(beside.db, staff);
  }
  const faults = await faultsInTrail(beside.db);
  keepFigures(name, count, began, {
    'acknowledged and lost': lost.length,
    'half-written': half.length,
    acknowledged: said,
    'slowest to be ready again, ms': Math.round(slowest),
  });
  expect(lost).toEqual([]);
  expect(half).toEqual([]);
  expect(faults).toEqual([]);
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
