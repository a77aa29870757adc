/**
 * Plans that are solved while a coordinator is still marking absences, to be ready when the coordinator saves. A plan
 * is used only once, for exactly the problem that was solved, and only by the account that caused the solve.
 */
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { CoverAnswer, CoverProblem } from '@clinic/cover-engine';
import { formatTime, parseTime } from '@clinic/domain';
import { plannedFrom } from '../../../clinic-day/grid-plan.ts';
import type { Spare } from '../../../solver/task.ts';
import type { Asker, Solve } from './solve-days.ts';
import type { Solver } from './solver.ts';

/** How long a plan is kept, in milliseconds. */
const KEPT_MS = 3 * 60_000;
/** How many accounts may have plans kept; the accounts that asked longest ago lose their plans first. */
const MOST_ACCOUNTS = 64;

export interface SolvedAhead {
  /** Solves like the solver, but uses the plan that was solved ahead, if there is one. */
  solve: Solve;
  /** Begins to solve an account's problems ahead, and drops the plans solved ahead for it earlier. */
  begin(asker: Asker): Solve;
  stats(): { accounts: number; used: number };
}

interface Plan {
  readonly spare: Spare;
  readonly answer: Promise<CoverAnswer>;
}

/** One account's plans solved ahead, by problem. */
interface Ahead {
  readonly plans: Map<string, Plan>;
  readonly dropped: AbortController;
  readonly until: number;
}

/** @param now returns the time in milliseconds, by a clock that never goes back */
export function makeSolvedAhead(
  solver: Pick<Solver, 'solve' | 'solveSpare'>,
  now: () => number = () => performance.now(),
): SolvedAhead {
  /** Each account's plans; the account that asked last is at the end. */
  const all = new Map<string, Ahead>();
  let used = 0;

  function drop(account: string): void {
    all.get(account)?.dropped.abort();
    all.delete(account);
  }

  /**
   * Takes the account's plan for the problem if a worker has begun to solve it; the account's other plans are then
   * dropped.
   */
  function take(account: string, problem: CoverProblem): Plan | undefined {
    const ahead = all.get(account);
    if (!ahead) return undefined;
    const key = keyOf(problem);
    const plan = ahead.plans.get(key);
    if (plan?.spare.begun && now() < ahead.until) {
      plan.spare.wanted = true;
      ahead.plans.delete(key);
      return plan;
    }
    drop(account);
    return undefined;
  }

  return {
    async solve(problem, asker) {
      const plan = asker && take(asker.account, problem);
      if (!plan) return solver.solve(problem, asker);
      try {
        const answer = await plan.answer;
        used++;
        return answer;
      } catch {
        return solver.solve(problem, asker); // dropping the plan has just made room for this request
      }
    },
    begin(asker) {
      drop(asker.account);
      const ahead: Ahead = { plans: new Map(), dropped: new AbortController(), until: now() + KEPT_MS };
      all.set(asker.account, ahead);
      for (const account of all.keys()) if (all.size > MOST_ACCOUNTS) drop(account);
      const gone = AbortSignal.any([ahead.dropped.signal, ...(asker.gone ? [asker.gone] : [])]);
      return (problem) => {
        const spare: Spare = { begun: false, wanted: false };
        const answer = solver.solveSpare(problem, { account: asker.account, gone }, spare);
        ahead.plans.set(keyOf(problem), { spare, answer });
        return answer;
      };
    },
    stats: () => ({ accounts: all.size, used }),
  };
}

/** The same key for equivalent problems: the order of absences and the minutes within a quarter hour do not matter. */
function keyOf(problem: CoverProblem): string {
  const absences = problem.absences.map((a) => JSON.stringify([a.who, a.start, a.end])).sort();
  const now = problem.now == null ? null : formatTime(plannedFrom(parseTime(problem.now)));
  return createHash('sha256')
    .update(JSON.stringify({ ...problem, absences, now }))
    .digest('base64');
}
