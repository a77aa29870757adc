/**
 * How one worker helps another with a solve. The solving worker offers the searches that follow Option 1; a second
 * worker, if one is free, takes some of them. Both see in shared memory who has which search. The work and its results
 * pass through a port between them, so the main thread never reads them.
 */
import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { HelperDesk, Helpers, LaterWork, OfferedSearches, Outcome } from '@clinic/cover-engine';

/** The states of a search. */
const FREE = 0;
const TAKEN = 1;
export const HELPED = 2;
const FOUND = 3;

/** Searches that another worker may take. */
export interface SearchOffer {
  /** Where the work waits, and where results are sent. */
  readonly port: MessagePort;
  /** Whether a helper is at work (1 or 0), and then each search's state. */
  readonly state: Int32Array;
  /** The solving worker's deadline, in milliseconds on the clock of `now`. */
  readonly until: number;
}

/** Returns milliseconds on a clock that all threads share. */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** A helper stops this long before the solving worker, which then waits this much longer for the result. */
const EARLIER_MS = 50;
const PATIENCE_MS = 100;
/** How often a waiting worker looks whether it must stop. */
const LOOK_MS = 20;

/** What both workers ask of the shared memory. */
const counts = (state: Int32Array): Pick<OfferedSearches, 'threads' | 'unclaimed'> => ({
  threads: () => 1 + Atomics.load(state, 0),
  unclaimed: () => state.subarray(1).filter((each) => each === FREE).length,
});

interface Result {
  readonly search: number;
  readonly outcome: Outcome;
}

/** Returns the next message that has arrived on a port between workers, if there is one. */
const receive = <T>(port: MessagePort): T | undefined => receiveMessageOnPort(port)?.message as T | undefined;

function take(state: Int32Array, i: number, as: number): boolean {
  return Atomics.compareExchange(state, i + 1, FREE, as) === FREE;
}

/** Gives back the searches that a helper has taken and not finished. */
export function giveBack({ state }: Pick<SearchOffer, 'state'>): void {
  Atomics.store(state, 0, 0);
  for (let at = 1; at < state.length; at++)
    if (Atomics.compareExchange(state, at, HELPED, FREE) === HELPED) Atomics.notify(state, at);
}

/** Ends an offer: no search of it is free anymore, and a helper stops. */
export const endOffer = ({ state }: Pick<SearchOffer, 'state'>): void => void state.fill(TAKEN, 1);

/** The helpers of a solve that ends at `until`. `say` tells the pool of an offer. */
export function makeHelpers(until: number, mustStop: () => boolean, say: (offer: SearchOffer) => void): Helpers {
  /** Waits until the helper has finished, the worker must stop, or time is up. */
  function wait(state: Int32Array, at: number): void {
    while (Atomics.load(state, at) === HELPED && !mustStop() && now() < until + PATIENCE_MS)
      Atomics.wait(state, at, HELPED, LOOK_MS);
  }

  function offer(work: LaterWork): OfferedSearches {
    const { port1, port2 } = new MessageChannel();
    const state = new Int32Array(new SharedArrayBuffer((1 + work.searches.length) * Int32Array.BYTES_PER_ELEMENT));
    port1.postMessage(work);
    say({ port: port2, state, until });
    const found = new Map<number, Outcome>();
    return {
      claim: (i) => take(state, i, TAKEN),
      result(i) {
        wait(state, i + 1);
        if (Atomics.exchange(state, i + 1, TAKEN) !== FOUND) return null;
        for (let next = receive<Result>(port1); next; next = receive<Result>(port1))
          found.set(next.search, next.outcome);
        return found.get(i) ?? null;
      },
      ...counts(state),
      end() {
        endOffer({ state });
        port1.close();
      },
    };
  }

  return { offer };
}

/**
 * Does offered searches until none is left, time is up, or the worker must stop. `help` solves what the desk gives out,
 * and ends as soon as `stopped` returns true.
 */
export function helpWith(
  { port, state, until }: SearchOffer,
  mustStop: () => boolean,
  help: (work: LaterWork, clock: { left: () => number; stopped: () => boolean }, desk: HelperDesk) => void,
): void {
  let at = 0;
  // The other worker takes a search that it no longer needs, or no longer waits for.
  const stopped = (): boolean => mustStop() || (at > 0 && Atomics.load(state, at) !== HELPED);
  const left = (): number => (stopped() ? 0 : (until - EARLIER_MS - now()) / 1000);
  try {
    const work = receive<LaterWork>(port);
    if (!work) return;
    Atomics.store(state, 0, 1);
    help(
      work,
      { left, stopped },
      {
        next() {
          at = 0;
          if (left() <= 0) return null;
          const search = work.order.find((i) => take(state, i, HELPED)) ?? null;
          if (search !== null) at = search + 1;
          return search;
        },
        give(search, outcome) {
          // A search that was stopped before its end is given back below.
          if (stopped()) return;
          port.postMessage({ search, outcome } satisfies Result);
          if (Atomics.compareExchange(state, search + 1, HELPED, FOUND) === HELPED) Atomics.notify(state, search + 1);
        },
        ...counts(state),
      },
    );
  } finally {
    giveBack({ state });
    port.close();
  }
}
