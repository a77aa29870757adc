/**
 * Solves problems while a coordinator is still marking absences or selecting pins, so that the answers are ready when
 * the coordinator saves or refreshes. Finds Option 1 before the other options, so that a page can show it early.
 */
import { performance } from 'node:perf_hooks';
import { Refusal } from '../../../platform/refusal.ts';
import type { Spare } from '../../../solver/task.ts';
import { keyOf, makeFoundAnswers } from './found-answers.ts';
import type { Asker, Solve, SolvedAnswer } from './solve-days.ts';
import type { Solver } from './solver.ts';

/**
 * How many accounts may have problems being solved ahead. Beyond that, the problems of the account with the oldest
 * request are dropped first.
 */
const MOST_ACCOUNTS = 64;
/** For how many milliseconds a search for the rest of the options makes way for requests. Then it is one itself. */
const REST_MS = 5000;

export interface SolvedAhead {
  /** Solves like the solver, unless the same problem was solved recently, or is being solved ahead for the account. */
  solve: Solve;
  /**
   * Like `solve`, but returns Option 1 alone (`more`) if all options are not known yet. Returns all options if Option 1
   * cannot be proven best within a second.
   */
  solveFirst: Solve;
  /** Like `solve`, for a page that shows Option 1 already: other people's requests go first. */
  solveRest: Solve;
  /** Begins to solve an account's problems ahead, and drops those that are being solved ahead for it. */
  begin(asker: Asker): Solve;
  /** How many accounts have begun to solve ahead. */
  accounts(): number;
}

/** How to solve for a page that waits for Option 1 (`first`), for the rest of the options, or for all of them. */
export const solveFor = (ahead: SolvedAhead, waitFor: 'first' | 'rest' | undefined): Solve =>
  ({ all: ahead.solve, first: ahead.solveFirst, rest: ahead.solveRest })[waitFor ?? 'all'];

/** A problem that is being solved ahead: first for Option 1, then for all options. */
interface Plan {
  readonly head: Spare;
  readonly first: Promise<SolvedAnswer>;
  readonly spare: Spare;
  readonly answer: Promise<SolvedAnswer>;
}

/** One account's problems that are being solved ahead, by key. */
interface Ahead {
  readonly plans: Map<string, Plan>;
  readonly dropped: AbortController;
}

/** @param now returns the time in milliseconds, by a clock that never goes back */
export function makeSolvedAhead(
  solver: Pick<Solver, 'solve' | 'solveFirst' | 'solveSpare'>,
  now: () => number = () => performance.now(),
): SolvedAhead {
  const found = makeFoundAnswers(now);
  /** Option 1 of problems whose other options are not known yet; no option if it could not be found quickly. */
  const firsts = makeFoundAnswers(now);
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
  function take(account: string, key: string, part: 'head' | 'spare'): Plan | undefined {
    const plan = all.get(account)?.plans.get(key);
    if (plan?.[part].begun) {
      plan[part].wanted = true;
      return plan;
    }
    drop(account);
    return undefined;
  }

  /** Keeps Option 1 if it is proven best; otherwise, keeps that the problem has no quick first option. */
  function keepFirst(key: string, { options, ...answer }: SolvedAnswer): SolvedAnswer {
    const proven = options.filter((option) => option.proven);
    return firsts.keep(key, { ...answer, options: proven, more: true, hurried: false });
  }

  const solve: Solve = async (problem, asker) => {
    const key = keyOf(problem);
    const known = found.get(key);
    if (known) return known;
    const again = async () => found.keep(key, await solver.solve(problem, asker));
    const plan = asker && take(asker.account, key, 'spare');
    return plan ? plan.answer.catch(again) : again();
  };

  async function firstOf(key: string, problem: Parameters<Solve>[0], asker?: Asker): Promise<SolvedAnswer> {
    const again = async () => keepFirst(key, await solver.solveFirst(problem, asker));
    const plan = asker && take(asker.account, key, 'head');
    return plan ? plan.first.catch(again) : again();
  }

  return {
    solve,
    async solveFirst(problem, asker) {
      const key = keyOf(problem);
      const known = found.get(key);
      if (known) return known;
      const first = firsts.get(key) ?? (await firstOf(key, problem, asker));
      return first.options.length > 0 ? first : solve(problem, asker);
    },
    async solveRest(problem, asker) {
      const key = keyOf(problem);
      if (!asker || found.get(key) || all.get(asker.account)?.plans.get(key)?.spare.begun) return solve(problem, asker);
      for (const until = now() + REST_MS; now() < until;) {
        const spare: Spare = { rank: 'rest', begun: false, wanted: false };
        const late = new AbortController();
        const timer = setTimeout(() => (spare.begun ? (spare.wanted = true) : late.abort()), until - now());
        const gone = AbortSignal.any([late.signal, ...(asker.gone ? [asker.gone] : [])]);
        try {
          return found.keep(key, await solver.solveSpare(problem, { account: asker.account, gone }, spare));
        } catch (error) {
          if (!isStopped(error) || asker.gone?.aborted) throw error;
        } finally {
          clearTimeout(timer);
        }
      }
      return solve(problem, asker);
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
        const head: Spare = { rank: 'first', begun: false, wanted: false };
        const spare: Spare = { rank: 'guess', begun: false, wanted: false };
        const inSpareTime = (job: Spare) => solver.solveSpare(problem, { account: asker.account, gone }, job);
        const first = firsts.get(key) ?? inSpareTime(head).then((solved) => keepFirst(key, solved));
        const answer = Promise.resolve(first)
          .then(() => inSpareTime(spare))
          .then((solved) => found.keep(key, solved))
          .finally(() => ahead.plans.delete(key));
        ahead.plans.set(key, { head, first: Promise.resolve(first), spare, answer });
        return answer;
      };
    },
    accounts: () => all.size,
  };
}

const isStopped = (error: unknown): boolean => error instanceof Refusal && error.code === 'hung-up';
