/** A worker thread outside of the pool, which only helps the thread that starts it. */
import { Worker } from 'node:worker_threads';
import type { CoverProblem } from '@clinic/cover-engine';
import type { SolveJob, SolverSeatData } from './messages.ts';
import type { SearchOffer } from './shared-searches.ts';

const MEMORY_LIMIT_BYTES = 1024 ** 3;

/** Starts the thread. It begins while the thread that starts it is busy. */
export function startHelper(): Worker {
  const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: SolverSeatData = { memoryLimitBytes: MEMORY_LIMIT_BYTES, warmUp: false, stop };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData });
  // If the thread dies, the solve waits for its search until the deadline at most, and then goes on without it.
  worker.on('error', () => undefined);
  return worker;
}

/** Asks the thread to do searches. The problem must be one that the engine can read. */
export function askHelper(worker: Worker, problem: CoverProblem, help: SearchOffer): void {
  const job = { id: 1, problem, options: 1, seconds: 0, seed: 1, mustCover: [], mayOffer: false, help };
  worker.postMessage(job satisfies SolveJob, [help.port]);
}
