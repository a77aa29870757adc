import type { CoverOption, CoverProblem, MustCover, Refusal } from '@clinic/cover-engine';

/** Explains what it would take to cover a stretch; a person is waiting for one sentence. */
export const COVERING_SECONDS = 0.2;

/** One plan with nearly everything pinned; a list of people to call waits for each. */
export const ONE_PLAN_SECONDS = 0.3;

/** A worker's job. `seconds`: until its own deadline. */
export interface SolveJob {
  id: number;
  problem: CoverProblem;
  options: number;
  seconds: number;
  seed: number;
  /** When set: find the cheapest balanced plan that covers these stretches, and nothing else. */
  mustCover: readonly MustCover[];
}

/** A worker's messages. `option` comes as soon as an option is found; `memoryBytes` is HiGHS's own memory. */
export type SolverMessage =
  | { kind: 'ready' }
  | { kind: 'option'; id: number; option: CoverOption }
  | { kind: 'done'; id: number; refusal: Refusal | null; memoryBytes: number }
  | { kind: 'failed'; id: number; reason: string };

/** Given to a worker when it starts. */
export interface SolverWorkerData {
  /** Bytes of HiGHS's own memory at which a solve stops early and the worker is replaced. */
  memoryLimitBytes: number;
  /**
   * Whether to solve a small day before the first job, so that the job need not wait; true by default. Tests of
   * failures skip it.
   */
  warmUp?: boolean;
}

/** What every worker's data has besides: the number of the job that must stop, shared with the pool; 0: none. */
export interface SolverSeatData extends SolverWorkerData {
  stop: Int32Array;
}
