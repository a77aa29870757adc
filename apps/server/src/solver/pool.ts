/**
 * Worker threads that solve cover problems. A worker that hangs, dies, runs out of memory or returns nonsense is
 * replaced: it costs its request at most one deadline, and the next solve works.
 */
import { Worker } from 'node:worker_threads';
import type { CoverModel, CoverProblem, MustCover, Refusal } from '@clinic/cover-engine';
import { buildModel, parseProblem } from '@clinic/cover-engine';
import { makeWaitingLine } from '../platform/waiting-line.ts';
import { SolverBusyError, SolverFailedError, SolverGoneError } from './errors.ts';
import type { SolveJob, SolverMessage, SolverWorkerData } from './messages.ts';
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
const RESPAWN_MS = 1000;
/** A worker's own heap; HiGHS's memory comes on top. */
const HEAP_MB = 512;

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

interface Seat {
  worker: Worker;
  ready: boolean;
  task: Task | null;
  jobId: number;
  timer: NodeJS.Timeout | undefined;
}

/** Starts the pool; its workers warm up at once. */
export function createSolverPool(settings: SolverPoolSettings): SolverPool {
  const script = settings.worker ?? new URL('./worker.ts', import.meta.url);
  const memoryLimitBytes = settings.memoryLimitMb * 1024 * 1024;
  const seats: Seat[] = [];
  const waiting = makeWaitingLine<Task>({
    most: settings.queueLimit,
    mostOfOne: settings.queueLimitOfOne,
    patienceMs: settings.waitSeconds * 1000,
    // The wait does not count while there is no worker, as at the start.
    countsTime: () => seats.some((s) => s.ready),
    busy: () => new SolverBusyError(Math.ceil(settings.seconds)),
    gone: () => new SolverGoneError(),
  });
  const respawns = new Set<NodeJS.Timeout>();
  let waitingForReady: (() => void)[] = [];
  let jobs = 0;
  let replaced = 0;
  let closed = false;

  function spawn(): void {
    if (closed) return;
    const data: SolverWorkerData = { memoryLimitBytes };
    const worker = new Worker(script, {
      workerData: { ...settings.workerData, ...data },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const seat: Seat = { worker, ready: false, task: null, jobId: 0, timer: undefined };
    seats.push(seat);
    worker.on('message', (message: unknown) => hear(seat, message));
    worker.on('error', () => lose(seat, 'died'));
    worker.on('exit', () => lose(seat, 'died'));
  }

  /** Takes a worker out for good, starts another, and decides what happens to its task. */
  function lose(seat: Seat, reason: string): void {
    const at = seats.indexOf(seat);
    if (at < 0) return;
    seats.splice(at, 1);
    clearTimeout(seat.timer);
    void seat.worker.terminate();
    if (closed) return;
    replaced++;
    settings.onReplaced?.(reason);
    if (seat.ready) spawn();
    else {
      // A worker that never gets ready would be replaced endlessly, so wait a moment before the next.
      const timer = setTimeout(() => {
        respawns.delete(timer);
        spawn();
      }, RESPAWN_MS);
      respawns.add(timer);
    }
    if (seat.task) recover(seat.task, reason);
  }

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

  function hear(seat: Seat, message: unknown): void {
    const said = message as Partial<SolverMessage> | null;
    if (said?.kind === 'ready') {
      seat.ready = true;
      if (seats.length === settings.size && seats.every((s) => s.ready))
        waitingForReady.splice(0).forEach((go) => go());
      return next();
    }
    const { task } = seat;
    if (!task?.model) return;
    if (typeof said !== 'object' || said === null || !('id' in said) || said.id !== seat.jobId)
      return lose(seat, 'nonsense');
    if (said.kind === 'option') {
      const option = trustOption(task.model, said.option);
      if (!option) return lose(seat, 'nonsense');
      task.found.push(option);
    } else if (said.kind === 'done') finish(seat, task, said.refusal ?? null, said.memoryBytes ?? Infinity);
    else lose(seat, said.kind === 'failed' ? 'failed' : 'nonsense');
  }

  function finish(seat: Seat, task: Task, refusal: Refusal | null, memoryBytes: number): void {
    if (!refusal && task.found.length === 0) return lose(seat, 'nonsense');
    clearTimeout(seat.timer);
    seat.task = null;
    if (refusal) task.settle.resolve({ ok: false, refusal });
    else if (task.model) task.settle.resolve({ ok: true, model: task.model, options: task.found });
    if (memoryBytes > memoryLimitBytes) lose(seat, 'memory');
    next();
  }

  function next(): void {
    const seat = seats.find((s) => s.ready && !s.task);
    if (!seat) return;
    const task = waiting.next();
    if (!task) return;
    try {
      task.model ??= buildModel(task.problem);
    } catch (error) {
      task.settle.reject(error as Error);
      return next();
    }
    if (task.until === 0) task.until = performance.now() + task.seconds * 1000;
    const left = Math.max(1, task.until - performance.now());
    seat.task = task;
    seat.jobId = ++jobs;
    seat.timer = setTimeout(() => lose(seat, 'hung'), left + GRACE_MS);
    const job: SolveJob = {
      id: seat.jobId,
      problem: task.problem,
      options: task.options,
      seconds: Math.min(task.within, (left - Math.min(RESERVE_MS, left * RESERVE_SHARE)) / 1000),
      seed: task.seed,
      mustCover: task.mustCover,
    };
    seat.worker.postMessage(job);
    next();
  }

  for (let i = 0; i < settings.size; i++) spawn();

  return {
    solve(problem, request = {}) {
      if (closed) return Promise.reject(new SolverFailedError('closed'));
      const parsed = parseProblem(problem);
      if (!parsed.ok) return Promise.resolve(parsed);
      const { options = 5, seconds = settings.seconds, within = Infinity, seed = 1, mustCover = [] } = request;
      return new Promise((resolve, reject) => {
        waiting.add({
          owner: request.owner ?? '',
          signal: request.signal,
          model: undefined,
          problem: parsed.problem,
          options,
          ...{ seconds, within, seed, mustCover },
          until: 0,
          retried: false,
          found: [],
          settle: { resolve, reject },
        });
        next();
      });
    },
    ready() {
      if (seats.length === settings.size && seats.every((s) => s.ready)) return Promise.resolve();
      return new Promise((resolve) => waitingForReady.push(resolve));
    },
    stats: () => ({
      busy: seats.filter((s) => s.task).length,
      waiting: waiting.size,
      replaced,
      ready: seats.filter((s) => s.ready).length,
    }),
    async close() {
      closed = true;
      waitingForReady = [];
      respawns.forEach(clearTimeout);
      for (const task of [...waiting.clear(), ...seats.flatMap((s) => s.task ?? [])])
        task.settle.reject(new SolverFailedError('closed'));
      await Promise.all(
        seats.splice(0).map((seat) => {
          clearTimeout(seat.timer);
          return seat.worker.terminate();
        }),
      );
    },
  };
}
