import { describe, expect, test } from 'vitest';
import type { CoverOption, CoverProblem } from '@clinic/cover-engine';
import { Refusal } from '../../platform/refusal.ts';
import type { Asker, SolvedAnswer } from './solve-days.ts';
import type { SolveHow } from './solver.ts';
import { makeSolves, type WaitFor } from './solves.ts';

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

const option = (total: number, sessions = 0): CoverOption => ({
  strategy: 'balanced',
  proven: true,
  bound: total,
  score: { total },
  sessions: Array.from({ length: sessions }, (_, n) => ({ session: `${n}`, pieces: [] })),
});
const answer = (total: number, more: Partial<SolvedAnswer> = {}): SolvedAnswer => ({
  format: 'cover-options/1',
  options: [option(total)],
  ...more,
});
const timeUp: Partial<SolvedAnswer> = { unfinished: ['alternative'] };

interface Job {
  readonly account: string | undefined;
  readonly how: SolveHow;
  readonly end: (answer: SolvedAnswer) => void;
}

/** A solver whose jobs wait until the test ends them. A job is dropped when its asker is gone. */
function desk() {
  const jobs: Job[] = [];
  let time = 0;
  const solve = (_: CoverProblem, asker?: Asker, how: SolveHow = {}) =>
    new Promise<SolvedAnswer>((resolve, reject) => {
      asker?.gone?.addEventListener('abort', () => reject(new Refusal('hung-up')));
      jobs.push({ account: asker?.account, how, end: resolve });
    });
  const solveFor = makeSolves({ solve }, () => time);
  /** Asks; `total` is Option 1's number once there is an answer, with a plus if more options follow. */
  const ask = (account: string, of = problem(), waitFor?: WaitFor, gone?: AbortSignal) =>
    solveFor(waitFor)(of, { account, gone }).then(
      ({ options, more }) => `${options[0]?.score.total}${more ? '+' : ''}`,
      (error: unknown) => (error instanceof Refusal ? error.code : 'failed'),
    );
  /** Asks, ends the job that this needs, if it needs one, and returns the number. */
  async function asked(total: number, ...of: Parameters<typeof ask>): Promise<string> {
    const before = jobs.length;
    const found = ask(...of);
    await Promise.resolve();
    if (jobs.length > before) jobs.at(-1)?.end(answer(total));
    return found;
  }
  return { jobs, ask, asked, pass: (ms: number) => void (time += ms) };
}

describe('answers found lately', () => {
  test('an answer is used for ten minutes, for every account, but only for its own problem', async () => {
    const { asked, pass } = desk();
    expect([await asked(1, 'a'), await asked(2, 'b'), await asked(3, 'a', there)]).toEqual(['1', '1', '3']);
    pass(10 * 60_000 - 1);
    expect(await asked(4, 'a')).toBe('1');
    pass(1);
    expect(await asked(5, 'a')).toBe('5');
  });

  test('an answer is used whatever the order of absences, but only in the same quarter hour', async () => {
    const { asked } = desk();
    const away = ['A', 'B'].map((who) => ({ who, start: '08:00', end: '09:00' }));
    const at = (n: number, now: string, absences = away) => asked(n, 'a', problem({ now, absences }));
    expect([await at(1, '08:01'), await at(2, '08:14', away.toReversed())]).toEqual(['1', '1']);
    expect(await at(3, '08:16')).toBe('3');
  });

  test('an answer that was found in less time than usual is not used again', async () => {
    const { jobs, ask, asked } = desk();
    const first = ask('a');
    jobs[0]?.end(answer(1, { hurried: true }));
    expect([await first, await asked(2, 'a')]).toEqual(['1', '2']);
  });

  test.each([timeUp, { options: [{ ...option(1), proven: false, bound: 0 }] }])(
    'given a search that ran out of time (%j), its answer is used for 20 seconds only',
    async (more) => {
      const { jobs, ask, asked, pass } = desk();
      const first = ask('a');
      jobs[0]?.end(answer(1, more));
      expect([await first, await asked(2, 'b')]).toEqual(['1', '1']);
      pass(20_000);
      expect(await asked(3, 'b')).toBe('3');
    },
  );

  test('at most 50,000 plans of sessions are kept: the oldest answers are dropped first', async () => {
    const { jobs, ask } = desk();
    const days = ['01', '02', '03', '04', '05', '06'].map((day) => problem({ date: `2030-11-${day}` }));
    for (const day of days) {
      const found = ask('a', day);
      jobs.at(-1)?.end(answer(1, { options: [option(1, 9_999)] }));
      await found;
    }
    await ask('a', days[5]);
    expect(jobs).toHaveLength(6);
    void ask('a', days[0]);
    expect(jobs).toHaveLength(7);
  });

  test('a request that the solver refuses does not affect the next one', async () => {
    const { ask, asked } = desk();
    const hangsUp = new AbortController();
    const refused = ask('a', problem(), undefined, hangsUp.signal);
    hangsUp.abort();
    expect([await refused, await asked(2, 'a')]).toEqual(['hung-up', '2']);
  });
});

describe('Option 1 before the others', () => {
  test('a page gets Option 1 as soon as it is found, and the rest from the same solve', async () => {
    const { jobs, ask } = desk();
    const first = ask('a', problem(), 'first');
    jobs[0]?.how.onFirst?.(option(1));
    expect(await first).toBe('1+');
    const rest = ask('a', problem(), 'rest');
    jobs[0]?.end(answer(1));
    expect([await rest, await ask('a', problem(), 'first'), jobs.length]).toEqual(['1', '1', 1]);
  });

  test('a page that asks for the rest after the solve has ended gets what it found', async () => {
    const { jobs, ask } = desk();
    const first = ask('a', problem(), 'first');
    jobs[0]?.how.onFirst?.(option(1));
    jobs[0]?.end(answer(1, timeUp));
    expect([await first, await ask('a', problem(), 'rest'), jobs.length]).toEqual(['1+', '1', 1]);
  });

  test('if Option 1 is not proven best, the page waits for all options', async () => {
    const { jobs, ask } = desk();
    const first = ask('a', problem(), 'first');
    jobs[0]?.end(answer(1));
    expect(await first).toBe('1');
  });

  test('a page that waits for all options never gets Option 1 alone', async () => {
    const { jobs, ask } = desk();
    void ask('a', problem(), 'first');
    const all = ask('a');
    expect([jobs.length, jobs[1]?.how.onFirst]).toEqual([2, undefined]);
    jobs[1]?.end(answer(1));
    expect(await all).toBe('1');
  });

  test('each account has its own solve, so that one that hangs up takes nothing from another', async () => {
    const { jobs, ask } = desk();
    const [hangsUp, other] = [new AbortController(), new AbortController()];
    const gone = ask('a', problem(), 'first', hangsUp.signal);
    const stays = ask('b', problem(), 'first', other.signal);
    expect(jobs.map(({ account }) => account)).toEqual(['a', 'b']);
    hangsUp.abort();
    expect(await gone).toBe('hung-up');
    jobs[1]?.end(answer(2));
    expect(await stays).toBe('2');
  });

  test('given two requests of one account, of which the first hangs up, the second solves again', async () => {
    const { jobs, ask } = desk();
    const [hangsUp, other] = [new AbortController(), new AbortController()];
    const gone = ask('a', problem(), 'first', hangsUp.signal);
    const stays = ask('a', problem(), 'rest', other.signal);
    hangsUp.abort();
    expect(await gone).toBe('hung-up');
    await expect.poll(() => jobs.length).toBe(2);
    jobs[1]?.end(answer(2));
    expect(await stays).toBe('2');
  });
});

describe('looking longer', () => {
  test('given a search that ran out of time, looking longer searches again, and everyone gets what it finds', async () => {
    const { jobs, ask, pass } = desk();
    const first = ask('a');
    jobs[0]?.end(answer(1, timeUp));
    await first;
    const longer = ask('a', problem(), 'longer');
    expect(jobs[1]?.how).toEqual({ longer: true });
    jobs[1]?.end(answer(2));
    expect(await longer).toBe('2');
    pass(60_000);
    expect([await ask('b'), await ask('b', problem(), 'longer'), jobs.length]).toEqual(['2', '2', 2]);
  });

  test('looking longer never returns fewer options than are known', async () => {
    const { jobs, ask } = desk();
    const first = ask('a');
    jobs[0]?.end(answer(1, { ...timeUp, options: [option(1), option(3)] }));
    await first;
    const longer = ask('a', problem(), 'longer');
    jobs[1]?.end(answer(2, timeUp));
    expect(await longer).toBe('1');
  });
});
