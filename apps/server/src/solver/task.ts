import type { CoverModel, CoverProblem, MustCover, Refusal } from '@clinic/cover-engine';
import type { TrustedOption } from './trust.ts';

/** The reply to one problem: checked options, or why there are none. */
export type PoolAnswer = { ok: true; model: CoverModel; options: TrustedOption[] } | { ok: false; refusal: Refusal };

export interface SolveRequest {
  /** Who asks: waiting owners take turns. */
  owner?: string;
  /** Aborted when the caller no longer waits; requests that have not started are dropped then. */
  signal?: AbortSignal | undefined;
  /** Most options to return; 5. */
  options?: number;
  /** Deadline; the pool's own by default. */
  seconds?: number;
  /** The worker returns what it has after this time, if that is sooner. */
  within?: number;
  seed?: number;
  /** Set for a problem that no one waits for yet. */
  spare?: Spare;
  /** Find only the cheapest plan that covers these stretches; refused with `cannot_cover` when there is none. */
  mustCover?: readonly MustCover[];
}

/**
 * A problem that is solved before anyone asks: only while no other waits, on all workers but one (where there are
 * several), and stopped when another needs its worker or its `signal` is aborted. Then it rejects with SolverGoneError.
 */
export interface Spare {
  /** Set by the pool when a worker takes it. */
  begun: boolean;
  /** Set by the caller once someone waits for the answer: it is no longer stopped. */
  wanted: boolean;
}

/** A problem in the pool. */
export interface Task {
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  /** Made when a worker first takes the task, so that waiting tasks take little memory. */
  model: CoverModel | undefined;
  readonly problem: CoverProblem;
  readonly options: number;
  readonly seconds: number;
  readonly within: number;
  readonly seed: number;
  readonly mustCover: readonly MustCover[];
  readonly spare: Spare | undefined;
  /** The time of the deadline (ms on the process's clock); set when a worker first takes the task. */
  until: number;
  retried: boolean;
  found: TrustedOption[];
  readonly settle: { resolve: (answer: PoolAnswer) => void; reject: (error: Error) => void };
}

/** Whether it may be stopped for others. */
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
    until: 0,
    retried: false,
    found: [],
    settle,
  };
}
