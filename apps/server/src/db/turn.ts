import { AsyncLocalStorage } from 'node:async_hooks';

/** What a turn to write is for, where the request itself does not say it. */
export interface TurnFor {
  /** The location for whose share the turn counts. */
  readonly location?: string;
  /** Goes on waiting when the client closes the connection, for work that must be finished in any case. */
  readonly toTheEnd?: boolean;
}

/** Waits for a turn to write, or rejects. Returns a function that ends the turn. */
export type TakeTurn = (what?: TurnFor) => Promise<() => void>;

/** How a request takes its turns at the database's connections. What is left out needs none. */
export interface RequestTurns {
  /** Takes a turn before a connection for reads is used: for one statement, or for one snapshot. */
  readonly read?: () => Promise<() => void>;
  /** Takes a turn before a transaction that writes. */
  readonly write?: TakeTurn;
}

const NONE: RequestTurns = {};
const turns = new AsyncLocalStorage<RequestTurns>();

/** All that `work` reads and writes, now or later, first waits for these turns. */
export function withTurns<T>(take: RequestTurns, work: () => T): T {
  return turns.run(take, work);
}

/** For work that a request begins for everyone: it must not wait for that request's account. */
export function outsideTurns<T>(work: () => T): T {
  return turns.run(NONE, work);
}

/** How this request takes turns, for work that goes on outside it, such as another thread's. */
export const presentTurns = (): RequestTurns => turns.getStore() ?? NONE;

/**
 * Runs a transaction in a turn. It waits before it takes a connection, so that those who wait do not use one. Without
 * turns (commands, background work) it begins at once.
 */
export async function inTurn<T>(work: () => Promise<T>, what?: TurnFor): Promise<T> {
  const { write, ...others } = presentTurns();
  if (!write) return work();
  const end = await write(what);
  try {
    return await turns.run(others, work); // one turn is enough for everything written in it
  } finally {
    end();
  }
}

/** For the work of one snapshot, which has its turn: reads beside it wait for no second one. */
export function inReadTurn<T>(work: () => T): T {
  const { read: _had, ...others } = presentTurns();
  return turns.run(others, work);
}
