/**
 * Solves problems for pages: Option 1 as soon as it is found, and the other options when the page asks for the rest.
 * What was found lately is not looked for again. An answer depends only on its problem, and each problem is made from
 * data that its account may read; so accounts with the same problem share an answer.
 */
import type { CoverOption, CoverProblem } from '@clinic/cover-engine';
import { Refusal } from '../../platform/refusal.ts';
import { keyOf } from '../../solver/problem-key.ts';
import type { Asker, Solve, SolvedAnswer } from './solve-days.ts';
import type { Solver } from './solver.ts';

/** How long an answer is kept, in milliseconds. */
const KEPT_MS = 10 * 60_000;
/** How long an answer is kept whose search ran out of time: the same request soon after would find no more. */
const UNFINISHED_MS = 20_000;
/** How many plans of sessions are kept, counting all options of all answers: some 20 MB. */
const MOST_PLANS = 50_000;

/** What a page waits for: Option 1, the rest of the options, those not found in time, or (undefined) all of them. */
export type WaitFor = 'first' | 'rest' | 'longer' | undefined;

/** Returns how to solve for a page. */
export type SolveFor = (waitFor?: WaitFor) => Solve;

/** The answers found lately, by their problems' keys. */
function makeKept(now: () => number) {
  /** The oldest first. */
  const kept = new Map<string, { answer: SolvedAnswer; plans: number; until: number }>();
  let plans = 0;

  function drop(key: string): void {
    plans -= kept.get(key)?.plans ?? 0;
    kept.delete(key);
  }

  return {
    get(key: string): SolvedAnswer | undefined {
      const found = kept.get(key);
      return found && now() < found.until ? found.answer : undefined;
    },
    keep(key: string, { hurried = false, ...answer }: SolvedAnswer): SolvedAnswer {
      if (hurried) return answer;
      drop(key);
      const size = answer.options.reduce((sum, { sessions }) => sum + sessions.length, 1);
      const whole = !answer.unfinished && answer.options.every(({ proven }) => proven);
      kept.set(key, { answer, plans: size, until: now() + (whole ? KEPT_MS : UNFINISHED_MS) });
      plans += size;
      for (const [oldest, { until }] of kept) if (plans > MOST_PLANS || until <= now()) drop(oldest);
      return answer;
    },
  };
}

/** A problem that is being solved for a page that shows Option 1 before the others. */
interface Open {
  /** Option 1 alone, or all options if Option 1 is not proven best before. */
  readonly first: Promise<SolvedAnswer>;
  readonly all: Promise<SolvedAnswer>;
}

/** @param now returns the time in milliseconds, by a clock that never goes back */
export function makeSolves(solver: Pick<Solver, 'solve'>, now: () => number = () => performance.now()): SolveFor {
  const kept = makeKept(now);
  /** By account and problem. */
  const opens = new Map<string, Open>();

  function begin(key: string, problem: CoverProblem, asker?: Asker): Open {
    const id = `${asker?.account} ${key}`;
    const open = opens.get(id);
    if (open) return open;
    let onFirst: (option: CoverOption) => void = () => undefined;
    const early = new Promise<SolvedAnswer>((resolve) => {
      onFirst = (option) => resolve({ format: 'cover-options/1', options: [option], more: true });
    });
    const all = solver
      .solve(problem, asker, { onFirst })
      .then((answer) => kept.keep(key, answer))
      .finally(() => opens.delete(id));
    // A page that is closed after Option 1 never asks for the rest.
    all.catch(() => undefined);
    const begun = { first: Promise.race([early, all]), all };
    opens.set(id, begun);
    return begun;
  }

  /** Solves, or waits for a solve that the account has begun; again, if another of its requests gave that one up. */
  async function inOpen(part: keyof Open, key: string, problem: CoverProblem, asker?: Asker): Promise<SolvedAnswer> {
    for (;;) {
      const known = kept.get(key);
      if (known) return known;
      try {
        return await begin(key, problem, asker)[part];
      } catch (error) {
        if (!isGone(error) || asker?.gone?.aborted !== false) throw error;
      }
    }
  }

  const longer: Solve = async (problem, asker) => {
    const key = keyOf(problem);
    const known = kept.get(key);
    if (known && !known.unfinished) return known;
    const found = await solver.solve(problem, asker, { longer: true });
    return kept.keep(key, known && known.options.length > found.options.length ? known : found);
  };

  return (waitFor) => {
    if (waitFor === 'longer') return longer;
    const part = waitFor === 'first' ? 'first' : 'all';
    if (waitFor) return (problem, asker) => inOpen(part, keyOf(problem), problem, asker);
    return async (problem, asker) => {
      const key = keyOf(problem);
      return kept.get(key) ?? kept.keep(key, await solver.solve(problem, asker));
    };
  };
}

/** Whether a solve ended because the request that began it was given up. */
export const isGone = (error: unknown): boolean => error instanceof Refusal && error.code === 'hung-up';
