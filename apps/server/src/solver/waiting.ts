import { makeFairQueue } from '../platform/fair-queue.ts';
import { SolverBusyError, SolverGoneError } from './errors.ts';

/** What waits for a worker. */
export interface Waits {
  /** Who asked: those who ask take turns. */
  readonly owner: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined;
  readonly settle: { readonly reject: (error: Error) => void };
}

export interface WaitingSettings {
  /** How many may wait in all, and of one owner. */
  readonly most: number;
  readonly mostOfOne: number;
  /** Whoever has waited so long is refused; while no worker is there, as at the start, the wait does not count. */
  readonly seconds: number;
  readonly anyWorker: () => boolean;
  /** Told to those who are refused: when to come back. */
  readonly retryAfterSeconds: number;
}

/** Those who wait for a worker; each ends it by being taken, or is rejected: busy, or gone. */
export interface Waiting<T extends Waits> {
  readonly size: number;
  add(task: T): void;
  /** For a task that was taken before: it goes first, and is neither counted nor refused. */
  addAgain(task: T): void;
  next(): T | undefined;
  clear(): T[];
}

/**
 * A bounded waiting room in which owners take turns. Where it is full, whoever waits with the most makes room for one who
 * waits with fewer: an account that asks for hundreds never keeps another from asking for one.
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

  /** Makes a place for one more of this owner; whether there is one. */
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
