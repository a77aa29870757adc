/**
 * Worker threads that solve cover problems. A worker that hangs, dies, runs out of memory or returns nonsense is
 * replaced. Its request still ends by its deadline, and the next solve works.
 */
import { modelOf, parseProblem } from '@clinic/cover-engine';
import type { WeeksAnswer } from '@clinic/weeks-engine';
import { Refusal } from '../platform/refusal.ts';
import { makeWaitingLine } from '../platform/waiting-line.ts';
import { beginJob, receiveMessage } from './jobs.ts';
import type { SolverWorkerData } from './messages.ts';
import { makeSeats, type Seats } from './seats.ts';
import { resolveWithFound, taskOf, weeksTask, type PoolAnswer, type SolveRequest, type Task } from './task.ts';

export interface SolverPoolSettings {
  /** How many requests may wait, in total and per account. Any others are refused as `busy`. */
  readonly queueLimit: number;
  readonly queueLimitOfOne: number;
  /** Requests that have waited this long are refused as `busy` too. */
  readonly waitSeconds: number;
  /** The time limit for one solve, in seconds. */
  readonly seconds: number;
  /** The number of worker threads, each with its own solver. */
  size: number;
  /** The memory, in megabytes, that a worker's solver may use before the worker is replaced. */
  memoryLimitMb: number;
  /** The workers' script; tests use a different one. */
  worker?: URL;
  /** Additional data for the workers' script, in tests. */
  workerData?: Record<string, unknown>;
  /**
   * Called for every worker that is replaced, for the log. The reason is one word, and reveals nothing about the
   * problem.
   */
  onReplaced?: (reason: string) => void;
}

export interface SolverPool {
  /** Returns options or a refusal; rejects only with a Refusal: `busy`, `hung-up` or `solver-failed`. */
  solve(problem: unknown, request?: SolveRequest): Promise<PoolAnswer>;
  /** Solves a problem of weeks; rejects as `solve` does. */
  solveWeeks(problem: unknown, request?: SolveRequest): Promise<WeeksAnswer>;
  /** Resolves when every worker has warmed up. */
  ready(): Promise<void>;
  stats(): { busy: number; waiting: number; replaced: number; ready: number };
  close(): Promise<void>;
}

/**
 * While other accounts wait, the workers' time is shared among all of them, so that even the account whose turn comes
 * last gets its options within the time limit. But no solve gets less than this many seconds, which is enough for the
 * options of most days.
 */
const LEAST_SHARE_SECONDS = 1;
/** A job is given to another worker only if at least this much of its time is left. */
const WORTH_RETRYING_MS = 200;

/** Returns a task's share of the workers' time, in seconds, while this many other accounts wait. */
function shareOf({ seconds }: Task, workers: number, others: number): number {
  return Math.max(LEAST_SHARE_SECONDS, (seconds * workers) / (workers + others));
}

/** Makes a task's model; a problem of weeks has none. Settles a task that cannot be solved, and returns false. */
function prepare(task: Task): boolean {
  if (task.weeks) return true;
  try {
    task.model ??= modelOf(task.problem);
  } catch (error) {
    task.settle.reject(error as Error);
    return false;
  }
  return true;
}

/** Starts the pool; its workers warm up at once. */
export function createSolverPool(settings: SolverPoolSettings): SolverPool {
  const memoryLimitBytes = settings.memoryLimitMb * 1024 * 1024;
  const seats: Seats<Task> = makeSeats({
    size: settings.size,
    script: settings.worker ?? new URL('./worker.ts', import.meta.url),
    workerData: { ...settings.workerData, memoryLimitBytes } satisfies SolverWorkerData,
    onMessage: (seat, message) => receiveMessage(seats, seat, message, memoryLimitBytes) && next(),
    onReplaced: settings.onReplaced,
    onLost: recover,
  });
  const waiting = makeWaitingLine<Task>({
    most: settings.queueLimit,
    mostOfOne: settings.queueLimitOfOne,
    patienceMs: settings.waitSeconds * 1000,
    // Time without a ready worker, such as at startup, does not count as waiting.
    countsTime: () => seats.stats().ready > 0,
    againSeconds: Math.ceil(settings.seconds),
  });
  let closed = false;

  /** Gives a lost worker's task to another worker, or settles it. */
  function recover(task: Task): void {
    if (!task.retried && task.until - performance.now() > WORTH_RETRYING_MS) {
      task.retried = true;
      task.found = [];
      waiting.addAgain(task);
      next();
    } else if (task.found.length > 0) resolveWithFound(task);
    else task.settle.reject(new Refusal('solver-failed'));
  }

  /** Gives waiting tasks to free workers. */
  function next(): void {
    const seat = seats.free();
    const task = seat && waiting.next();
    if (!seat || !task) return;
    if (!prepare(task)) return next();
    beginJob(seats, seat, task, shareOf(task, settings.size, waiting.othersThan(task.owner)));
    next();
  }

  return {
    solve(problem, request = {}) {
      if (closed) return Promise.reject(new Refusal('solver-failed'));
      const parsed = parseProblem(problem);
      if (!parsed.ok) return Promise.resolve(parsed);
      return new Promise((resolve, reject) => {
        waiting.add(taskOf(parsed.problem, request, settings.seconds, { resolve, reject }));
        next();
      });
    },
    solveWeeks: (problem, request = {}) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Refusal('solver-failed'));
        waiting.add(weeksTask({ problem, resolve }, request, settings.seconds, reject));
        next();
      }),
    ready: () => seats.whenReady(),
    stats: () => ({ ...seats.stats(), waiting: waiting.size }),
    async close() {
      closed = true;
      const open = [...waiting.clear(), ...seats.busy().flatMap(({ task }) => task ?? [])];
      for (const { settle } of open) settle.reject(new Refusal('solver-failed'));
      await seats.close();
    },
  };
}
