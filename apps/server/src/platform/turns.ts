import { makeWaitingLine, type Waiter } from './waiting-line.ts';

export interface TurnSettings {
  /** The maximum number of turns at a time; Infinity by default. */
  readonly atOnce?: number;
  /** The maximum number of turns at a time for a single account. */
  readonly ofOne: number;
  /** How many requests of one account may wait. Any more are refused. */
  readonly mostWaiting: number;
  /** How long a request may wait before it is refused, in milliseconds. */
  readonly patienceMs: number;
}

/** Ends a turn; further calls do nothing. */
export type EndTurn = () => void;

export interface Turns {
  /**
   * Waits for a turn. Refuses with `busy` if too many requests of the same account are waiting or the wait was too
   * long. Refuses with `hung-up` if the signal is aborted, because the caller no longer waits.
   * @param owner the account or, before login, the IP address
   */
  take(owner: string, signal?: AbortSignal): Promise<EndTurn>;
  stats(): { readonly running: number; readonly waiting: number };
}

interface WaitsForTurn extends Waiter {
  readonly settle: { readonly resolve: (end: EndTurn) => void; readonly reject: (error: Error) => void };
}

/**
 * Limits how many requests do the same work at the same time. Accounts take turns, so that an account with many waiting
 * requests delays no one else.
 */
export function makeTurns({ atOnce = Infinity, ofOne, mostWaiting, patienceMs }: TurnSettings): Turns {
  const line = makeWaitingLine<WaitsForTurn>({
    mostOfOne: mostWaiting,
    patienceMs,
  });
  /** How many turns each account has, if any. */
  const held = new Map<string, number>();
  let running = 0;

  const isFree = (owner: string): boolean => running < atOnce && (held.get(owner) ?? 0) < ofOne;

  function count(owner: string, more: 1 | -1): void {
    running += more;
    const now = (held.get(owner) ?? 0) + more;
    if (now > 0) held.set(owner, now);
    else held.delete(owner);
  }

  function begin(owner: string): EndTurn {
    count(owner, 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      count(owner, -1);
      const nextFree = (): WaitsForTurn | undefined => line.next((each) => isFree(each.owner));
      for (let next = nextFree(); next; next = nextFree()) next.settle.resolve(begin(next.owner));
    };
  }

  return {
    take(owner, signal) {
      // A free turn is granted at once even if others wait, because those who wait have used up their share.
      if (!signal?.aborted && isFree(owner)) return Promise.resolve(begin(owner));
      return new Promise((resolve, reject) => {
        line.add({ owner, signal, settle: { resolve, reject } });
      });
    },
    stats: () => ({ running, waiting: line.size }),
  };
}
