/**
 * Solves problems while a coordinator is still marking absences or selecting pins, so that the answers are ready when
 * the coordinator saves or refreshes. Finds Option 1 before the other options, so that a page can show it early.
 */
import { performance } from 'node:perf_hooks';
import type { CoverProblem } from '@clinic/cover-engine';
import { Refusal } from '../../../platform/refusal.ts';
import { keyOf } from '../../../solver/problem-key.ts';
import type { Spare } from '../../../solver/task.ts';
import { makeFoundAnswers } from './found-answers.ts';
import type { Asker, Solve, SolvedAnswer } from './solve-days.ts';
import type { Solver } from './solver.ts';

/**
 * How many accounts may have problems being solved ahead. Beyond that, the problems of the account with the oldest
 * request are dropped first.
 */
const MOST_ACCOUNTS = 64;
/**
 * For how many milliseconds a search for the rest of the options makes way for requests. After that, the search counts
 * as a request itself.
 */
const REST_MS = 5000;
/** How long a search makes way for requests, and how long it then takes at most, when a person wants it to look longer. */
const LONGER = { makeWayMs: 10_000, seconds: 20 };

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
  /** Like `solveRest`, when time ran out before: looks again, and longer. Never returns fewer options than are known. */
  solveLonger: Solve;
  /** Begins to solve an account's problems ahead, and drops those that are being solved ahead for it. */
  begin(asker: Asker): Solve;
  /** How many accounts have problems that are being solved ahead. */
  accounts(): number;
}

/**
 * How to solve for a page that waits for Option 1 (`first`), for the rest of the options (`longer`: those not found in
 * time), or for all of them.
 */
export const solveFor = (ahead: SolvedAhead, waitFor: 'first' | 'rest' | 'longer' | undefined): Solve =>
  ({ all: ahead.solve, first: ahead.solveFirst, rest: ahead.solveRest, longer: ahead.solveLonger })[waitFor ?? 'all'];

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

/** What is being solved ahead for each account. */
function makeAccounts() {
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

  return {
    get size() {
      return all.size;
    },
    take,
    /** Whether a worker has begun to look, ahead of time, for all options of a problem. */
    has: (account: string, key: string): boolean => all.get(account)?.plans.get(key)?.spare.begun === true,
    /** Drops what is being solved ahead for the account, and begins again. */
    begin(account: string): Ahead {
      drop(account);
      const ahead: Ahead = { plans: new Map(), dropped: new AbortController() };
      all.set(account, ahead);
      for (const other of all.keys()) if (all.size > MOST_ACCOUNTS) drop(other);
      return ahead;
    },
  };
}

/** @param now returns the time in milliseconds, by a clock that never goes back */
export function makeSolvedAhead(
  solver: Pick<Solver, 'solve' | 'solveFirst' | 'solveSpare'>,
  now: () => number = () => performance.now(),
): SolvedAhead {
  const found = makeFoundAnswers(now);
  /** Option 1 of problems whose other options are not known yet; no option if it could not be found quickly. */
  const firsts = makeFoundAnswers(now);
  const all = makeAccounts();

  /**
   * Keeps Option 1 if it is proven best. Otherwise, with `always`, remembers that Option 1 of this problem cannot be
   * found quickly.
   */
  function keepFirst(key: string, { options, ...answer }: SolvedAnswer, always: boolean): SolvedAnswer {
    const proven = options.filter((option) => option.proven);
    const first = { ...answer, options: proven, more: true, hurried: false };
    return proven.length > 0 || always ? firsts.keep(key, first) : first;
  }

  const solve: Solve = async (problem, asker) => {
    const key = keyOf(problem);
    const known = found.get(key);
    if (known) return known;
    const again = async () => found.keep(key, await found.unlessKept(key, asker, (by) => solver.solve(problem, by)));
    const plan = asker && all.take(asker.account, key, 'spare');
    return plan ? plan.answer.catch(again) : again();
  };

  async function firstOf(key: string, problem: CoverProblem, asker?: Asker): Promise<SolvedAnswer> {
    const again = async () =>
      keepFirst(key, await firsts.unlessKept(key, asker, (by) => solver.solveFirst(problem, by)), true);
    const plan = asker && all.take(asker.account, key, 'head');
    const ahead = await plan?.first.catch(() => undefined);
    return ahead && ahead.options.length > 0 ? ahead : again();
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
      if (!asker || found.get(key) || all.has(asker.account, key)) return solve(problem, asker);
      const rest = await found.unlessKept(key, asker, (by = asker) => inSpareTime(solver, problem, by, now));
      return rest ? found.keep(key, rest) : solve(problem, asker);
    },
    async solveLonger(problem, asker) {
      const known = found.get(keyOf(problem));
      if (!asker || (known && !known.unfinished)) return solve(problem, asker);
      const longer = await inSpareTime(solver, problem, asker, now, LONGER);
      return longer ? found.keep(keyOf(problem), withMoreOptions(longer, known)) : solve(problem, asker);
    },
    begin(asker) {
      const { plans, dropped } = all.begin(asker.account);
      const gone = AbortSignal.any([dropped.signal, ...(asker.gone ? [asker.gone] : [])]);
      return async (problem) => {
        const key = keyOf(problem);
        const known = found.get(key);
        if (known) return known;
        const head: Spare = { rank: 'first', begun: false, wanted: false };
        const spare: Spare = { rank: 'guess', begun: false, wanted: false };
        const begin = (job: Spare, by: Asker = { account: asker.account, gone }) => solver.solveSpare(problem, by, job);
        const quick = firsts.get(key) ?? begin(head).then((solved) => keepFirst(key, solved, false));
        const first = Promise.resolve(quick);
        const answer = first
          .then(() => found.unlessKept(key, { account: asker.account, gone }, (by) => begin(spare, by)))
          .then((solved) => found.keep(key, solved))
          .finally(() => plans.delete(key));
        plans.set(key, { head, first, spare, answer });
        return answer;
      };
    },
    accounts: () => all.size,
  };
}

/**
 * Finds all options while requests go first, for `makeWayMs`. Returns null if no worker had the time for it until then;
 * the caller then makes a request. `seconds`: how long the search itself may take; by default, as long as a request's.
 */
async function inSpareTime(
  solver: Pick<Solver, 'solveSpare'>,
  problem: CoverProblem,
  asker: Asker,
  now: () => number,
  { makeWayMs = REST_MS, seconds }: { makeWayMs?: number; seconds?: number } = {},
): Promise<SolvedAnswer | null> {
  for (const until = now() + makeWayMs; now() < until;) {
    const spare: Spare = { rank: 'rest', begun: false, wanted: false };
    const late = new AbortController();
    const timer = setTimeout(() => (spare.begun ? (spare.wanted = true) : late.abort()), until - now());
    const gone = AbortSignal.any([late.signal, ...(asker.gone ? [asker.gone] : [])]);
    try {
      return await solver.solveSpare(problem, { account: asker.account, gone }, spare, seconds);
    } catch (error) {
      if (!isStopped(error) || asker.gone?.aborted) throw error;
      // No worker took the job, and trying again at once would not help.
      if (!spare.begun) break;
    } finally {
      clearTimeout(timer);
    }
  }
  return null;
}

const withMoreOptions = (found: SolvedAnswer, known: SolvedAnswer | undefined): SolvedAnswer =>
  known && known.options.length > found.options.length ? known : found;

const isStopped = (error: unknown): boolean => error instanceof Refusal && error.code === 'hung-up';
