import { keysOf } from '@clinic/domain';
import { Refusal } from './refusal.ts';
import { makeWaitingLine, type Waiter } from './waiting-line.ts';

/** The account, location and so on that take a turn. The turn counts towards the limits of each. */
export type TurnOf<Kind extends string> = Readonly<Partial<Record<Kind, string>>>;

export interface TurnSettings<Kind extends string> {
  /** The maximum number of turns at a time. */
  readonly atOnce: number;
  /** The maximum number of turns at a time for a single account, a single location, and so on. */
  readonly ofOne: Readonly<Record<Kind, number>>;
  /** How waiting requests share the turns: fairly between accounts, between locations, and so on. */
  readonly fairBy: Kind;
  /** How many requests of one account, one location, and so on may wait. Any more are refused. */
  readonly mostWaiting: number;
  /** How long a request may wait before it is refused, in milliseconds. */
  readonly patienceMs: number;
}

/** Ends a turn; further calls do nothing. */
export type EndTurn = () => void;

export interface Turns<Kind extends string> {
  /**
   * Waits for a turn. Refuses with `busy` if too many requests of the same account are waiting or the wait was too
   * long. Refuses with `hung-up` if the signal is aborted, because the caller no longer waits.
   */
  take(of: TurnOf<Kind>, signal?: AbortSignal): Promise<EndTurn>;
  stats(): { readonly running: number; readonly waiting: number };
}

interface WaitsForTurn<Kind extends string> extends Waiter {
  readonly of: TurnOf<Kind>;
  readonly settle: { readonly resolve: (end: EndTurn) => void; readonly reject: (error: Error) => void };
}

/**
 * Limits how many requests do the same work at the same time. Accounts take turns, so that an account with many waiting
 * requests delays no one else.
 */
export function makeTurns<Kind extends string>(settings: TurnSettings<Kind>): Turns<Kind> {
  const line = makeWaitingLine<WaitsForTurn<Kind>>({
    mostOfOne: settings.mostWaiting,
    patienceMs: settings.patienceMs,
    busy: () => new Refusal('busy'),
    gone: () => new Refusal('hung-up'),
  });
  /** For each kind, how many turns each account, location, and so on has, if any. */
  const held = keysOf(settings.ofOne).map((kind) => ({
    kind,
    most: settings.ofOne[kind],
    counts: new Map<string, number>(),
  }));
  let running = 0;

  const isFree = (of: TurnOf<Kind>): boolean =>
    running < settings.atOnce &&
    held.every(({ kind, most, counts }) => {
      const who = of[kind];
      return who === undefined || (counts.get(who) ?? 0) < most;
    });

  function count(of: TurnOf<Kind>, more: 1 | -1): void {
    running += more;
    for (const { kind, counts } of held) {
      const who = of[kind];
      if (who === undefined) continue;
      const now = (counts.get(who) ?? 0) + more;
      if (now > 0) counts.set(who, now);
      else counts.delete(who);
    }
  }

  function begin(of: TurnOf<Kind>): EndTurn {
    count(of, 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      count(of, -1);
      const nextFree = (): WaitsForTurn<Kind> | undefined => line.next((each) => isFree(each.of));
      for (let next = nextFree(); next; next = nextFree()) next.settle.resolve(begin(next.of));
    };
  }

  return {
    take(of, signal) {
      // A free turn is granted at once even if others wait, because those who wait have used up their share.
      if (!signal?.aborted && isFree(of)) return Promise.resolve(begin(of));
      return new Promise((resolve, reject) => {
        line.add({ of, owner: of[settings.fairBy] ?? '', signal, settle: { resolve, reject } });
      });
    },
    stats: () => ({ running, waiting: line.size }),
  };
}
