import { makeFairQueue } from './fair-queue.ts';

/** A request that waits for its turn. */
export interface Waiter {
  /** The account from which the request comes or, before login, the IP address. Accounts take turns. */
  readonly owner: string;
  /** Aborted when the caller no longer waits for the request's result. */
  readonly signal: AbortSignal | undefined;
  readonly settle: { readonly reject: (error: Error) => void };
}

export interface WaitingSettings {
  /** The maximum number of waiting requests per account. */
  readonly mostOfOne: number;
  /** The maximum number of waiting requests in total; undefined for no limit. */
  readonly most?: number;
  /** How many milliseconds a request may wait before it is refused. */
  readonly patienceMs: number;
  /**
   * Whether waiting time counts at the moment; while this returns false, no request is refused for having waited too
   * long.
   */
  readonly countsTime?: () => boolean;
  /** Makes the refusal of a request that finds the line full or has waited too long. */
  readonly busy: () => Error;
  /** Makes the refusal of a request whose client closed the connection. */
  readonly gone: () => Error;
}

/** The requests that wait. Each one is eventually taken, or refused as busy or gone. */
export interface WaitingLine<T extends Waiter> {
  readonly size: number;
  /** The number of other accounts with waiting requests. */
  othersThan(owner: string): number;
  add(waiter: T): void;
  /**
   * Puts back a request that was taken; it goes first, even if the line is full, and its waiting time is not limited.
   */
  addAgain(waiter: T): void;
  /**
   * Removes and returns the next request that `may` allows. Accounts take turns, and each account's requests come in
   * order.
   */
  next(may?: (waiter: T) => boolean): T | undefined;
  clear(): T[];
}

/**
 * A waiting line of limited length in which accounts take turns. When it is full, the account with the most requests
 * makes room for an account with fewer, so that an account with hundreds of requests never keeps others out.
 */
export function makeWaitingLine<T extends Waiter>(settings: WaitingSettings): WaitingLine<T> {
  const { mostOfOne, most = Infinity, patienceMs, countsTime = () => true, busy, gone } = settings;
  const queue = makeFairQueue<T>();
  const stops = new Map<T, () => void>();

  function stopWaiting(waiter: T): void {
    stops.get(waiter)?.();
    stops.delete(waiter);
  }

  function refuse(waiter: T, error: Error): void {
    queue.remove(waiter.owner, waiter);
    stopWaiting(waiter);
    waiter.settle.reject(error);
  }

  /** Makes room for one more request from this account, if necessary; returns whether there is room. */
  function makeRoom(owner: string): boolean {
    if (queue.countOf(owner) >= mostOfOne) return false;
    if (queue.size < most) return true;
    if (queue.countOf(owner) + 1 >= queue.longest()) return false;
    const last = queue.dropFromLongest();
    if (last) refuse(last, busy());
    return last !== undefined;
  }

  return {
    get size() {
      return queue.size;
    },
    othersThan: (owner) => queue.owners - (queue.countOf(owner) > 0 ? 1 : 0),
    add(waiter) {
      const { owner, signal, settle } = waiter;
      if (signal?.aborted) return settle.reject(gone());
      if (!makeRoom(owner)) return settle.reject(busy());
      queue.push(owner, waiter);
      let late: NodeJS.Timeout;
      const waitOn = (): void => {
        late = setTimeout(() => (countsTime() ? refuse(waiter, busy()) : waitOn()), patienceMs);
      };
      waitOn();
      const onAbort = (): void => refuse(waiter, gone());
      signal?.addEventListener('abort', onAbort);
      stops.set(waiter, () => {
        clearTimeout(late);
        signal?.removeEventListener('abort', onAbort);
      });
    },
    addAgain(waiter) {
      queue.pushFirst(waiter.owner, waiter);
    },
    next(may) {
      const waiter = queue.next(may);
      if (waiter) stopWaiting(waiter);
      return waiter;
    },
    clear() {
      const all = queue.clear();
      all.forEach(stopWaiting);
      return all;
    },
  };
}
