import type { CoverOption, CoverProblem, MustCover, Refusal, Strategy } from '@clinic/cover-engine';
import type { WeeksAnswer } from '@clinic/weeks-engine';
import type { SearchOffer } from './shared-searches.ts';

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

/** A job for a worker, which may take `seconds`. */
export interface SolveJob {
  id: number;
  problem: CoverProblem;
  options: number;
  /** See `SolveSettings`. */
  distinct: boolean;
  seconds: number;
  seed: number;
  /** If not empty, the worker finds only the cheapest balanced plan that covers these times. */
  mustCover: readonly MustCover[];
  /** Whether the worker may offer searches to other workers. */
  mayOffer: boolean;
  /** What a solve of the same day with fewer pins knew, as the worker wrote it down. */
  known: SharedArrayBuffer | null;
  /** Whether the worker should write down what it knows afterwards. */
  keep: boolean;
  /** If given, the worker only does searches that another worker has offered. */
  help: SearchOffer | null;
}

/** A problem of weeks for a worker, which may take `seconds`. */
export interface WeeksJob {
  readonly id: number;
  readonly weeks: unknown;
  readonly options: number;
  readonly seconds: number;
}

/**
 * A message from a worker. `option` is sent as soon as an option is found, `offer` when other workers may help,
 * `known` when a job should keep what it knows,
 * `weeks` when a problem of weeks is solved;
 * `unfinished` lists the strategies without an option whose search did not end, and `memoryBytes` is HiGHS's own memory.
 */
export type SolverMessage =
  | { kind: 'ready' }
  | { kind: 'offer'; id: number; offer: SearchOffer }
  | { kind: 'option'; id: number; option: CoverOption }
  | { kind: 'known'; id: number; known: SharedArrayBuffer }
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

/** Every worker also shares a number with the pool: the id of the job that must stop, or 0. */
export interface SolverSeatData extends SolverWorkerData {
  stop: Int32Array;
}

/** A job of only helping another thread. */
export type HelpJob = SolveJob & { readonly help: SearchOffer };

/** The code and the data of a helper outside of the pool: the first message to the thread that watches it. */
export interface HelperCode {
  readonly script: string;
  readonly workerData: object;
}
