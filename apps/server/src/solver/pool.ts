/**
 * Worker threads that solve cover problems. A worker that hangs, dies, runs out of memory or returns nonsense is
 * replaced. Its request still ends by its deadline, and the next solve works.
 */
import type { Refusal } from '@clinic/cover-engine';
import { buildModel, parseProblem, placeOption } from '@clinic/cover-engine';
import { makeWaitingLine } from '../platform/waiting-line.ts';
import { SolverBusyError, SolverFailedError, SolverGoneError } from './errors.ts';
import type { SolveJob, SolverMessage, SolverWorkerData } from './messages.ts';
import { makeSeats, type Seat } from './seats.ts';
import { isStopping, makeSpares } from './spares.ts';
import { isSpare, taskOf, type PoolAnswer, type SolveRequest, type Task } from './task.ts';
import { trustOption } from './trust.ts';

export interface SolverPoolSettings {
  /** The number of worker threads, each with its own solver. */
  size: number;
  /** The time limit of one solve, in seconds. */
  seconds: number;
  /** The memory, in megabytes, that a worker's solver may use before the worker is replaced. */
  memoryLimitMb: number;
  /** How many requests may wait, in total and per owner. Any others are refused with SolverBusyError. */
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

/** A worker counts as hung this long after its own deadline, since it needs time to write and send its result. */
const GRACE_MS = 300;
/**
 * A worker's own deadline is earlier than the request's by a tenth of the time, but at most by half a second. In that
 * time, the worker sends the options that it has found.
 */
const RESERVE_SHARE = 0.1;
const RESERVE_MS = 500;
/**
 * While other owners wait, the workers' time is shared among all of them, so that the last one's solve ends by the time
 * limit too. But no solve gets less than this many seconds, which is enough for the options of most days.
 */
const LEAST_SHARE_SECONDS = 1;
/** A job is given to another worker only if at least this much of its time is left. */
const WORTH_RETRYING_MS = 200;

/** Returns a task's share of the workers' time, in seconds, while this many other owners wait. */
function shareOf({ seconds }: Task, workers: number, others: number): number {
  return Math.max(LEAST_SHARE_SECONDS, (seconds * workers) / (workers + others));
}

/** Starts the pool; its workers warm up at once. */
export function createSolverPool(settings: SolverPoolSettings): SolverPool {
  const memoryLimitBytes = settings.memoryLimitMb * 1024 * 1024;
  const seats = makeSeats<Task>({
    size: settings.size,
    script: settings.worker ?? new URL('./worker.ts', import.meta.url),
    workerData: { ...settings.workerData, memoryLimitBytes } satisfies SolverWorkerData,
    onMessage: receive,
    onReplaced: settings.onReplaced,
    onLost: recover,
  });
  const waiting = makeWaitingLine<Task>({
    most: settings.queueLimit,
    mostOfOne: settings.queueLimitOfOne,
    patienceMs: settings.waitSeconds * 1000,
    // Time without a ready worker, as at the start, does not count as waiting.
    countsTime: () => seats.stats().ready > 0,
    busy: () => new SolverBusyError(Math.ceil(settings.seconds)),
    gone: () => new SolverGoneError(),
  });
  const spares = makeSpares(seats, settings);
  let jobs = 0;
  let closed = false;

  /** Gives a lost worker's task to another worker, or settles it. */
  function recover(task: Task, reason: string): void {
    if (isSpare(task)) task.settle.reject(new SolverGoneError());
    else if (!task.retried && task.until - performance.now() > WORTH_RETRYING_MS) {
      task.retried = true;
      task.found = [];
      waiting.addAgain(task);
      next();
    } else if (task.model && task.found.length > 0)
      task.settle.resolve({ ok: true, model: task.model, options: task.found });
    else task.settle.reject(new SolverFailedError(reason));
  }

  function receive(seat: Seat<Task>, received: unknown): void {
    const message = received as Partial<SolverMessage> | null;
    if (message?.kind === 'ready') {
      seats.setReady(seat);
      return next();
    }
    const { task } = seat;
    if (!task?.model) return;
    if (typeof message !== 'object' || message === null || !('id' in message) || message.id !== seat.jobId)
      return seats.lose(seat, 'nonsense');
    if (message.kind === 'option') {
      const option = trustOption(task.model, message.option);
      if (!option) return seats.lose(seat, 'nonsense');
      // An option that was not proven may come again, improved in the remaining time.
      placeOption(task.found, option);
    } else if (message.kind === 'done') finish(seat, task, message.refusal ?? null, message.memoryBytes ?? Infinity);
    else seats.lose(seat, message.kind === 'failed' ? 'failed' : 'nonsense');
  }

  function finish(seat: Seat<Task>, task: Task, refusal: Refusal | null, memoryBytes: number): void {
    const stopped = isStopping(seat);
    if (!stopped && !refusal && task.found.length === 0) return seats.lose(seat, 'nonsense');
    clearTimeout(seat.timer);
    seat.task = null;
    if (stopped) task.settle.reject(new SolverGoneError());
    else if (refusal) task.settle.resolve({ ok: false, refusal });
    else if (task.model) task.settle.resolve({ ok: true, model: task.model, options: task.found });
    if (memoryBytes > memoryLimitBytes) seats.lose(seat, 'memory');
    next();
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
    begin(seat, task);
    next();
  }

  function begin(seat: Seat<Task>, task: Task): void {
    if (task.until === 0) task.until = performance.now() + task.seconds * 1000;
    const left = Math.max(1, task.until - performance.now());
    seat.task = task;
    seat.jobId = ++jobs;
    if (task.spare) spares.began(seat, task.spare);
    seat.timer = setTimeout(() => seats.lose(seat, 'hung'), left + GRACE_MS);
    const seconds = Math.min(
      task.within,
      shareOf(task, settings.size, waiting.othersThan(task.owner)),
      (left - Math.min(RESERVE_MS, left * RESERVE_SHARE)) / 1000,
    );
    const { problem, options, seed, mustCover } = task;
    seat.worker.postMessage({ id: seat.jobId, problem, options, seconds, seed, mustCover } satisfies SolveJob);
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
