import type { CoverOption, CoverProblem, MustCover, Refusal } from '@clinic/cover-engine';

/** Explains what it would take to cover a stretch. A person waits for this one sentence. */
export const COVERING_SECONDS = 0.2;

/** Finds one plan in which nearly everything is pinned. A list of people to call waits for each. */
export const ONE_PLAN_SECONDS = 0.3;

/** A job for a worker. `seconds` is how long the worker may take. */
export interface SolveJob {
  id: number;
  problem: CoverProblem;
  options: number;
  seconds: number;
  seed: number;
  /** When set: finds only the cheapest balanced plan that covers these stretches. */
  mustCover: readonly MustCover[];
}

/** What a worker sends. `option` comes as soon as an option is found; `memoryBytes` is HiGHS's own memory. */
export type SolverMessage =
  | { kind: 'ready' }
  | { kind: 'option'; id: number; option: CoverOption }
  | { kind: 'done'; id: number; refusal: Refusal | null; memoryBytes: number }
  | { kind: 'failed'; id: number; reason: string };

/** What a worker gets when it starts. */
export interface SolverWorkerData {
  /** When HiGHS itself uses this many bytes, the solve stops early and the worker is replaced. */
  memoryLimitBytes: number;
  /**
   * Whether to solve a small day before the first job, so that the job need not wait; true by default. Tests of
   * failures skip it.
   */
  warmUp?: boolean;
}

/**
 * The data of every worker also has the number of the job that must stop, in memory shared with the pool; 0 for none.
 */
export interface SolverSeatData extends SolverWorkerData {
  stop: Int32Array;
}
