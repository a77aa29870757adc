// This file is over 250 lines because it tests every order in which options are found, kept and asked for.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { CoverProblem } from '@clinic/cover-engine';
import { coverDay } from '@clinic/testkit';
import { Refusal } from '../../../platform/refusal.ts';
import type { Spare } from '../../../solver/task.ts';
import type { Asker, SolvedAnswer } from './solve-days.ts';
import { makeSolvedAhead } from './solved-ahead.ts';
import { openSolver, type SolverSettings } from './solver.ts';

describe('keeping answers', () => {
  const problem = (of: Partial<CoverProblem> = {}): CoverProblem => ({
    format: 'cover-problem/2',
    date: '2030-11-22',
    location: 'altamonte',
    now: null,
    therapists: [],
    clients: [],
    sessions: [],
    absences: [],
    ...of,
  });
  const there = problem({ location: 'orlando' });
  const answer = (total: number, sessions = 0): SolvedAnswer => ({
    format: 'cover-options/1',
    options: [
      {
        strategy: 'balanced',
        proven: true,
        bound: total,
        score: { total },
        sessions: Array.from({ length: sessions }, (_, n) => ({ session: `${n}`, pieces: [] })),
      },
    ],
  });

  const stopped = (gone?: AbortSignal) =>
    new Promise((_, reject) => {
      gone?.addEventListener('abort', () => reject(new Refusal('hung-up')));
    });

  /**
   * A solver for these tests: each problem's answer has the next number. Jobs for Option 1 alone are counted apart, and
   * end at once; `proves`: whether they prove it best. Time is up before the end of the first `timeUp` searches for all
   * options. The first `stops` jobs for the rest of the options are
   * stopped, each after two seconds.
   */
  function desk({
    begins = true,
    ends = true,
    hurried = false,
    sessions = 0,
    proves = true,
    stops = 0,
    timeUp = 0,
  } = {}) {
    const gone: AbortSignal[] = [];
    const log: string[] = [];
    const first = (): SolvedAnswer => {
      const { options, ...rest } = answer(0);
      return { ...rest, options: options.map((option) => ({ ...option, proven: proves })) };
    };
    const spares: Spare[] = [];
    const longer: (number | undefined)[] = [];
    let [time, solved] = [0, 0];
    const next = (): SolvedAnswer => {
      const own = ++solved;
      return { ...answer(own, sessions), ...(own <= timeUp ? { unfinished: ['alternative'] } : {}) };
    };
    let end: () => void = () => {};
    const wait = new Promise<void>((resolve) => (end = resolve));
    const ahead = makeSolvedAhead(
      {
        solve: () => {
          log.push('all');
          return Promise.resolve({ ...next(), hurried });
        },
        solveFirst: () => {
          log.push('first');
          return Promise.resolve(first());
        },
        solveSpare: async (_, asker, spare, seconds) => {
          log.push(`spare ${spare.rank}`);
          if (asker.gone?.aborted) throw new Refusal('hung-up');
          if (spare.rank === 'rest' && stops-- > 0) {
            spare.begun = begins;
            time += 2000;
            throw new Refusal('hung-up');
          }
          spare.begun = begins;
          if (spare.rank === 'first') return first();
          spares.push(spare);
          longer.push(seconds);
          if (asker.gone) gone.push(asker.gone);
          const own = next();
          if (!ends) await (spare.rank === 'rest' ? Promise.race([wait, stopped(asker.gone)]) : wait);
          return own;
        },
      },
      () => time,
    );
    const begin = (account: string, of: CoverProblem) => ahead.begin({ account })(of);
    /** The number of the answer that the account gets. */
    const number = async (account: string, of: CoverProblem) =>
      (await ahead.solve(of, { account })).options[0]?.score.total;
    const ask = async (
      how: 'solveFirst' | 'solveRest' | 'solveLonger',
      account: string,
      of: CoverProblem,
      signal?: AbortSignal,
    ) => {
      const { options, more } = await ahead[how](of, { account, gone: signal });
      return more ? 'Option 1' : options[0]?.score.total;
    };
    return { ahead, begin, number, ask, log, gone, spares, longer, end, pass: (ms: number) => void (time += ms) };
  }

  test('an answer is used for ten minutes, for every account, but only for its own problem', async () => {
    const { begin, number, pass } = desk();
    await begin('a', problem());
    expect([await number('a', problem()), await number('b', problem())]).toEqual([1, 1]);
    expect([await number('a', there), await number('b', there)]).toEqual([2, 2]);
    await begin('b', there);
    pass(10 * 60_000 - 1);
    expect(await number('a', problem())).toBe(1);
    pass(1);
    expect(await number('a', problem())).toBe(3);
  });

  test('an answer that was found in less time than usual is not used again', async () => {
    const { number } = desk({ hurried: true });
    expect([await number('a', problem()), await number('a', problem())]).toEqual([1, 2]);
  });

  test('given a search that ran out of time, its answer is used for 20 seconds only, also for other accounts', async () => {
    const { number, pass } = desk({ timeUp: 1 });
    expect([await number('a', problem()), await number('b', problem())]).toEqual([1, 1]);
    pass(20_000);
    expect([await number('b', problem()), await number('a', problem())]).toEqual([2, 2]);
    pass(9 * 60_000);
    expect(await number('a', problem())).toBe(2);
  });

  test('given a search that ran out of time, looking longer searches again in spare time, and everyone gets what it finds', async () => {
    const { number, ask, log, longer, pass } = desk({ timeUp: 1 });
    expect(await number('a', problem())).toBe(1);
    expect(await ask('solveLonger', 'a', problem())).toBe(2);
    expect([log, longer]).toEqual([['all', 'spare rest'], [20]]);
    pass(60_000);
    expect([await number('b', problem()), await ask('solveLonger', 'b', problem())]).toEqual([2, 2]);
    expect(log).toHaveLength(2);
  });

  test('given requests that always come first, looking longer gives up making way after ten seconds', async () => {
    const { number, ask, log } = desk({ timeUp: 9, stops: 9 });
    await number('a', problem());
    expect(await ask('solveLonger', 'a', problem())).toBe(1);
    expect(log).toEqual(['all', ...Array<string>(5).fill('spare rest')]);
  });

  test('an answer is used whatever the order of absences, but only in the same quarter hour', async () => {
    const { number } = desk();
    const away = ['A', 'B'].map((who) => ({ who, start: '08:00', end: '09:00' }));
    const at = (now: string, absences: CoverProblem['absences'] = []) => number('a', problem({ now, absences }));
    expect([await at('08:01', away), await at('08:14', away.toReversed())]).toEqual([1, 1]);
    expect([await at('08:14'), await at('08:16')]).toEqual([2, 3]);
  });

  test('at most 50,000 plans of sessions are kept: the oldest answers are dropped first', async () => {
    const { number } = desk({ sessions: 9_999 });
    const days = ['01', '02', '03', '04', '05', '06'].map((day) => problem({ date: `2030-11-${day}` }));
    const numbers = async (of: readonly CoverProblem[]) => {
      const found: (number | undefined)[] = [];
      for (const each of of) found.push(await number('a', each));
      return found;
    };
    expect(await numbers(days.slice(0, 5))).toEqual([1, 2, 3, 4, 5]);
    expect(await numbers(days.slice(0, 5))).toEqual([1, 2, 3, 4, 5]);
    expect(await numbers(days.slice(5))).toEqual([6]);
    expect(await numbers(days)).toEqual([7, 8, 9, 10, 11, 12]);
  });

  test('when an account asks for another problem to be solved ahead, the account’s earlier problem is dropped', async () => {
    const { begin, gone } = desk({ ends: false });
    void begin('a', problem());
    void begin('b', problem());
    await nextTurn();
    void begin('a', there);
    await nextTurn();
    expect(gone.map((each) => each.aborted)).toEqual([true, false, false]);
  });

  test('a job that no worker has begun is dropped if a request needs its answer, and the problem is solved like any other', async () => {
    const { begin, number, gone } = desk({ begins: false, ends: false });
    void begin('a', problem());
    await nextTurn();
    expect(await number('a', problem())).toBe(2);
    expect(gone[0]?.aborted).toBe(true);
  });

  test('if a request waits for an answer that is being found ahead, the job is marked as wanted', async () => {
    const { begin, number, spares, end } = desk({ ends: false });
    void begin('a', problem());
    await nextTurn();
    const found = number('a', problem());
    end();
    expect(await found).toBe(1);
    expect(spares).toEqual([{ rank: 'guess', begun: true, wanted: true }]);
  });

  /** A solver whose jobs all wait until the test ends one. A waiting job is dropped when its asker is gone. */
  function line() {
    const jobs: { account: string; end: (answer: SolvedAnswer) => void; fail: () => void; dropped: boolean }[] = [];
    const wait = (_: CoverProblem, asker?: Asker) =>
      new Promise<SolvedAnswer>((resolve, reject) => {
        const fail = () => reject(new Refusal('busy'));
        const job = { account: asker?.account ?? '', end: resolve, fail, dropped: false };
        asker?.gone?.addEventListener('abort', () => {
          job.dropped = true;
          reject(new Refusal('hung-up'));
        });
        jobs.push(job);
      });
    return { ahead: makeSolvedAhead({ solve: wait, solveFirst: wait, solveSpare: wait }), jobs };
  }
  const totals = (answers: readonly SolvedAnswer[]) => answers.map(({ options }) => options[0]?.score.total);

  test.each(['solve', 'solveFirst', 'solveRest'] as const)(
    'when several accounts wait for the same answer (%s), the first answer is for all of them, and the other jobs are dropped',
    async (how) => {
      const { ahead, jobs } = line();
      const asked = ['a', 'b', 'c'].map((account) => ahead[how](problem(), { account }));
      const other = ahead[how](there, { account: 'd' });
      await nextTurn();
      expect(jobs.map(({ account }) => account)).toEqual(['a', 'b', 'c', 'd']);
      jobs[1]?.end(answer(7));
      expect(totals(await Promise.all(asked))).toEqual([7, 7, 7]);
      expect([jobs[0]?.dropped, jobs[2]?.dropped, jobs[3]?.dropped]).toEqual([true, true, false]);
      jobs[3]?.end(answer(8));
      expect(totals([await other])).toEqual([8]);
    },
  );

  test('what is being solved ahead is dropped when another account gets the same answer', async () => {
    const { ahead, jobs } = line();
    const guess = ahead.begin({ account: 'a' })(problem());
    jobs[0]?.end(answer(7));
    await nextTurn();
    const asked = ahead.solve(problem(), { account: 'b' });
    await nextTurn();
    expect(jobs.map(({ account }) => account)).toEqual(['a', 'a', 'b']);
    jobs[2]?.end(answer(8));
    expect(totals([await asked, await guess])).toEqual([8, 8]);
    expect(jobs[1]?.dropped).toBe(true);
  });

  test('a request that the solver refuses does not affect another account’s request with the same problem', async () => {
    const { ahead, jobs } = line();
    const [refused, other] = ['a', 'b'].map((account) => ahead.solve(problem(), { account }));
    await nextTurn();
    jobs[0]?.fail();
    await expect(refused).rejects.toMatchObject({ code: 'busy' });
    expect(jobs[1]?.dropped).toBe(false);
    jobs[1]?.end(answer(7));
    expect(await other).toMatchObject(answer(7));
  });

  test('at most 64 accounts have problems solved ahead', async () => {
    const { ahead, begin, gone } = desk({ ends: false });
    for (let i = 0; i < 64; i++) void begin(`${i}`, problem());
    await nextTurn();
    for (let i = 64; i < 70; i++) void begin(`${i}`, problem());
    await nextTurn();
    expect(ahead.accounts()).toBe(64);
    expect(gone.filter((each) => each.aborted)).toHaveLength(6);
  });

  describe('Option 1 before the others', () => {
    test('a page that waits for Option 1 gets it alone, and every page with the same problem gets the same Option 1', async () => {
      const { ask, log } = desk();
      expect([await ask('solveFirst', 'a', problem()), await ask('solveFirst', 'b', problem())]).toEqual([
        'Option 1',
        'Option 1',
      ]);
      expect(log).toEqual(['first']);
    });

    test('a page that waits for all options never gets Option 1 alone', async () => {
      const { ask, number, log } = desk();
      await ask('solveFirst', 'a', problem());
      expect([await number('a', problem()), log]).toEqual([1, ['first', 'all']]);
      expect(await ask('solveFirst', 'a', problem())).toBe(1);
    });

    test('if Option 1 cannot be proven best quickly, the page waits for all options, and Option 1 is not tried again', async () => {
      const { ask, log, pass } = desk({ proves: false, hurried: true });
      expect([await ask('solveFirst', 'a', problem()), await ask('solveFirst', 'b', problem())]).toEqual([1, 2]);
      expect(log).toEqual(['first', 'all', 'all']);
      pass(10 * 60_000);
      await ask('solveFirst', 'a', problem());
      expect(log.slice(3)).toEqual(['first', 'all']);
    });

    test('if Option 1 could not be proven best in spare time, a save tries again', async () => {
      const { begin, ask, log } = desk({ proves: false, ends: false });
      void begin('a', problem());
      await nextTurn();
      expect(await ask('solveFirst', 'b', problem())).toBe(2);
      expect(log).toEqual(['spare first', 'spare guess', 'first', 'all']);
    });

    test('ahead of a save, Option 1 is found first, and the save gets it while the other options are still being found', async () => {
      const { begin, ask, log, end } = desk({ ends: false });
      void begin('a', problem());
      await nextTurn();
      expect(log).toEqual(['spare first', 'spare guess']);
      expect(await ask('solveFirst', 'a', problem())).toBe('Option 1');
      const rest = ask('solveRest', 'a', problem());
      end();
      expect([await rest, log]).toEqual([1, ['spare first', 'spare guess']]);
    });

    test('a search for the rest of the options waits for other people’s requests, but after five seconds it counts as a request', async () => {
      const { ask, log } = desk({ stops: 1 });
      expect([await ask('solveRest', 'a', problem()), log]).toEqual([1, ['spare rest', 'spare rest']]);
      const busy = desk({ stops: 9 });
      expect(await busy.ask('solveRest', 'a', problem())).toBe(1);
      expect(busy.log).toEqual(['spare rest', 'spare rest', 'spare rest', 'all']);
    });

    test('after five seconds, a search for the rest of the options is no longer stopped; if it has not begun, it counts as a request', async () => {
      vi.useFakeTimers();
      const begun = desk({ ends: false });
      const rest = begun.ask('solveRest', 'a', problem());
      const waiting = desk({ ends: false, begins: false });
      const late = waiting.ask('solveRest', 'a', problem());
      await vi.advanceTimersByTimeAsync(4999);
      expect([begun.spares[0]?.wanted, waiting.log]).toEqual([false, ['spare rest']]);
      await vi.advanceTimersByTimeAsync(1);
      vi.useRealTimers();
      expect([begun.spares[0]?.wanted, waiting.log]).toEqual([true, ['spare rest', 'all']]);
      begun.end();
      expect([await rest, await late]).toEqual([1, 2]);
    });

    test('if there is no room for a search for the rest of the options, it counts as a request at once', async () => {
      const { ask, log } = desk({ begins: false, stops: 9 });
      expect([await ask('solveRest', 'a', problem()), log]).toEqual([1, ['spare rest', 'all']]);
    });

    test('once a page is closed, the rest of its options is not searched for again', async () => {
      const { ask, log } = desk({ stops: 9 });
      await expect(ask('solveRest', 'a', problem(), AbortSignal.abort())).rejects.toThrow(Refusal);
      expect(log).toEqual(['spare rest']);
    });
  });
});

describe('the time that a solve had', () => {
  const small = coverDay({ seed: 3, therapists: 8, clients: 8, absent: 0.15 });
  const hard = coverDay({ seed: 3, therapists: 40, clients: 44, absent: 0.5 });

  /** Lets as many accounts as given ask for a day at once; returns which of their solves were hurried. */
  async function ask(settings: SolverSettings, day: CoverProblem, accounts: number): Promise<(boolean | undefined)[]> {
    const solver = openSolver(settings);
    try {
      await solver.solve(small);
      const all = Array.from({ length: accounts }, (_, n) => solver.solve(day, { account: `${n}` }));
      return (await Promise.all(all)).map(({ hurried }) => hurried);
    } finally {
      await solver.close();
    }
  }

  test('a solve is hurried if others shortened its time, or if its time ended before everything was found', async () => {
    expect(await ask({ seconds: 60, workers: 1 }, small, 2)).toEqual([false, false]);
    expect((await ask({ seconds: 2, workers: 1 }, small, 60)).at(-1)).toBe(true);
    // In a tenth of a second, a busy machine may not even find the first plan. It then gets twice the time.
    const withPlan = async (seconds: number): Promise<(boolean | undefined)[]> => {
      try {
        return await ask({ seconds, workers: 1 }, hard, 1);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return withPlan(2 * seconds);
      }
    };
    expect(await withPlan(0.1)).toEqual([true]);
  });
});
