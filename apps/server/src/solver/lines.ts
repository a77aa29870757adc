/** Who waits for a worker: requests, then problems that make way for them. */
import { makeWaitingLine, type Waiter } from '../platform/waiting-line.ts';
import { SolverBusyError, SolverGoneError } from './errors.ts';
import { REST_MS, type Task } from './task.ts';

export interface LineSettings {
  /** How many requests may wait, in total and per account. Any others are refused with SolverBusyError. */
  readonly queueLimit: number;
  readonly queueLimitOfOne: number;
  /** Requests that have waited this long are refused with SolverBusyError too. */
  readonly waitSeconds: number;
  /** The time limit for one solve, in seconds. */
  readonly seconds: number;
}

/** A problem that waits until no request needs a worker. */
interface Postponed extends Waiter {
  readonly task: Task;
}

export interface Lines {
  /** How many requests wait, and how many problems that make way. */
  readonly requests: number;
  readonly postponed: number;
  othersThan(owner: string): number;
  add(task: Task): void;
  /** Puts back a request whose worker was lost. */
  addAgain(task: Task): void;
  /** Lets a task wait until no request needs a worker, for a while; then it waits like a request. */
  postpone(task: Task): void;
  next(): Task | undefined;
  clear(): Task[];
}

/**
 * @param countsTime whether time counts as waiting at the moment
 * @param look called when a postponed task has become a request
 */
export function makeLines(settings: LineSettings, countsTime: () => boolean, look: () => void): Lines {
  const limits = {
    most: settings.queueLimit,
    mostOfOne: settings.queueLimitOfOne,
    countsTime,
    busy: () => new SolverBusyError(Math.ceil(settings.seconds)),
    gone: () => new SolverGoneError(),
  };
  const waiting = makeWaitingLine<Task>({ ...limits, patienceMs: settings.waitSeconds * 1000 });
  const later = makeWaitingLine<Postponed>({ ...limits, patienceMs: REST_MS });

  return {
    get requests() {
      return waiting.size;
    },
    get postponed() {
      return later.size;
    },
    othersThan: (owner) => waiting.othersThan(owner),
    add: (task) => waiting.add(task),
    addAgain: (task) => waiting.addAgain(task),
    postpone(task) {
      task.until = 0;
      const reject = (error: Error): void => {
        if (!(error instanceof SolverBusyError)) return task.settle.reject(error);
        task.makesWayUntil = 0;
        waiting.add(task);
        look();
      };
      later.add({ owner: task.owner, signal: task.signal, task, settle: { reject } });
    },
    next: () => waiting.next() ?? later.next()?.task,
    clear: () => [...waiting.clear(), ...later.clear().map(({ task }) => task)],
  };
}
