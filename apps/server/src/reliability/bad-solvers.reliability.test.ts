import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom } from '@clinic/testkit';
import { buildSmallClinic, DATE } from '../testing/small-clinic.ts';
import { buildAbsence } from '../testing/builders.ts';
import { forgetting } from '../testing/cover-app.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { NOT_OPEN, type Solver } from '../plan/options/solver.ts';
import { createSolverPool, type SolverPool } from '../solver/pool.ts';
import type { BadMode } from '../solver/testing/bad-worker.ts';
import { Refusal } from '../platform/refusal.ts';
import { doseOf, keepFigures, LASTING, seedOfRun, timeLimit } from './testing/doses.ts';
import { calendarHash } from './testing/state-checks.ts';

const COUNT = doseOf('bad-solvers');
const MODES: readonly BadMode[] = ['die', 'throw', 'nonsense', 'lies', 'silent-exit', 'hang', 'hang-after-option'];
/** How many seconds a solve may take before its worker counts as hung. `other` includes starting a worker. */
const SECONDS = { hang: 0.5, other: 60 };

let database: TestDatabase;
let t: TestApp;
let staff: SignedIn;
let pool: SolverPool | undefined;
/** The application's solver, which passes each problem to the current `pool`. */
const solver: Solver = forgetting({
  async solve(problem) {
    const answer = await pool?.solve(problem, { options: 5 });
    if (!answer?.ok) throw new Refusal('solver-failed');
    return { format: 'cover-options/1', options: answer.options.map((o) => o.option) };
  },
  solveOne: () => Promise.reject(new Refusal('solver-failed')),
  solveCovering: () => Promise.resolve('none' as const),
  solveWeeks: () => Promise.reject(new Refusal('solver-failed')),
  warm: () => {},
  stats: () => NOT_OPEN,
  close: () => Promise.resolve(),
});
beforeAll(async () => {
  database = await createTestDatabase();
  const clinic = await buildSmallClinic(database.db);
  await buildAbsence(database.db, { therapist: clinic.ana, date: DATE });
  t = await buildTestApp({ database, solver, config: { ...LASTING, logLevel: 'error' } });
  staff = await t.signIn();
}, 300_000);
afterAll(async () => {
  await t.close();
  await database.close();
});

/** A pool whose only worker misbehaves for its first `turns` jobs. */
async function openBadPool(mode: BadMode, turns: number): Promise<SolverPool> {
  const shared = new SharedArrayBuffer(4);
  new Int32Array(shared)[0] = turns;
  const bad = createSolverPool({
    size: 1,
    seconds: mode.startsWith('hang') ? SECONDS.hang : SECONDS.other,
    memoryLimitMb: 512,
    queueLimit: 8,
    queueLimitOfOne: 8,
    waitSeconds: 600,
    worker: new URL('../solver/testing/bad-worker.ts', import.meta.url),
    // Many workers are started, each for only one job, so they do not warm up.
    workerData: { mode, shared, warmUp: false },
  });
  await bad.ready();
  return bad;
}

test(
  'given a solver that dies, hangs or returns nonsense, only its own request fails, the server keeps running, and the calendar does not change',
  async () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    const before = await calendarHash(database.db);
    const faults: string[] = [];
    const uncaught: unknown[] = [];
    const onFault = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtException', onFault);
    process.on('unhandledRejection', onFault);
    let replaced = 0;
    let spoiled = 0;
    for (let pools = 0; spoiled < COUNT; pools++) {
      const mode = MODES[pools % MODES.length] ?? 'die';
      const turns = Math.min(COUNT - spoiled, random.int(2, 5));
      pool = await openBadPool(mode, turns);
      const ask = () =>
        staff.call({ method: 'POST', url: '/api/proposals', payload: { location: 'altamonte', dates: [DATE] } });
      // A failed request uses up two of the bad turns, or one if its worker hung. After the last bad turn, the solver
      // works.
      for (let n = 0; n < turns; n++) {
        const [proposed, session] = await Promise.all([ask(), staff.call({ url: '/api/session' })]);
        if (![200, 503].includes(proposed.statusCode)) faults.push(`${mode}: ${proposed.statusCode} ${proposed.body}`);
        if (proposed.statusCode === 503 && proposed.headers['retry-after'] === undefined)
          faults.push(`${mode}: no time to come back`);
        if (session.statusCode !== 200) faults.push(`${mode}: the server answers ${session.statusCode}`);
      }
      replaced += pool.stats().replaced;
      if (!mode.startsWith('hang')) {
        const after = await ask();
        if (after.statusCode !== 200) faults.push(`${mode}: afterwards ${after.statusCode} ${after.body}`);
      }
      spoiled += turns;
      await pool.close();
    }
    process.off('uncaughtException', onFault);
    process.off('unhandledRejection', onFault);
    const changed = (await calendarHash(database.db)) === before ? 0 : 1;
    keepFigures('bad-solvers', COUNT, began, {
      'server exits': uncaught.length,
      'calendar changes': changed,
      'workers replaced': replaced,
    });
    expect(uncaught).toEqual([]);
    expect(faults).toEqual([]);
    expect(changed).toBe(0);
    expect(replaced).toBeGreaterThanOrEqual(COUNT / 2);
  },
  timeLimit(COUNT, 10_000),
);
