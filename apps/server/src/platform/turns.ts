import { Refusal } from './refusal.ts';
import { makeWaitingLine, type Waiter } from './waiting-line.ts';

/** The account, location … for whose share a turn counts. */
export type TurnOf<Kind extends string> = Readonly<Partial<Record<Kind, string>>>;

export interface TurnSettings<Kind extends string> {
  /** How many turns there are at a time. */
  readonly atOnce: number;
  /** How many turns one account, one location … may have at a time. */
  readonly ofOne: Readonly<Record<Kind, number>>;
  /** The kind (such as accounts) that takes turns when requests wait. */
  readonly fairBy: Kind;
  /** How many requests of one owner may wait; further ones are refused. */
  readonly mostWaiting: number;
  /** How long a request may wait before it is refused, in milliseconds. */
  readonly patienceMs: number;
}

/** Ends a turn; further calls do nothing. */
export type EndTurn = () => void;

export interface Turns<Kind extends string> {
  /**
   * Waits for a turn. Refuses with `busy` when the owner has too many waiting or the wait was too long, with `hung-up`
   * when the signal says that the caller no longer waits.
   * @param ahead goes before the owner's other requests, since it has had a turn and is waiting for the next
   */
  take(of: TurnOf<Kind>, signal?: AbortSignal, ahead?: boolean): Promise<EndTurn>;
  stats(): { readonly running: number; readonly waiting: number };
}

interface WaitsForTurn<Kind extends string> extends Waiter {
  readonly of: TurnOf<Kind>;
  readonly settle: { readonly resolve: (end: EndTurn) => void; readonly reject: (error: Error) => void };
}

/**
 * Limits how many work at the same time. Those that wait take turns by owner, so that an owner with many requests
 * delays only their own.
 */
export function makeTurns<Kind extends string>(settings: TurnSettings<Kind>): Turns<Kind> {
  const line = makeWaitingLine<WaitsForTurn<Kind>>({
    mostOfOne: settings.mostWaiting,
    patienceMs: settings.patienceMs,
    busy: () => new Refusal('busy'),
    gone: () => new Refusal('hung-up'),
  });
  const held = new Map<string, number>();
  const kinds = Object.keys(settings.ofOne) as Kind[];
  let running = 0;

  const keysOf = (of: TurnOf<Kind>): [string, number][] =>
    kinds.flatMap((kind) => (of[kind] === undefined ? [] : [[`${kind}:${of[kind]}`, settings.ofOne[kind]]]));
  const isFree = (of: TurnOf<Kind>): boolean =>
    running < settings.atOnce && keysOf(of).every(([key, most]) => (held.get(key) ?? 0) < most);

  function begin(of: TurnOf<Kind>): EndTurn {
    running++;
    for (const [key] of keysOf(of)) held.set(key, (held.get(key) ?? 0) + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      running--;
      for (const [key] of keysOf(of)) {
        const left = (held.get(key) ?? 0) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      }
      const nextFree = (): WaitsForTurn<Kind> | undefined => line.next((each) => isFree(each.of));
      for (let next = nextFree(); next; next = nextFree()) next.settle.resolve(begin(next.of));
    };
  }

  return {
    take(of, signal, ahead = false) {
      // A free turn is given at once: those who wait do so for shares that are used up.
      if (!signal?.aborted && isFree(of)) return Promise.resolve(begin(of));
      return new Promise((resolve, reject) => {
        line.add({ of, owner: of[settings.fairBy] ?? '', signal, ahead, settle: { resolve, reject } });
      });
    },
    stats: () => ({ running, waiting: line.size }),
  };
}
