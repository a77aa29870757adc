/** Gives tasks to workers, and reads the messages that workers send about them. */
import { placeOption } from '@clinic/cover-engine';
import type { SolveJob, SolverMessage, WeeksJob } from './messages.ts';
import type { Seat, Seats } from './seats.ts';
import { noteFirst, resolveWithFound, type Task } from './task.ts';
import { trustOption } from './trust.ts';
import { SLOWEST } from './work-clock.ts';

/** A worker counts as hung this long after its task's deadline, because it needs time to write and send its result. */
const GRACE_MS = 300;
/**
 * A worker stops early to leave time for sending the options that it has found: a tenth of the remaining time, at most
 * half a second.
 */
const RESERVE_SHARE = 0.1;
const RESERVE_MS = 500;

/**
 * Gives a task to a free worker for `share` seconds of work at most. The task's time begins when the first worker takes
 * it.
 */
export function beginJob(seats: Seats<Task>, seat: Seat<Task>, task: Task, share: number): void {
  if (task.until === 0) task.until = performance.now() + task.seconds * SLOWEST * 1000;
  const left = Math.max(1, task.until - performance.now());
  seat.task = task;
  seat.jobId += 1;
  seat.timer = setTimeout(() => seats.lose(seat, 'hung'), left + GRACE_MS);
  const seconds = Math.min(task.within, share, (left - Math.min(RESERVE_MS, left * RESERVE_SHARE)) / (SLOWEST * 1000));
  task.hurried = task.retried || share < task.seconds;
  const { problem, options, distinct, mustCover, weeks } = task;
  if (weeks) {
    seat.worker.postMessage({ id: seat.jobId, weeks: weeks.problem, options, seconds } satisfies WeeksJob);
    return;
  }
  const job: SolveJob = { id: seat.jobId, problem, options, distinct, seconds, mustCover };
  seat.worker.postMessage(job);
}

/**
 * Reads a message from a worker. A worker counts as lost if its job fails, if it sends nonsense, or if its solver has
 * used more than this much memory.
 * @returns whether a task may be waiting for this worker or for its replacement
 */
export function receiveMessage(
  seats: Seats<Task>,
  seat: Seat<Task>,
  received: unknown,
  memoryLimitBytes: number,
): boolean {
  const message = received as Partial<SolverMessage> | null;
  if (message?.kind === 'ready') {
    seats.setReady(seat);
    return true;
  }
  const { task } = seat;
  if (!task || (!task.model && !task.weeks)) return false;
  const isOfJob = typeof message === 'object' && message !== null && 'id' in message && message.id === seat.jobId;
  if (isOfJob && message.kind === 'weeks' && task.weeks && message.answer) {
    endTask(seat);
    task.weeks.resolve(message.answer);
    if ((message.memoryBytes ?? Infinity) > memoryLimitBytes) seats.lose(seat, 'memory');
    return true;
  }
  if (isOfJob && message.kind === 'option' && task.model) {
    const option = trustOption(task.model, message.option);
    // An option that is not yet proven best may be sent again after it has been improved.
    if (option) placeOption(task.found, option);
    else seats.lose(seat, 'nonsense');
    if (option) noteFirst(task, option);
    return false;
  }
  if (isOfJob && message.kind === 'done') {
    if (!endJob(seats, seat, task, message)) return false;
    if ((message.memoryBytes ?? Infinity) > memoryLimitBytes) seats.lose(seat, 'memory');
    return true;
  }
  seats.lose(seat, isOfJob && message.kind === 'failed' ? 'failed' : 'nonsense');
  return false;
}

/** Frees a worker that is done. */
function endTask(seat: Seat<Task>): void {
  clearTimeout(seat.timer);
  seat.task = null;
}

type Done = Extract<SolverMessage, { kind: 'done' }>;

/** Settles the task of a worker that is done. Returns false if there is no result; the worker is then lost. */
function endJob(seats: Seats<Task>, seat: Seat<Task>, task: Task, { refusal, unfinished }: Partial<Done>): boolean {
  if (!refusal && task.found.length === 0) {
    seats.lose(seat, 'nonsense');
    return false;
  }
  endTask(seat);
  if (refusal) task.settle.resolve({ ok: false, refusal });
  else resolveWithFound(task, unfinished);
  return true;
}
