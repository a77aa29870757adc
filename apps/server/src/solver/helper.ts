/** A worker thread outside of the pool, which only helps the thread that starts it. */
import { Worker } from 'node:worker_threads';
import type { CoverProblem } from '@clinic/cover-engine';
import type { HelperCode, HelpJob, SolverSeatData } from './messages.ts';
import type { SearchOffer } from './shared-searches.ts';

const MEMORY_LIMIT_BYTES = 1024 ** 3;

/**
 * Starts a helper. It begins while the thread that starts it is busy. That thread is too busy to notice the end of
 * another, so it gets a thread in between, which gives back what a helper that dies had taken.
 */
export function startHelper(script = new URL('./worker.ts', import.meta.url), data: object = {}): Worker {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const seat: SolverSeatData = { memoryLimitBytes: MEMORY_LIMIT_BYTES, warmUp: false, stop };
  const worker = new Worker(new URL('./watch-helper.ts', import.meta.url));
  worker.postMessage({ script: script.href, workerData: { ...seat, ...data } } satisfies HelperCode);
  return worker;
}

/** Asks the helper to do searches. The problem must be one that the engine can read. */
export function askHelper(worker: Worker, problem: CoverProblem, help: SearchOffer): void {
  const none = { known: null, keep: false };
  const job = {
    id: 1,
    problem,
    options: 1,
    distinct: false,
    seconds: 0,
    seed: 1,
    mustCover: [],
    mayOffer: false,
    ...none,
    help,
  };
  worker.postMessage(job satisfies HelpJob, [help.port]);
}
