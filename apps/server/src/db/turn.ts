import { AsyncLocalStorage } from 'node:async_hooks';

/** What a turn is for, where the request itself does not say it. */
export interface TurnFor {
  /** The location whose share of turns it uses. */
  readonly location?: string;
  /** Keeps waiting after the caller hangs up, for work that should be finished anyway. */
  readonly toTheEnd?: boolean;
}

/** Waits for a turn to write, or rejects; resolves to a function that ends the turn. */
export type TakeTurn = (what?: TurnFor) => Promise<() => void>;

const turns = new AsyncLocalStorage<TakeTurn>();
const FREE: TakeTurn = () => Promise.resolve(() => {});

/** Each writing transaction that `work` begins, now or later, first waits for a turn. */
export function withTurns<T>(take: TakeTurn, work: () => T): T {
  return turns.run(take, work);
}

/** How this request takes turns, for work that goes on outside it, such as another thread's. */
export const presentTurns = (): TakeTurn => turns.getStore() ?? FREE;

/**
 * Runs a transaction in a turn; it waits before taking a connection, so that waiting holds none. Without turns
 * (commands, background work) it begins at once.
 */
export async function inTurn<T>(work: () => Promise<T>, what?: TurnFor): Promise<T> {
  const take = turns.getStore();
  if (!take) return work();
  const end = await take(what);
  try {
    return await turns.run(FREE, work); // one turn is enough for everything written in it
  } finally {
    end();
  }
}
