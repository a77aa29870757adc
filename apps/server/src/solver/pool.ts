/**
 * Worker threads that solve cover problems. A worker that hangs, dies, runs out of memory or returns nonsense is
 * replaced: it costs its request at most one deadline, and the next solve works.
 */
import type { CoverModel, CoverProblem, MustCover, Refusal } from '@clinic/cover-engine';
import { buildModel, parseProblem } from '@clinic/cover-engine';
import { makeWaitingLine } from '../platform/waiting-line.ts';
import { SolverBusyError, SolverFailedError, SolverGoneError } from './errors.ts';
import type { SolveJob, SolverMessage, SolverWorkerData } from './messages.ts';
import { makeSeats, type Seat } from './seats.ts';
import type { TrustedOption } from './trust.ts';
import { trustOption } from './trust.ts';

export interface SolverPoolSettings {
  /** Number of worker threads, each with its own solver. */
  size: number;
  /** Deadline of one solve, in seconds. */
  seconds: number;
  /** A worker whose solver's memory reaches this is replaced. */
  memoryLimitMb: number;
  /** How many requests may wait, in all and for one owner; more are refused with SolverBusyError. */
  queueLimit: number;
  queueLimitOfOne: number;
  /** Requests that have waited this long are refused with SolverBusyError too. */
  waitSeconds: number;
  /** The worker's script; another one in tests. */
  worker?: URL;
  /** Further data for the worker's script, in tests. */
  workerData?: Record<string, unknown>;
  /** Called for every replaced worker, for the log: with one word, and nothing about the problem. */
  onReplaced?: (reason: string) => void;
}

/** The reply to one problem: checked options, or why there are none. */
export type PoolAnswer = { ok: true; model: CoverModel; options: TrustedOption[] } | { ok: false; refusal: Refusal };

export interface SolveRequest {
  /** Who asks: waiting owners take turns. */
  owner?: string;
  /** Aborted when the caller no longer waits; requests that have not started are dropped then. */
  signal?: AbortSignal | undefined;
  /** Most options to return; 5. */
  options?: number;
  /** Deadline; the pool's own by default. */
  seconds?: number;
  /** The worker returns what it has after this time, if that is sooner. */
  within?: number;
  seed?: number;
  /** Find only the cheapest plan that covers these stretches; refused with `cannot_cover` when there is none. */
  mustCover?: readonly MustCover[];
}

export interface SolverPool {
  /** Rejects with SolverBusyError, SolverGoneError or SolverFailedError; refusals are values. */
  solve(problem: unknown, request?: SolveRequest): Promise<PoolAnswer>;
  /** Resolves when every worker is warm. */
  ready(): Promise<void>;
  stats(): { busy: number; waiting: number; replaced: number; ready: number };
  close(): Promise<void>;
}

/** How long after its own deadline a worker counts as hung: it needs time to write its answer and send it. */
const GRACE_MS = 300;
/**
 * A worker's own deadline is a tenth (at most half a second) before the request's, so that it can write down what it
 * has found.
 */
const RESERVE_SHARE = 0.1;
const RESERVE_MS = 500;
/** A retry needs at least this much of the deadline. */
const WORTH_RETRYING_MS = 200;

interface Task {
  readonly owner: string;
  readonly signal: AbortSignal | undefined;
  /** Made when a worker first takes the task, so that waiting tasks take little memory. */
  model: CoverModel | undefined;
  readonly problem: CoverProblem;
  readonly options: number;
  readonly seconds: number;
  readonly within: number;
  readonly seed: number;
  readonly mustCover: readonly MustCover[];
  /** The time of the deadline (ms on the process's clock); set when a worker first takes the task. */
  until: number;
  retried: boolean;
  found: TrustedOption[];
  readonly settle: { resolve: (answer: PoolAnswer) => void; reject: (error: Error) => void };
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
    // The wait does not count while there is no worker, as at the start.
    countsTime: () => seats.stats().ready > 0,
    busy: () => new SolverBusyError(Math.ceil(settings.seconds)),
    gone: () => new SolverGoneError(),
  });
  let jobs = 0;
  let closed = false;

  /** Gives the task of a lost worker to another, or settles it. */
  function recover(task: Task, reason: string): void {
    if (!task.retried && task.until - performance.now() > WORTH_RETRYING_MS) {
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
      task.found.push(option);
    } else if (message.kind === 'done') finish(seat, task, message.refusal ?? null, message.memoryBytes ?? Infinity);
    else seats.lose(seat, message.kind === 'failed' ? 'failed' : 'nonsense');
  }

  function finish(seat: Seat<Task>, task: Task, refusal: Refusal | null, memoryBytes: number): void {
    if (!refusal && task.found.length === 0) return seats.lose(seat, 'nonsense');
    clearTimeout(seat.timer);
    seat.task = null;
    if (refusal) task.settle.resolve({ ok: false, refusal });
    else if (task.model) task.settle.resolve({ ok: true, model: task.model, options: task.found });
    if (memoryBytes > memoryLimitBytes) seats.lose(seat, 'memory');
    next();
  }

  /** Gives waiting tasks to free workers. */
  function next(): void {
    const seat = seats.free();
    const task = seat && waiting.next();
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
    seat.timer = setTimeout(() => seats.lose(seat, 'hung'), left + GRACE_MS);
    const seconds = Math.min(task.within, (left - Math.min(RESERVE_MS, left * RESERVE_SHARE)) / 1000);
    const { problem, options, seed, mustCover } = task;
    seat.worker.postMessage({ id: seat.jobId, problem, options, seconds, seed, mustCover } satisfies SolveJob);
  }

  return {
    solve(problem, request = {}) {
      if (closed) return Promise.reject(new SolverFailedError('closed'));
      const parsed = parseProblem(problem);
      if (!parsed.ok) return Promise.resolve(parsed);
      return new Promise((resolve, reject) => {
        waiting.add(taskOf(parsed.problem, request, settings.seconds, { resolve, reject }));
        next();
      });
    },
    ready: () => seats.whenReady(),
    stats: () => ({ ...seats.stats(), waiting: waiting.size }),
    async close() {
      closed = true;
      for (const task of [...waiting.clear(), ...seats.tasks()]) task.settle.reject(new SolverFailedError('closed'));
      await seats.close();
    },
  };
}

function taskOf(problem: CoverProblem, request: SolveRequest, seconds: number, settle: Task['settle']): Task {
  return {
    owner: request.owner ?? '',
    signal: request.signal,
    model: undefined,
    problem,
    options: request.options ?? 5,
    seconds: request.seconds ?? seconds,
    within: request.within ?? Infinity,
    seed: request.seed ?? 1,
    mustCover: request.mustCover ?? [],
    until: 0,
    retried: false,
    found: [],
    settle,
  };
}
