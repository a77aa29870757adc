import {
  STRATEGY_ORDER,
  type CoverModel,
  type CoverProblem,
  type MustCover,
  type Refusal,
  type Strategy,
} from '@clinic/cover-engine';
import { giveBack, type SearchOffer } from './shared-searches.ts';
import type { TrustedOption } from './trust.ts';

/** The reply to one problem: checked options, or why there are none. */
export type PoolAnswer =
  | { ok: true; model: CoverModel; options: TrustedOption[]; unfinished: readonly Strategy[] }
  | { ok: false; refusal: Refusal };

export interface SolveRequest {
  /** The account or command that sent the request. Accounts with waiting requests take turns. */
  owner?: string;
  /** Aborted when the caller no longer waits. A request that has not started is then dropped. */
  signal?: AbortSignal | undefined;
  /** The maximum number of options to return; 5 by default. */
  options?: number;
  /** The time limit in seconds; by default, the pool's limit. */
  seconds?: number;
  /** The number of seconds after which the worker returns the options found so far, unless the deadline is earlier. */
  within?: number;
  seed?: number;
  /** Set for a problem that no one waits for yet. */
  spare?: Spare;
  /** If set, finds only the cheapest plan that covers these times; refused with `cannot_cover` if there is none. */
  mustCover?: readonly MustCover[];
  /** False for a problem in which nearly everything is pinned: what is known of its day would not help. */
  useKnown?: boolean;
}

/**
 * The order in which the pool takes spare jobs: `first` is a short job that looks only for Option 1, `rest` looks for
 * all options while a person reads Option 1, `help` does searches of another job, and `guess` looks for options that
 * may never be requested. If there are several workers, one is always kept free of guesses.
 */
export const SPARE_RANKS = ['first', 'rest', 'help', 'guess'] as const;
type SpareRank = (typeof SPARE_RANKS)[number];

/**
 * A problem for which no one waits yet, or no longer. The pool works on it only while no request is waiting. If a
 * request needs the worker, or `signal` is aborted, the pool stops working on the problem and rejects it with
 * SolverGoneError.
 */
export interface Spare {
  readonly rank: SpareRank;
  /** Set by the pool when a worker starts on the problem. */
  begun: boolean;
  /** Set by the caller once someone waits for the result; from then on, the pool does not stop the problem. */
  wanted: boolean;
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
  readonly seconds: number;
  readonly within: number;
  readonly seed: number;
  readonly mustCover: readonly MustCover[];
  readonly spare: Spare | undefined;
  readonly useKnown: boolean;
  /** What is known of the day, and whether to keep what this solve will know; set when a worker takes the task. */
  known: SharedArrayBuffer | null;
  keep: boolean;
  /** If given, the task is only to help with another task. */
  readonly help: SearchOffer | null;
  /** Aborted when the task no longer needs the help that it asked for. */
  helped: AbortController | null;
  /** The deadline (ms on the process's clock); set when a worker first takes the task. */
  until: number;
  retried: boolean;
  found: TrustedOption[];
  readonly settle: { resolve: (answer: PoolAnswer) => void; reject: (error: Error) => void };
}

/** Whether the task may be stopped to make room for other requests. */
export const isSpare = (task: Task): boolean => task.spare?.wanted === false;

export function taskOf(problem: CoverProblem, request: SolveRequest, seconds: number, settle: Task['settle']): Task {
  return {
    owner: request.owner ?? '',
    signal: request.signal,
    model: undefined,
    problem,
    options: request.options ?? 5,
    seconds: request.seconds ?? seconds,
    within: request.within ?? Infinity,
    seed: request.seed ?? 1,
    mustCover: request.mustCover ?? [],
    spare: request.spare,
    useKnown: request.useKnown ?? true,
    known: null,
    keep: false,
    help: null,
    helped: null,
    until: 0,
    retried: false,
    found: [],
    settle,
  };
}

const missingFrom = (found: readonly TrustedOption[]): readonly Strategy[] =>
  STRATEGY_ORDER.filter((strategy) => !found.some(({ option }) => option.strategy === strategy));

/** The task of helping with another task, which has offered searches. It needs only what the other task knows. */
export function helpTask(task: Task, offer: SearchOffer): Task {
  task.helped?.abort();
  task.helped = new AbortController();
  const end = () => {
    giveBack(offer);
    offer.port.close();
  };
  const request: SolveRequest = {
    owner: task.owner,
    signal: task.helped.signal,
    options: 1,
    seed: task.seed,
    spare: { rank: 'help', begun: false, wanted: false },
  };
  const helping = taskOf(task.problem, request, task.seconds, { resolve: end, reject: end });
  return { ...helping, help: offer, model: task.model, until: task.until };
}

/**
 * Resolves the task with the options found so far. `unfinished`: the strategies without an option whose search did not
 * end; all of them, if the worker was lost.
 */
export function resolveWithFound({ settle, model, found }: Task, unfinished = missingFrom(found)): void {
  if (model) settle.resolve({ ok: true, model, options: found, unfinished });
}
