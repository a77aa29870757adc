import type { Db } from '../db/connection.ts';
import { stateFaults, type RecordState } from './chains.ts';
import { selectStatesAfter } from './facts.queries.ts';

/** How many states to read at a time. */
const BATCH = 2000;

/** Checks the states of all records; returns what is wrong. */
export async function verifyStates(db: Db): Promise<string[]> {
  const faults: string[] = [];
  let last: RecordState | undefined;
  for (;;) {
    const batch = await selectStatesAfter(db, last, BATCH);
    faults.push(...stateFaults(batch, last));
    last = batch.at(-1);
    if (batch.length < BATCH) return faults;
  }
}
