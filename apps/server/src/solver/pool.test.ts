import { afterEach, describe, expect, test } from 'vitest';
import { STRATEGY_ORDER, type CoverProblem } from '@clinic/cover-engine';
import type { SolverPool, SolverPoolSettings } from './pool.ts';
import { createSolverPool } from './pool.ts';
import type { BadMode } from './testing/bad-worker.ts';

/** Three clients, one of whom has an absent therapist, and one free therapist. */
const problem: CoverProblem = {
  format: 'cover-problem/1',
  date: '2026-11-20',
  location: 'altamonte',
  therapists: [1, 2, 3, 4].map((i) => ({
    id: `T${i}`,
    name: `T${i}`,
    credential: 'RBT',
    gender: 'Female',
    available: [['08:00', '17:00']],
  })),
  clients: [1, 2, 3].map((i) => ({ id: `C${i}`, name: `C${i}`, knows: { T1: 'team', T2: 'team', T3: 'known' } })),
  sessions: [1, 2, 3].map((i) => ({
    id: `S${i}`,
    client: `C${i}`,
    therapist: `T${i}`,
    start: '09:00',
    end: '12:00',
    service: 'direct',
  })),
  absences: [{ who: 'T1', start: '00:00', end: '24:00' }],
};

/** Every test starts its own workers, each for only one or two jobs. */
const COLD = { warmUp: false };
const WAITING = { queueLimit: 9, queueLimitOfOne: 9, waitSeconds: 600 };

let pool: SolverPool | undefined;

const start = (settings: Partial<SolverPoolSettings> = {}): SolverPool =>
  (pool = createSolverPool({ size: 1, seconds: 60, memoryLimitMb: 512, ...WAITING, workerData: COLD, ...settings }));

/** A pool with one worker that misbehaves for its first `turns` jobs. */
function startBad(
  mode: BadMode,
  turns: number,
  settings: Partial<SolverPoolSettings> = {},
): { pool: SolverPool; reasons: string[] } {
  const shared = new SharedArrayBuffer(4);
  new Int32Array(shared)[0] = turns;
  const reasons: string[] = [];
  const worker = new URL('./testing/bad-worker.ts', import.meta.url);
  return {
    pool: start({
      worker,
      workerData: { mode, shared, ...COLD },
      onReplaced: (reason) => reasons.push(reason),
      ...settings,
    }),
    reasons,
  };
}

afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

describe('a pool of well-behaved workers', () => {
  test('the pool returns checked options, best first', async () => {
    const answer = await start().solve(problem);
    const options = [{ option: { strategy: 'balanced', proven: true } }];
    expect(answer).toMatchObject({ ok: true, options, unfinished: [] });
    if (answer.ok) expect(answer.options[0]?.option.sessions.map((s) => s.session)).toContain('S1');
  });

  test('the pool refuses a problem that cannot be read, without using a worker', async () => {
    expect(await start().solve({ format: 'other' })).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
  });

  test('the pool refuses pins that clash, and lists their conflicts', async () => {
    const piece = [{ therapist: 'T4', start: '09:00', end: '12:00' }];
    const pins = [
      { session: 'S1', pieces: piece },
      { session: 'S2', pieces: piece },
    ];
    const answer = await start().solve({ ...problem, pins });
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'pins_clash' } });
  });

  test('the pool returns the one plan that covers a given time, or reports that there is none', async () => {
    const mustCover = [{ session: 'S1', start: '09:00', end: '12:00' }];
    const covered = await start().solve(problem, { mustCover });
    expect(covered).toMatchObject({ ok: true });
    const nobody = {
      ...problem,
      absences: problem.therapists.map((t) => ({ who: t.id, start: '00:00', end: '24:00' })),
    };
    expect(await pool?.solve(nobody, { mustCover })).toMatchObject({ ok: false, refusal: { code: 'cannot_cover' } });
  });

  test('when a short time limit ends, the pool returns the options found so far and keeps the worker', async () => {
    const one = start();
    const mustCover = [{ session: 'S1', start: '09:00', end: '12:00' }];
    const hurried = await one.solve(problem, { options: 1, mustCover, within: 0 });
    if (hurried.ok) expect(hurried.options[0]?.option.sessions).toHaveLength(1);
    else expect(hurried.refusal.code).toBe('no_time');
    expect(await one.solve(problem, { options: 1, mustCover })).toMatchObject({ ok: true });
    expect(one.stats().replaced).toBe(0);
  });

  test('a problem has the same result, whichever worker solves it', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => (pool ?? start({ size: 2 })).solve(problem)));
    const texts = answers.map((a) => JSON.stringify(a.ok && a.options.map((o) => o.option)));
    expect(new Set(texts).size).toBe(1);
  });

  test('while the queue is full, a request is refused as busy, with a time to try again', async () => {
    const p = start({ queueLimit: 1 });
    const first = p.solve(problem);
    const second = await p.solve(problem).catch((error: unknown) => error);
    expect(second).toMatchObject({ code: 'busy', headers: { 'retry-after': '60' } });
    expect(await first).toMatchObject({ ok: true });
  });

  test('a request that has waited too long is refused as busy, and an abandoned request is dropped', async () => {
    const bad = startBad('hang', 1, { seconds: 1.5, waitSeconds: 0.2 });
    await bad.pool.ready();
    const running = bad.pool.solve(problem).catch((error: unknown) => error);
    const gone = new AbortController();
    const [late, left] = [bad.pool.solve(problem), bad.pool.solve(problem, { signal: gone.signal })];
    gone.abort();
    await expect(left).rejects.toMatchObject({ code: 'hung-up' });
    await expect(late).rejects.toMatchObject({ code: 'busy' });
    expect(bad.pool.stats()).toMatchObject({ busy: 1, waiting: 0 });
    await expect(bad.pool.solve(problem, { signal: gone.signal })).rejects.toMatchObject({ code: 'hung-up' });
    expect(await running).toMatchObject({ code: 'solver-failed' });
  });

  test('a request that comes while the first worker is still starting is solved, however long the start takes', async () => {
    expect(await start({ waitSeconds: 0.001 }).solve(problem)).toMatchObject({ ok: true });
  });

  test('a new account’s request is solved after at most one request of an account that has many waiting', async () => {
    const p = start({ queueLimit: 99, queueLimitOfOne: 99 });
    const order: string[] = [];
    const ask = (owner: string) => p.solve(problem, { owner }).then(() => order.push(owner));
    const asked = Array.from({ length: 20 }, () => ask('flood'));
    await p.ready();
    await Promise.all([...asked, ask('small'), ask('small'), ask('other')]);
    // One of these requests is already being solved when the others arrive.
    expect(order.indexOf('small')).toBeLessThanOrEqual(2);
    expect(order.lastIndexOf('small')).toBeLessThanOrEqual(5);
    expect(order.indexOf('other')).toBeLessThanOrEqual(3);
  });

  test('accounts with waiting requests share the time limit, and each gets at least a second', async () => {
    const shared = new SharedArrayBuffer(4 * 32);
    const worker = new URL('./testing/bad-worker.ts', import.meta.url);
    const p = start({ worker, workerData: { mode: 'note', shared, ...COLD }, seconds: 20, queueLimit: 99 });
    const owners = ['alone', 'alone', 'alone', ...Array.from({ length: 25 }, (_, i) => `owner ${i}`)];
    // All requests wait until the worker is ready; owners take turns, so the first owner's other two come last.
    const answers = await Promise.all(owners.map((owner) => p.solve(problem, { owner })));
    expect([answers[0], answers[2]]).toMatchObject([{ hurried: true }, { hurried: false }]);
    const limits = [...new Int32Array(shared, 4, owners.length)];
    // At first, 25 others wait; then one fewer each time, and finally none.
    expect(limits.slice(0, 2)).toEqual([1000, 1000]);
    expect(limits.slice(-8).map((ms) => Math.round(ms / 10))).toEqual([286, 333, 400, 500, 667, 1000, 1975, 1975]);
  });

  test('when the queue is full, the account with the most requests loses one, and an account’s only request is never refused', async () => {
    const p = start({ queueLimit: 6 });
    const outcome = (owner: string) =>
      p.solve(problem, { owner }).then(
        () => 'solved',
        () => 'busy',
      );
    const flood = Array.from({ length: 20 }, () => outcome('flood'));
    const small = ['a', 'b', 'c', 'd'].map(outcome);
    expect(new Set(await Promise.all(small))).toEqual(new Set(['solved']));
    const fared = await Promise.all(flood);
    expect(fared.filter((each) => each === 'solved').length).toBeGreaterThanOrEqual(2);
    expect(fared.filter((each) => each === 'busy').length).toBeGreaterThanOrEqual(13);
  });

  test('a worker whose solver has outgrown the memory limit replies and is then replaced', async () => {
    const reasons: string[] = [];
    const p = start({ memoryLimitMb: 1, onReplaced: (reason) => reasons.push(reason) });
    expect(await p.solve(problem)).toMatchObject({ ok: true });
    await p.ready();
    expect(reasons).toEqual(['memory']);
  });

  test('when the pool is closed, its open requests are rejected', async () => {
    const open = start()
      .solve(problem)
      .catch((error: unknown) => error);
    await pool?.close();
    expect(await open).toMatchObject({ code: 'solver-failed' });
  });
});

describe('a pool with a bad worker', () => {
  const recovers: [BadMode, string][] = [
    ['die', 'died'],
    ['throw', 'died'],
    ['nonsense', 'nonsense'],
    ['lies', 'nonsense'],
    ['silent-exit', 'nonsense'],
    ['heap', 'died'],
  ];
  test.each(recovers)(
    'given a worker that misbehaves once (%s), the pool tries again and the request gets its reply',
    async (mode, reason) => {
      const bad = startBad(mode, 1, { seconds: 60 });
      expect(await bad.pool.solve(problem)).toMatchObject({ ok: true });
      expect(bad.reasons).toEqual([reason]);
    },
  );

  test.each(recovers.slice(2, 4))(
    'given a worker that misbehaves twice (%s), the request fails and the next one is solved',
    async (mode, reason) => {
      const bad = startBad(mode, 2, { seconds: 60 });
      const failed = await bad.pool.solve(problem).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: 'solver-failed' });
      expect(bad.reasons).toEqual([reason, reason]);
      expect(await bad.pool.solve(problem)).toMatchObject({ ok: true });
    },
  );

  test('given a worker that hangs, its request fails at the deadline and the next one is solved', async () => {
    const bad = startBad('hang', 1, { seconds: 0.2 });
    const failed = await bad.pool.solve(problem).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'solver-failed' });
    expect(bad.reasons).toEqual(['hung']);
    expect(await bad.pool.solve(problem, { seconds: 60 })).toMatchObject({ ok: true });
    expect(bad.pool.stats()).toMatchObject({ replaced: 1, busy: 0, waiting: 0 });
  });

  test('given a worker that finds options and then hangs, the pool returns the options at the deadline', async () => {
    const bad = startBad('hang-after-option', 1, { seconds: 2 });
    const answer = await bad.pool.solve(problem);
    // Of the other strategies, nobody knows whether they have a plan of their own.
    const unfinished = STRATEGY_ORDER.slice(1);
    expect(answer).toMatchObject({ ok: true, options: [{ option: { strategy: 'balanced' } }], unfinished });
    expect(bad.reasons).toEqual(['hung']);
  });

  test('a worker that dies before it is ready is soon replaced', async () => {
    const bad = startBad('never-ready', 1, { seconds: 60 });
    expect(await bad.pool.solve(problem)).toMatchObject({ ok: true });
    expect(bad.reasons).toEqual(['died']);
  });
});
