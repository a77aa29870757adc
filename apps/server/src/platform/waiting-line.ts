import { Refusal } from './refusal.ts';

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
  /** After how many seconds a request that finds the line full, or has waited too long, may try again. */
  readonly againSeconds?: number;
}

/** The requests that wait. Each one is eventually taken, or refused: `busy`, or `hung-up` if its client is gone. */
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
  const { mostOfOne, most = Infinity, patienceMs, countsTime = () => true, againSeconds } = settings;
  const again = againSeconds === undefined ? {} : { headers: { 'retry-after': String(againSeconds) } };
  const busy = (): Refusal => new Refusal('busy', again);
  /** The requests by account, in the order of the accounts' turns. Accounts without requests have no entry. */
  let lists = new Map<string, T[]>();
  const stops = new Map<T, () => void>();
  const sizeOf = (owner: string): number => lists.get(owner)?.length ?? 0;
  const size = (): number => [...lists.values()].reduce((sum, list) => sum + list.length, 0);

  /** Takes a request out of its account's list, and ends its waiting. */
  function remove(waiter: T): void {
    const left = (lists.get(waiter.owner) ?? []).filter((each) => each !== waiter);
    if (left.length > 0) lists.set(waiter.owner, left);
    else lists.delete(waiter.owner);
    stops.get(waiter)?.();
    stops.delete(waiter);
  }

  function refuse(waiter: T, error: Error): void {
    remove(waiter);
    waiter.settle.reject(error);
  }

  /** Makes room for one more request from this account, if necessary; returns whether there is room. */
  function makeRoom(owner: string): boolean {
    if (sizeOf(owner) >= mostOfOne) return false;
    if (size() < most) return true;
    const longest = [...lists.values()].reduce<T[]>((so, list) => (list.length > so.length ? list : so), []);
    const last = longest.at(-1);
    if (last === undefined || sizeOf(owner) + 1 >= longest.length) return false;
    refuse(last, busy());
    return true;
  }

  return {
    get size() {
      return size();
    },
    othersThan: (owner) => lists.size - (lists.has(owner) ? 1 : 0),
    add(waiter) {
      const { owner, signal, settle } = waiter;
      if (signal?.aborted) return settle.reject(new Refusal('hung-up'));
      if (!makeRoom(owner)) return settle.reject(busy());
      lists.set(owner, [...(lists.get(owner) ?? []), waiter]);
      let late: NodeJS.Timeout;
      const waitOn = (): void => {
        late = setTimeout(() => (countsTime() ? refuse(waiter, busy()) : waitOn()), patienceMs);
      };
      waitOn();
      const onAbort = (): void => refuse(waiter, new Refusal('hung-up'));
      signal?.addEventListener('abort', onAbort);
      stops.set(waiter, () => {
        clearTimeout(late);
        signal?.removeEventListener('abort', onAbort);
      });
    },
    addAgain(waiter) {
      const { owner } = waiter;
      lists = new Map([
        [owner, [waiter, ...(lists.get(owner) ?? [])]],
        ...[...lists].filter(([each]) => each !== owner),
      ]);
    },
    next(may = () => true) {
      const waiter = [...lists.values()].flatMap((list) => list.find(may) ?? [])[0];
      if (waiter === undefined) return undefined;
      remove(waiter);
      // The next turn of its account comes after everyone else's.
      const left = lists.get(waiter.owner);
      if (left && lists.delete(waiter.owner)) lists.set(waiter.owner, left);
      return waiter;
    },
    clear() {
      const all = [...lists.values()].flat();
      all.forEach(remove);
      return all;
    },
  };
}
