import {
  coveringOf,
  ENOUGH_PLANS,
  MOST_OPTIONS,
  nearlySame,
  type CoverModel,
  type CoverOption,
  type CoverProblem,
  type MustCover,
  type SolveCovering,
} from '@clinic/cover-engine';
import type { WeeksAnswer } from '@clinic/weeks-engine';
import { Refusal } from '../../platform/refusal.ts';
import { COVERING_SECONDS, ONE_PLAN_SECONDS } from '../../solver/messages.ts';
import { createSolverPool, type SolverPool } from '../../solver/pool.ts';
import type { SolveRequest } from '../../solver/task.ts';
import type { TrustedOption } from '../../solver/trust.ts';
import type { Asker, Solve, SolvedAnswer } from './solve-days.ts';

/** The engine in its worker threads, as proposals need it. */
export interface Solver {
  /** Makes at most five options. Refuses with 503 if too many requests wait, or if no plan was found in time. */
  solve: (problem: CoverProblem, asker?: Asker, how?: SolveHow) => Promise<SolvedAnswer>;
  /** Finds one plan quickly, for problems in which nearly everything is pinned. */
  solveOne: Solve;
  /** Quickly finds the cheapest plan that covers these times completely. */
  solveCovering: (problem: CoverProblem, mustCover: readonly MustCover[], asker?: Asker) => ReturnType<SolveCovering>;
  /** Solves a problem of weeks, with at most so many options. Refuses as `solve` does. */
  solveWeeks: (problem: unknown, asker?: Asker, options?: number) => Promise<WeeksAnswer>;
  /** Starts the workers before the first request needs them. */
  warm(): void;
  /** How many workers are ready, busy, or were replaced, and how many requests wait for one. */
  stats(): ReturnType<SolverPool['stats']>;
  close(): Promise<void>;
}

export interface SolveHow {
  /** Called as soon as Option 1 is proven best. */
  readonly onFirst?: (first: CoverOption) => void;
  /** Whether to look longer than usual. */
  readonly longer?: boolean;
}

export interface SolverSettings {
  /** The number of solver threads. Each may use 1 GB of memory: half for its own data, half for the solver. */
  readonly workers: number;
  /** The time limit for one solve, in seconds. */
  readonly seconds: number;
  /** Called when a worker was replaced, with one word for the reason. */
  readonly onReplaced?: (reason: string) => void;
}

/** The time limit when a person wants to look longer, and for a problem of weeks. */
const LONGER_SECONDS = 20;
const WEEKS_SECONDS = 15;
/** How many days may wait to be solved, in total and for one account, and for how many seconds. */
const WAITING = { queueLimit: 256, queueLimitOfOne: 64, waitSeconds: 20 };
const MEMORY_LIMIT_MB = 512;
export const NOT_OPEN = { busy: 0, waiting: 0, replaced: 0, ready: 0 };

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

  async function ask(problem: CoverProblem, request: SolveRequest, asker?: Asker): Promise<SolvedAnswer> {
    const answer = await open().solve(problem, { ...request, ...turnOf(asker) });
    if (answer.ok) {
      const options = withoutAlike(
        answer.model,
        answer.options.map((o) => o.option),
      );
      const unfinished = answer.unfinished.length > 0 ? { unfinished: [...answer.unfinished] } : {};
      return {
        format: 'cover-options/1',
        options,
        ...unfinished,
        hurried: answer.hurried && !isWhole(answer, options),
      };
    }
    if (answer.refusal.code !== 'pins_clash') throw new Refusal('solver-failed');
    return { format: 'cover-options/1', options: [], refused: answer.refusal };
  }

  return {
    solve: (problem, asker, { onFirst, longer = false } = {}) => {
      const first = onFirst && (({ option }: TrustedOption) => onFirst(option));
      return ask(
        problem,
        { options: MOST_OPTIONS, distinct: true, onFirst: first, ...(longer ? { seconds: LONGER_SECONDS } : {}) },
        asker,
      );
    },
    solveOne: (problem, asker) => ask(problem, { options: 1, within: ONE_PLAN_SECONDS }, asker),
    async solveCovering(problem, mustCover, asker) {
      const request = { options: 1, mustCover, within: COVERING_SECONDS, ...turnOf(asker) };
      return coveringOf(await open().solve(problem, request));
    },
    solveWeeks: (problem, asker, options = MOST_OPTIONS) =>
      open().solveWeeks(problem, { options, seconds: WEEKS_SECONDS, ...turnOf(asker) }),
    warm: () => void open(),
    stats: () => pool?.stats() ?? NOT_OPEN,
    close: async () => pool?.close(),
  };
}

/**
 * Each option that is nearly the same as an earlier one gives its column to an alternative, if one was found. At least
 * as many options stay as there would be without those alternatives.
 */
export function withoutAlike(model: CoverModel, options: readonly CoverOption[]): CoverOption[] {
  const named = options.filter(({ strategy }) => strategy !== 'alternative').length;
  let spare = options.length - Math.max(named, Math.min(ENOUGH_PLANS, options.length));
  const near = nearlySame(model, options);
  return options
    .toReversed()
    .filter(({ strategy }, i) => {
      const isAlike = strategy !== 'alternative' && near[options.length - 1 - i] !== null;
      return !isAlike || spare-- <= 0;
    })
    .toReversed();
}

/** Whether more time could not have found more. */
const isWhole = (
  { unfinished }: { readonly unfinished?: readonly unknown[] },
  options: readonly CoverOption[],
): boolean => (unfinished?.length ?? 0) === 0 && options.every(({ proven }) => proven);
