/**
 * Solves problems while a coordinator is still marking absences or selecting pins, so that the answers are ready when
 * the coordinator saves or refreshes.
 */
import { performance } from 'node:perf_hooks';
import type { CoverAnswer } from '@clinic/cover-engine';
import type { Spare } from '../../../solver/task.ts';
import { keyOf, makeFoundAnswers } from './found-answers.ts';
import type { Asker, Solve } from './solve-days.ts';
import type { Solver } from './solver.ts';

/**
 * How many accounts may have problems being solved ahead. Beyond that, the problems of the account with the oldest
 * request are dropped first.
 */
const MOST_ACCOUNTS = 64;

export interface SolvedAhead {
  /** Solves like the solver, unless the same problem was solved recently, or is being solved ahead for the account. */
  solve: Solve;
  /** Begins to solve an account's problems ahead, and drops those that are being solved ahead for it. */
  begin(asker: Asker): Solve;
  /** How many accounts have begun to solve ahead. */
  accounts(): number;
}

/** A problem that is being solved ahead. */
interface Plan {
  readonly spare: Spare;
  readonly answer: Promise<CoverAnswer>;
}

/** One account's problems that are being solved ahead, by key. */
interface Ahead {
  readonly plans: Map<string, Plan>;
  readonly dropped: AbortController;
}

/** @param now returns the time in milliseconds, by a clock that never goes back */
export function makeSolvedAhead(
  solver: Pick<Solver, 'solve' | 'solveSpare'>,
  now: () => number = () => performance.now(),
): SolvedAhead {
  const found = makeFoundAnswers(now);
  /** The problems that are being solved ahead, by account; the account with the newest request is at the end. */
  const all = new Map<string, Ahead>();

  function drop(account: string): void {
    all.get(account)?.dropped.abort();
    all.delete(account);
  }

  /**
   * Takes the problem that is being solved ahead for the account, if a worker has begun it. Otherwise drops everything
   * that is being solved ahead for the account, to make room for its request.
   */
  function take(account: string, key: string): Plan | undefined {
    const plan = all.get(account)?.plans.get(key);
    if (plan?.spare.begun) {
      plan.spare.wanted = true;
      return plan;
    }
    drop(account);
    return undefined;
  }

  return {
    async solve(problem, asker) {
      const key = keyOf(problem);
      const known = found.get(key);
      if (known) return known;
      const again = async () => found.keep(key, await solver.solve(problem, asker));
      const plan = asker && take(asker.account, key);
      return plan ? plan.answer.catch(again) : again();
    },
    begin(asker) {
      drop(asker.account);
      const ahead: Ahead = { plans: new Map(), dropped: new AbortController() };
      all.set(asker.account, ahead);
      for (const account of all.keys()) if (all.size > MOST_ACCOUNTS) drop(account);
      const gone = AbortSignal.any([ahead.dropped.signal, ...(asker.gone ? [asker.gone] : [])]);
      return async (problem) => {
        const key = keyOf(problem);
        const known = found.get(key);
        if (known) return known;
        const spare: Spare = { begun: false, wanted: false };
        const answer = solver
          .solveSpare(problem, { account: asker.account, gone }, spare)
          .then((solved) => found.keep(key, solved))
          .finally(() => ahead.plans.delete(key));
        ahead.plans.set(key, { spare, answer });
        return answer;
      };
    },
    accounts: () => all.size,
  };
}
