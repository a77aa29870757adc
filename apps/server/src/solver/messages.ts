import type { CoverOption, CoverProblem, MustCover, Refusal } from '@clinic/cover-engine';

/** For what covering a stretch would take: somebody waits beside a cell for a sentence. */
export const COVERING_SECONDS = 0.2;

/** What a worker is asked. `seconds`: until its own deadline. */
export interface SolveJob {
  id: number;
  problem: CoverProblem;
  options: number;
  seconds: number;
  seed: number;
  /** Where asked: the cheapest balanced plan that covers these stretches, and nothing else. */
  mustCover: readonly MustCover[];
}

/** What a worker says. `option` comes as soon as an option is found; `memoryBytes` is HiGHS's own memory. */
export type SolverMessage =
  | { kind: 'ready' }
  | { kind: 'option'; id: number; option: CoverOption }
  | { kind: 'done'; id: number; refusal: Refusal | null; memoryBytes: number }
  | { kind: 'failed'; id: number; reason: string };

/** Given to a worker when it starts. */
export interface SolverWorkerData {
  /** Bytes of HiGHS's own memory at which a solve stops early and the worker is replaced. */
  memoryLimitBytes: number;
  /** Solve a small day before the first job, so that it need not wait; true where left out. Tests of faults need not. */
  warmUp?: boolean;
}
