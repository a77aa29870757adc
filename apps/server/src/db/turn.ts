import { AsyncLocalStorage } from 'node:async_hooks';

/** Waits for a turn to write, or rejects; resolves to what ends it. */
export type TakeTurn = () => Promise<() => void>;

const turns = new AsyncLocalStorage<TakeTurn>();
const FREE: TakeTurn = () => Promise.resolve(() => {});

/** Whatever `work` begins, now and later, its transactions that write each wait for a turn first. */
export function withTurns<T>(take: TakeTurn, work: () => T): T {
  return turns.run(take, work);
}

/**
 * Runs a transaction in a turn: before it takes a connection, so that those who wait hold none. Where no turns were set
 * (commands, background work) it begins at once.
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
