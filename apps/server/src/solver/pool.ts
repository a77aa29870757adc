/**
 * Worker threads that solve cover problems. A worker that hangs, dies, runs out of memory or returns nonsense is
 * replaced. Its request still ends by its deadline, and the next solve works.
 */
import { buildModel, parseProblem } from '@clinic/cover-engine';
import type { WeeksAnswer } from '@clinic/weeks-engine';
import { SolverFailedError } from './errors.ts';
import { beginJob, receiveMessage, stopJob } from './jobs.ts';
import { makeLines, type Lines, type LineSettings } from './lines.ts';
import type { SolverWorkerData } from './messages.ts';
import { makeSeats, type Seats } from './seats.ts';
import {
  makesWay,
  resolveWithFound,
  taskOf,
  weeksTask,
  type PoolAnswer,
  type SolveRequest,
  type Task,
} from './task.ts';

export interface SolverPoolSettings extends LineSettings {
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
  /** Returns options or a refusal; rejects only with SolverBusyError, SolverGoneError or SolverFailedError. */
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

/** Stops a task that makes way for each request that has no worker. */
function makeRoom(seats: Seats<Task>, lines: Lines): void {
  const able = seats.busy().filter(({ task }) => task && makesWay(task));
  for (const seat of able.slice(0, lines.requests)) stopJob(seats, seat);
}

/** Makes a task's model; a problem of weeks has none. Settles a task that cannot be solved, and returns false. */
function prepare(task: Task): boolean {
  if (task.weeks) return true;
  try {
    task.model ??= buildModel(task.problem);
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
    onMessage: (seat, message) => receiveMessage(seats, seat, message, memoryLimitBytes, postpone) && next(),
    onReplaced: settings.onReplaced,
    onLost: recover,
  });
  // Time without a ready worker, such as at startup, does not count as waiting.
  const lines = makeLines(settings, () => seats.stats().ready > 0, next);
  let closed = false;

  /** Gives a lost worker's task to another worker, or settles it. */
  function recover(task: Task, reason: string): void {
    if (reason === 'stopped') postpone(task);
    else if (!task.retried && task.until - performance.now() > WORTH_RETRYING_MS) {
      task.retried = true;
      task.found = [];
      lines.addAgain(task);
      next();
    } else if (task.found.length > 0) resolveWithFound(task);
    else task.settle.reject(new SolverFailedError(reason));
  }

  /** Lets a task that was stopped wait until no request needs a worker. */
  function postpone(task: Task): void {
    lines.postpone(task);
    next();
  }

  /** Gives waiting tasks to free workers. */
  function next(): void {
    const seat = seats.free();
    if (!seat) return makeRoom(seats, lines);
    const task = lines.next();
    if (!task) return;
    if (!prepare(task)) return next();
    beginJob(seats, seat, task, shareOf(task, settings.size, lines.othersThan(task.owner)));
    next();
  }

  return {
    solve(problem, request = {}) {
      if (closed) return Promise.reject(new SolverFailedError('closed'));
      const parsed = parseProblem(problem);
      if (!parsed.ok) return Promise.resolve(parsed);
      return new Promise((resolve, reject) => {
        const task = taskOf(parsed.problem, request, settings.seconds, { resolve, reject });
        if (makesWay(task)) return postpone(task);
        lines.add(task);
        next();
      });
    },
    solveWeeks: (problem, request = {}) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new SolverFailedError('closed'));
        lines.add(weeksTask({ problem, resolve }, request, settings.seconds, reject));
        next();
      }),
    ready: () => seats.whenReady(),
    stats: () => ({ ...seats.stats(), waiting: lines.requests + lines.postponed }),
    async close() {
      closed = true;
      const open = [...lines.clear(), ...seats.busy().flatMap(({ task }) => task ?? [])];
      for (const { settle } of open) settle.reject(new SolverFailedError('closed'));
      await seats.close();
    },
  };
}
