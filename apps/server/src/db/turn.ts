import { AsyncLocalStorage } from 'node:async_hooks';

/** Waits for a turn to write, or rejects; resolves to a function that ends the turn. */
export type TakeTurn = () => Promise<() => void>;

const turns = new AsyncLocalStorage<TakeTurn>();
const FREE: TakeTurn = () => Promise.resolve(() => {});

/** Each writing transaction that `work` begins, now or later, first waits for a turn. */
export function withTurns<T>(take: TakeTurn, work: () => T): T {
  return turns.run(take, work);
}

/**
 * Runs a transaction in a turn, waiting before it takes a connection, so that waiting holds none. Where no turns were
 * set (commands, background work) it begins at once.
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const take = turns.getStore();
  if (!take) return work();
  const end = await take();
  try {
    return await turns.run(FREE, work); // one turn is enough for what is written within it
  } finally {
    end();
  }
}
