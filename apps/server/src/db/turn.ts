import { AsyncLocalStorage } from 'node:async_hooks';

/** Details about a turn to write that the request itself does not contain. */
export interface TurnFor {
  /** The location, which has its own limit on simultaneous writes; by default, the location that the request names. */
  readonly location?: string;
  /** Whether to keep waiting after the client closes the connection, because the work must be finished in any case. */
  readonly toTheEnd?: boolean;
}

/** Waits for a turn to write, or rejects. Resolves to a function that ends the turn. */
export type TakeTurn = (what?: TurnFor) => Promise<() => void>;

/** How a request waits for its turn to use database connections. If a function is missing, no turn is needed. */
export interface RequestTurns {
  /** Waits for a turn to use a read connection, for one statement or one snapshot. */
  readonly read?: () => Promise<() => void>;
  /** Waits for a turn before a transaction that writes. */
  readonly write?: TakeTurn;
  /**
   * Rejects if the account may no longer do what the request does. Called before `inTransaction` commits. An import's
   * transactions, and those that do not go through `inTransaction`, are committed without it.
   */
  readonly stillMay?: () => Promise<void>;
}

const NONE: RequestTurns = {};
const turns = new AsyncLocalStorage<RequestTurns>();

/** Runs `work` with these turns: every read and write that it starts, now or later, first waits for its turn. */
export function withTurns<T>(take: RequestTurns, work: () => T): T {
  return turns.run(take, work);
}

/**
 * Runs work that one request starts but several requests wait for. The work takes no turns, because they would all
 * count against the account of the first request.
 */
export function outsideTurns<T>(work: () => T): T {
  return turns.run(NONE, work);
}

/**
 * The turns of the current request, to be passed on to work that runs outside the request, such as in another thread.
 */
export const presentTurns = (): RequestTurns => turns.getStore() ?? NONE;

/**
 * Runs a transaction when its turn comes. The transaction takes a connection only then, so that waiting requests hold
 * no connections. Without turns (commands, background work) the transaction begins at once.
 */
export async function inTurn<T>(work: () => Promise<T>, what?: TurnFor): Promise<T> {
  const { write, ...others } = presentTurns();
  if (!write) return work();
  const end = await write(what);
  try {
    return await turns.run(others, work); // one turn covers everything written during the work
  } finally {
    end();
  }
}

/** Runs a snapshot's work. The snapshot already has a turn, so other reads during the work need no second one. */
export function inReadTurn<T>(work: () => T): T {
  const { read: _had, ...others } = presentTurns();
  return turns.run(others, work);
}
