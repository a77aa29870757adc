import type { CoverOption, CoverProblem, MustCover, Refusal, Strategy } from '@clinic/cover-engine';
import type { WeeksAnswer } from '@clinic/weeks-engine';

/**
 * The time limit for finding out what covering a part of a session would take. It is short, because a user waits for
 * the answer.
 */
export const COVERING_SECONDS = 0.2;

/**
 * The time limit for finding one plan in which nearly everything is pinned. The call list needs one such plan for each
 * line that asks a question.
 */
export const ONE_PLAN_SECONDS = 0.3;

/** A job for a worker, which may take `seconds` of work (see WorkClock). */
export interface SolveJob {
  id: number;
  problem: CoverProblem;
  options: number;
  /** See `SolveSettings`. */
  distinct: boolean;
  seconds: number;
  /** If not empty, the worker finds only the cheapest balanced plan that covers these times. */
  mustCover: readonly MustCover[];
}

/** A problem of weeks for a worker, which may take `seconds` of work. */
export interface WeeksJob {
  readonly id: number;
  readonly weeks: unknown;
  readonly options: number;
  readonly seconds: number;
}

/**
 * A message from a worker. `option` is sent as soon as an option is found, `weeks` when a problem of weeks is solved;
 * `unfinished` lists the strategies without an option whose search did not end, and `memoryBytes` is HiGHS's own memory.
 */
export type SolverMessage =
  | { kind: 'ready' }
  | { kind: 'option'; id: number; option: CoverOption }
  | { kind: 'weeks'; id: number; answer: WeeksAnswer; memoryBytes: number }
  | { kind: 'done'; id: number; refusal: Refusal | null; unfinished: readonly Strategy[]; memoryBytes: number }
  | { kind: 'failed'; id: number; reason: string };

/** The data that a worker gets when it starts. */
export interface SolverWorkerData {
  /** If HiGHS itself uses this many bytes, the solve stops early and the worker is replaced. */
  memoryLimitBytes: number;
  /**
   * Whether to solve a small day before the first job, so that the job need not wait; true by default. Tests of
   * failures turn it off.
   */
  warmUp?: boolean;
}
