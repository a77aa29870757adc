import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import { lockIfFree } from '../../db/locks.ts';

/** Work that no one waits for. It may run at any time and any number of times. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<unknown>;
}

export interface JobsOptions {
  /** How long after the server's start the jobs begin, so that they do not slow it down. */
  readonly afterMs: number;
  /** Called when a job fails; it runs again after its usual time. */
  readonly onTrouble: (job: string, error: unknown) => void;
}

const STOP_PATIENCE_MS = 3000;

/**
 * Runs these jobs from time to time. Of all servers on the database, one at a time runs a job, and the others leave it
 * to that server; if it dies, its lock ends with its connection.
 * @returns a function that starts no more jobs, and gives running ones at most three seconds to finish
 */
export function startJobs(db: Db, jobs: readonly Job[], { afterMs, onTrouble }: JobsOptions): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const timers = new Map<Job, NodeJS.Timeout>();
  const plan = (job: Job, afterMs: number): void =>
    void timers.set(
      job,
      setTimeout(() => {
        const run = runAlone(db, job)
          .catch((error: unknown) => onTrouble(job.name, error))
          .finally(() => {
            running.delete(run);
            if (timers.has(job)) plan(job, job.everyMs);
          });
        running.add(run);
      }, afterMs),
    );
  for (const job of jobs) plan(job, afterMs);
  return async () => {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
    await Promise.race([Promise.all(running), delay(STOP_PATIENCE_MS, undefined, { ref: false })]);
  };
}

const runAlone = (db: Db, job: Job): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (await lockIfFree(trx, `job:${job.name}`)) await job.run();
  });
