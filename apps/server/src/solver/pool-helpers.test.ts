import { coverDay } from '@clinic/testkit';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { PoolAnswer } from './task.ts';
import { createSolverPool, type SolverPool } from './pool.ts';
import type { BadMode } from './testing/bad-worker.ts';

/** A day on which several strategies need a search. */
const problem = coverDay({ seed: 31, therapists: 20, clients: 24, absent: 0.2, hard: true });

const WAITING = { queueLimit: 9, queueLimitOfOne: 9, waitSeconds: 600 };
const pools: SolverPool[] = [];

function start(size: number, mode: BadMode = 'note', turns = 0) {
  const shared = new Int32Array(new SharedArrayBuffer(4 * 16));
  shared[0] = turns;
  const reasons: string[] = [];
  const pool = createSolverPool({
    size,
    seconds: 60,
    memoryLimitMb: 512,
    ...WAITING,
    worker: new URL('./testing/bad-worker.ts', import.meta.url),
    workerData: { mode, shared: shared.buffer, warmUp: false },
    onReplaced: (reason) => reasons.push(reason),
  });
  pools.push(pool);
  /** In the mode `note`: how many jobs the workers got. In the other modes: how many bad jobs are left. */
  const count = () => Atomics.load(shared, 0);
  return { pool, reasons, count };
}

const optionsOf = (answer: PoolAnswer) => (answer.ok ? answer.options.map(({ option }) => option) : answer.refusal);
let alone: ReturnType<typeof optionsOf>;

const stopAll = async () => void (await Promise.all(pools.splice(0).map((pool) => pool.close())));
afterEach(stopAll);

beforeAll(async () => {
  alone = optionsOf(await start(1).pool.solve(problem));
  await stopAll();
  expect(alone).toHaveLength(5);
});

test('a free worker helps another, and the answer is the same', async () => {
  const { pool, reasons, count } = start(2);
  await pool.ready();
  expect(optionsOf(await pool.solve(problem))).toEqual(alone);
  await vi.waitFor(() => expect(count()).toBe(2));
  await vi.waitFor(() => expect(pool.stats()).toMatchObject({ busy: 0 }));
  expect(reasons).toEqual([]);
});

test('given a helper that dies, its searches are done all the same', async () => {
  const { pool, reasons } = start(2, 'helper-dies', 1);
  await pool.ready();
  expect(optionsOf(await pool.solve(problem))).toEqual(alone);
  await vi.waitFor(() => expect(reasons).toEqual(['died']));
});

test('a request gets the worker of a helper, and the helper gives its searches back', async () => {
  const { pool, reasons, count } = start(2, 'helper-hangs', 1);
  await pool.ready();
  const first = pool.solve(problem, { owner: 'first' });
  await vi.waitFor(() => expect(count()).toBe(0), { timeout: 60_000 });
  const second = pool.solve(problem, { owner: 'second' });
  expect([optionsOf(await first), optionsOf(await second)]).toEqual([alone, alone]);
  expect(reasons).toEqual(['stopped']);
});

test('a search for options that a person waits for gets the worker of a helper, which is kept', async () => {
  const { pool, reasons, count } = start(2, 'helper-waits', 1);
  await pool.ready();
  const all = pool.solve(problem, { owner: 'first' });
  await vi.waitFor(() => expect(count()).toBe(0), { timeout: 60_000 });
  expect(optionsOf(await pool.solve(problem, { owner: 'second', options: 1, makesWayMs: 60_000 }))).toHaveLength(1);
  expect(optionsOf(await all)).toEqual(alone);
  expect(reasons).toEqual([]);
});

test('given a helper that never finishes, the other worker answers at its deadline', async () => {
  const { pool, reasons } = start(2, 'helper-hangs', 1);
  await pool.ready();
  expect(optionsOf(await pool.solve(problem, { seconds: 2 }))).toContainEqual(
    expect.objectContaining({ strategy: 'balanced' }),
  );
  await vi.waitFor(() => expect(reasons).toEqual(['hung']), { timeout: 10_000 });
  expect(optionsOf(await pool.solve(problem))).toEqual(alone);
});
