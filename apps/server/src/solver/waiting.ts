import { makeFairQueue } from '../platform/fair-queue.ts';
import { SolverBusyError, SolverGoneError } from './errors.ts';

/** A task that waits for a worker. */
export interface Waits {
  /** Who asked: owners take turns. */
  readonly owner: string;
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal: AbortSignal | undefined;
  readonly settle: { readonly reject: (error: Error) => void };
}

export interface WaitingSettings {
  /** How many tasks may wait, in all and for one owner. */
  readonly most: number;
  readonly mostOfOne: number;
  /**
   * Tasks that have waited this long are refused. The wait does not count while there is no worker, as at the start.
   */
  readonly seconds: number;
  readonly anyWorker: () => boolean;
  /** When refused callers should come back. */
  readonly retryAfterSeconds: number;
}

/** The tasks that wait for a worker. Each is either taken, or rejected as busy or gone. */
export interface Waiting<T extends Waits> {
  readonly size: number;
  add(task: T): void;
  /** For a task that was taken before: it goes first, and is neither counted nor refused. */
  addAgain(task: T): void;
  next(): T | undefined;
  clear(): T[];
}

/**
 * A bounded waiting room in which owners take turns. When it is full, the owner with the most waiting tasks makes room
 * for an owner with fewer: an account that asks for hundreds never keeps another from asking for one.
 */
export function makeWaiting<T extends Waits>(settings: WaitingSettings): Waiting<T> {
  const queue = makeFairQueue<T>();
  const stops = new Map<T, () => void>();
  const busy = (): SolverBusyError => new SolverBusyError(Math.ceil(settings.retryAfterSeconds));

  function stopWaiting(task: T): void {
    stops.get(task)?.();
    stops.delete(task);
  }

  function refuse(task: T, error: Error): void {
    queue.remove(task.owner, task);
    stopWaiting(task);
    task.settle.reject(error);
  }

  /** Makes room for one more task of this owner; returns whether there is room. */
  function makeRoom(owner: string): boolean {
    if (queue.countOf(owner) >= settings.mostOfOne) return false;
    if (queue.size < settings.most) return true;
    if (queue.countOf(owner) + 1 >= queue.longest()) return false;
    const last = queue.dropFromLongest();
    if (!last) return false;
    stopWaiting(last);
    last.settle.reject(busy());
    return true;
  }

  return {
    get size() {
      return queue.size;
    },
    add(task) {
      const { owner, signal, settle } = task;
      if (signal?.aborted) return settle.reject(new SolverGoneError());
      if (!makeRoom(owner)) return settle.reject(busy());
      queue.push(owner, task);
      let late: NodeJS.Timeout;
      const waitOn = (): void => {
        late = setTimeout(() => (settings.anyWorker() ? refuse(task, busy()) : waitOn()), settings.seconds * 1000);
      };
      waitOn();
      const onAbort = (): void => refuse(task, new SolverGoneError());
      signal?.addEventListener('abort', onAbort);
      stops.set(task, () => {
        clearTimeout(late);
        signal?.removeEventListener('abort', onAbort);
      });
    },
    addAgain(task) {
      queue.pushFirst(task.owner, task);
    },
    next() {
      const task = queue.next();
      if (task) stopWaiting(task);
      return task;
    },
    clear() {
      const all = queue.clear();
      all.forEach(stopWaiting);
      return all;
    },
  };
}
