import {
  STRATEGY_ORDER,
  type CoverModel,
  type CoverProblem,
  type MustCover,
  type Refusal,
  type Strategy,
} from '@clinic/cover-engine';
import type { WeeksAnswer } from '@clinic/weeks-engine';
import type { TrustedOption } from './trust.ts';

/** The reply to one problem: checked options, or why there are none. */
export type PoolAnswer =
  | { ok: true; model: CoverModel; options: TrustedOption[]; unfinished: readonly Strategy[]; hurried: boolean }
  | { ok: false; refusal: Refusal };

export interface SolveRequest {
  /** The account or command that sent the request. Accounts with waiting requests take turns. */
  owner?: string;
  /** Aborted when the caller no longer waits. A request that has not started is then dropped. */
  signal?: AbortSignal | undefined;
  /** The maximum number of options to return; 5 by default. */
  options?: number;
  /** Whether to look for an alternative in place of each option that is nearly the same as an earlier one. */
  distinct?: boolean;
  /** The time limit in seconds of work; by default, the pool's limit. By the clock, it is at most SLOWEST times that. */
  seconds?: number;
  /** The number of seconds after which the worker returns the options found so far, unless the deadline is earlier. */
  within?: number;
  /** Called when Option 1 is found and proven best. */
  onFirst?: ((first: TrustedOption) => void) | undefined;
  /** If set, finds only the cheapest plan that covers these times; refused with `cannot_cover` if there is none. */
  mustCover?: readonly MustCover[];
}

/** A problem of weeks, and who waits for its answer. */
export interface WeeksWork {
  readonly problem: unknown;
  readonly resolve: (answer: WeeksAnswer) => void;
}

/** A problem that was given to the pool, from its arrival to its result. */
export interface Task {
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  /**
   * The engine's model of the problem. It is built only when a worker takes the task, so that waiting tasks use little
   * memory.
   */
  model: CoverModel | undefined;
  readonly problem: CoverProblem;
  readonly options: number;
  readonly distinct: boolean;
  readonly seconds: number;
  readonly within: number;
  readonly mustCover: readonly MustCover[];
  /** See `SolveRequest`; undefined once it was called. */
  onFirst: SolveRequest['onFirst'];
  /** If given, the task is this problem of weeks, and `problem` is an empty day. */
  readonly weeks: WeeksWork | null;
  /** The deadline (ms on the process's clock); set when a worker first takes the task. */
  until: number;
  retried: boolean;
  /** Whether the task may have had less time than usual. */
  hurried: boolean;
  found: TrustedOption[];
  readonly settle: { resolve: (answer: PoolAnswer) => void; reject: (error: Error) => void };
}

/** Passes a task's Option 1 on, once it is proven best. */
export function noteFirst(task: Task, found: TrustedOption): void {
  if (found.option.strategy !== 'balanced' || !found.option.proven) return;
  task.onFirst?.(found);
  task.onFirst = undefined;
}

export function taskOf(problem: CoverProblem, request: SolveRequest, seconds: number, settle: Task['settle']): Task {
  return {
    owner: request.owner ?? '',
    signal: request.signal,
    model: undefined,
    problem,
    options: request.options ?? 5,
    distinct: request.distinct ?? false,
    seconds: request.seconds ?? seconds,
    within: request.within ?? Infinity,
    mustCover: request.mustCover ?? [],
    onFirst: request.onFirst,
    weeks: null,
    until: 0,
    retried: false,
    hurried: false,
    found: [],
    settle,
  };
}

const EMPTY_DAY: CoverProblem = {
  format: 'cover-problem/3',
  date: '2026-01-05',
  location: '',
  therapists: [],
  clients: [],
  sessions: [],
  absences: [],
};

/** The task of solving a problem of weeks. */
export const weeksTask = (
  weeks: WeeksWork,
  request: SolveRequest,
  seconds: number,
  reject: Task['settle']['reject'],
) => ({
  ...taskOf(EMPTY_DAY, request, seconds, { resolve: () => undefined, reject }),
  weeks,
});

const missingFrom = (found: readonly TrustedOption[]): readonly Strategy[] =>
  STRATEGY_ORDER.filter((strategy) => !found.some(({ option }) => option.strategy === strategy));

/**
 * Resolves the task with the options found so far. `unfinished`: the strategies without an option whose search did not
 * end; all of them, if the worker was lost.
 */
export function resolveWithFound({ settle, model, found, hurried }: Task, unfinished = missingFrom(found)): void {
  if (model) settle.resolve({ ok: true, model, options: found, unfinished, hurried });
}
