/**
 * Worker threads that solve cover problems. A worker that hangs, dies, runs out of memory or returns nonsense is
 * replaced. Its request still ends by its deadline, and the next solve works.
 */
import { buildModel, parseProblem } from '@clinic/cover-engine';
import { makeWaitingLine } from '../platform/waiting-line.ts';
import { SolverBusyError, SolverFailedError, SolverGoneError } from './errors.ts';
import { beginJob, receiveMessage } from './jobs.ts';
import { lookUp, makeKnownDays, pinnedDay } from './known-days.ts';
import type { SolverWorkerData } from './messages.ts';
import { makeSeats, type Seats } from './seats.ts';
import type { SearchOffer } from './shared-searches.ts';
import { makeSpares } from './spares.ts';
import { helpTask, isSpare, resolveWithFound, taskOf, type PoolAnswer, type SolveRequest, type Task } from './task.ts';

export interface SolverPoolSettings {
  /** The number of worker threads, each with its own solver. */
  size: number;
  /** The time limit for one solve, in seconds. */
  seconds: number;
  /** The memory, in megabytes, that a worker's solver may use before the worker is replaced. */
  memoryLimitMb: number;
  /** How many requests may wait, in total and per account. Any others are refused with SolverBusyError. */
  queueLimit: number;
  queueLimitOfOne: number;
  /** Requests that have waited this long are refused with SolverBusyError too. */
  waitSeconds: number;
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
  /** Resolves when every worker has warmed up. */
  ready(): Promise<void>;
  stats(): { busy: number; waiting: number; spare: number; replaced: number; ready: number };
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

/** Starts the pool; its workers warm up at once. */
export function createSolverPool(settings: SolverPoolSettings): SolverPool {
  const memoryLimitBytes = settings.memoryLimitMb * 1024 * 1024;
  const seats: Seats<Task> = makeSeats({
    size: settings.size,
    script: settings.worker ?? new URL('./worker.ts', import.meta.url),
    workerData: { ...settings.workerData, memoryLimitBytes } satisfies SolverWorkerData,
    onMessage: (seat, message) => {
      const on = {
        offer: (task: Task, offer: SearchOffer) => spares.add(helpTask(task, offer)),
        known: (task: Task, known: SharedArrayBuffer) => days.keep(pinnedDay(task.problem), known),
      };
      if (receiveMessage(seats, seat, message, memoryLimitBytes, on)) next();
    },
    onReplaced: settings.onReplaced,
    onLost: recover,
  });
  const waiting = makeWaitingLine<Task>({
    most: settings.queueLimit,
    mostOfOne: settings.queueLimitOfOne,
    patienceMs: settings.waitSeconds * 1000,
    // Time without a ready worker, such as at startup, does not count as waiting.
    countsTime: () => seats.stats().ready > 0,
    busy: () => new SolverBusyError(Math.ceil(settings.seconds)),
    gone: () => new SolverGoneError(),
  });
  const spares = makeSpares(seats, settings);
  const days = makeKnownDays();
  let closed = false;

  /** Gives a lost worker's task to another worker, or settles it. */
  function recover(task: Task, reason: string): void {
    task.helped?.abort();
    if (isSpare(task)) task.settle.reject(new SolverGoneError());
    else if (!task.retried && task.until - performance.now() > WORTH_RETRYING_MS) {
      task.retried = true;
      task.found = [];
      waiting.addAgain(task);
      next();
    } else if (task.found.length > 0) resolveWithFound(task);
    else task.settle.reject(new SolverFailedError(reason));
  }

  /** Gives waiting tasks to free workers. */
  function next(): void {
    const seat = seats.free();
    if (!seat) return spares.makeRoom(waiting.size);
    const task = waiting.next() ?? spares.next();
    if (!task) return;
    try {
      task.model ??= buildModel(task.problem);
    } catch (error) {
      task.settle.reject(error as Error);
      return next();
    }
    lookUp(days, task);
    beginJob(seats, seat, task, shareOf(task, settings.size, waiting.othersThan(task.owner)), settings.size > 1);
    if (task.spare) spares.began(seat, task.spare);
    next();
  }

  return {
    solve(problem, request = {}) {
      if (closed) return Promise.reject(new SolverFailedError('closed'));
      const parsed = parseProblem(problem);
      if (!parsed.ok) return Promise.resolve(parsed);
      return new Promise((resolve, reject) => {
        (request.spare ? spares : waiting).add(taskOf(parsed.problem, request, settings.seconds, { resolve, reject }));
        next();
      });
    },
    ready: () => seats.whenReady(),
    stats: () => ({ ...seats.stats(), waiting: waiting.size, spare: spares.waiting }),
    async close() {
      closed = true;
      const open = [...waiting.clear(), ...spares.clear(), ...seats.busy().flatMap(({ task }) => task ?? [])];
      for (const task of open) task.settle.reject(new SolverFailedError('closed'));
      await seats.close();
    },
  };
}
