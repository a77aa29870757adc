import { coveringOf, MOST_OPTIONS, type CoverProblem, type MustCover, type SolveCovering } from '@clinic/cover-engine';
import { Refusal } from '../../../platform/refusal.ts';
import { SolverBusyError, SolverFailedError, SolverGoneError } from '../../../solver/errors.ts';
import { COVERING_SECONDS, FIRST_OPTION_SECONDS, ONE_PLAN_SECONDS } from '../../../solver/messages.ts';
import { createSolverPool, type SolverPool } from '../../../solver/pool.ts';
import type { PoolAnswer, SolveRequest, Spare } from '../../../solver/task.ts';
import type { Asker, Solve, SolvedAnswer } from './solve-days.ts';

/** The engine in its worker threads, as proposals need it. */
export interface Solver {
  /** Makes at most five options. Refuses with 503 if too many requests wait, or if no plan was found in time. */
  solve: Solve;
  /** Finds Option 1 within a second. */
  solveFirst: Solve;
  /**
   * Solves only on a worker that no request needs, and rejects as soon as a request needs the worker. A `first` job
   * finds only Option 1. `seconds`: the time limit; by default, that of a request.
   */
  solveSpare: (problem: CoverProblem, asker: Asker, spare: Spare, seconds?: number) => Promise<SolvedAnswer>;
  /** Finds one plan quickly, for problems in which nearly everything is pinned. */
  solveOne: Solve;
  /** Quickly finds the cheapest plan that covers these times completely. */
  solveCovering: (problem: CoverProblem, mustCover: readonly MustCover[], asker?: Asker) => ReturnType<SolveCovering>;
  /** Starts the workers before the first request needs them. */
  warm(): void;
  close(): Promise<void>;
}

export interface SolverSettings {
  /** The number of solver threads. Each may use 1 GB of memory: half for its own data, half for the solver. */
  readonly workers: number;
  /** The time limit for one solve, in seconds. */
  readonly seconds: number;
  /** Called when a worker was replaced, with one word for the reason. */
  readonly onReplaced?: (reason: string) => void;
}

const FIRST_OPTION: SolveRequest = { options: 1, within: FIRST_OPTION_SECONDS };
/** How many days may wait to be solved, in total and for one account, and for how many seconds. */
const WAITING = { queueLimit: 256, queueLimitOfOne: 64, waitSeconds: 20 };
const MEMORY_LIMIT_MB = 512;

/** Opens the solver; its workers start with the first problem, or with `warm`. */
export function openSolver(settings: SolverSettings): Solver {
  let pool: SolverPool | undefined;
  const open = (): SolverPool =>
    (pool ??= createSolverPool({
      size: settings.workers,
      seconds: settings.seconds,
      memoryLimitMb: MEMORY_LIMIT_MB,
      ...WAITING,
      ...(settings.onReplaced ? { onReplaced: settings.onReplaced } : {}),
    }));

  const turnOf = (asker: Asker | undefined) =>
    asker === undefined ? {} : { owner: asker.account, signal: asker.gone };

  const solves = makeOpenSolves(settings);
  /**
   * Gives a problem to the pool. The second value in the result says whether the solve may have had less time than
   * usual.
   */
  async function inPool(problem: CoverProblem, request: SolveRequest): Promise<[PoolAnswer, boolean]> {
    const solve = solves.begin();
    const { replaced } = open().stats();
    try {
      const answer = await open().solve(problem, request);
      // A spare job begins only when no request waits, so it has the full time.
      const hurried = request.spare === undefined && solve.hurried();
      return [answer, hurried || open().stats().replaced > replaced];
    } catch (error) {
      throw asRefusal(error);
    } finally {
      solve.end();
    }
  }

  async function ask(problem: CoverProblem, request: SolveRequest, asker?: Asker): Promise<SolvedAnswer> {
    const [answer, hurried] = await inPool(problem, { ...request, ...turnOf(asker) });
    if (answer.ok) {
      const options = answer.options.map((o) => o.option);
      const complete = options.length === request.options && options.every((o) => o.proven);
      const unfinished = answer.unfinished.length > 0 ? { unfinished: [...answer.unfinished] } : {};
      return { format: 'cover-options/1', options, ...unfinished, hurried: hurried && !complete };
    }
    if (answer.refusal.code !== 'pins_clash') throw new Refusal('solver-failed');
    return { format: 'cover-options/1', options: [], refused: answer.refusal };
  }

  return {
    solve: (problem, asker) => ask(problem, { options: MOST_OPTIONS }, asker),
    solveFirst: (problem, asker) => ask(problem, FIRST_OPTION, asker),
    solveSpare: (problem, asker, spare, seconds = settings.seconds) =>
      ask(problem, { ...(spare.rank === 'first' ? FIRST_OPTION : { options: MOST_OPTIONS }), spare, seconds }, asker),
    solveOne: (problem, asker) => ask(problem, { options: 1, within: ONE_PLAN_SECONDS, useKnown: false }, asker),
    async solveCovering(problem, mustCover, asker) {
      const request = { options: 1, mustCover, within: COVERING_SECONDS, ...turnOf(asker) };
      const [answer] = await inPool(problem, request);
      return coveringOf(answer);
    },
    warm: () => void open(),
    close: async () => pool?.close(),
  };
}

/** The share of a solve's time that is always left for its search. */
const SURE_SHARE = 0.9;

/**
 * Counts the solves that are open at the same time, because the pool divides the workers' time among the waiting
 * solves. `hurried` returns whether a solve may have run out of its time; the same problem might then get more time if
 * it were solved again.
 */
function makeOpenSolves({ seconds, workers }: SolverSettings) {
  /** For each open solve, the largest number of others that were open at the same time. */
  const open = new Set<{ beside: number }>();
  return {
    begin() {
      const own = { beside: open.size };
      const began = performance.now();
      open.add(own);
      for (const each of open) each.beside = Math.max(each.beside, open.size - 1);
      return {
        hurried(): boolean {
          const share = own.beside === 0 ? 1 : (SURE_SHARE * workers) / (workers + own.beside);
          return performance.now() - began > 1000 * seconds * share;
        },
        end: () => void open.delete(own),
      };
    },
  };
}

function asRefusal(error: unknown): unknown {
  if (error instanceof SolverBusyError)
    return new Refusal('busy', { headers: { 'retry-after': String(Math.max(1, error.retryAfterSeconds)) } });
  if (error instanceof SolverGoneError) return new Refusal('hung-up');
  if (error instanceof SolverFailedError) return new Refusal('solver-failed');
  return error;
}
