import { onReadSnapshot, type Db } from './connection.ts';
import { codeOf } from '../start-error.ts';
import { inReadTurn, inTurn, presentTurns, type TurnFor } from './turn.ts';

const TRANSIENT = new Set(['40001', '40P01']);
const TRIES = 5;

/**
 * Runs a transaction. If the database cancels it (deadlock, serialization), the transaction starts again, up to five
 * runs in total. The work must not change anything outside the transaction.
 * @param what details about this transaction's turn that the request does not contain, such as the location
 */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>, what?: TurnFor): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await inTurn(
        () =>
          db.transaction().execute(async (trx) => {
            const done = await work(trx);
            await presentTurns().stillMay?.();
            return done;
          }),
        what,
      );
    } catch (error) {
      if (left <= 1 || !TRANSIENT.has(codeOf(error) ?? '')) throw error;
    }
  }
}

/** Creates the error that makes `inTransaction` start again, for data that changed between a read and its lock. */
export function readAgain(): Error {
  return Object.assign(new Error('changed while waiting for its locks'), { code: '40001' });
}

/**
 * Runs several reads on one snapshot, so that their results are consistent. Reads that are started together
 * (`together`) cost one round trip to the database.
 */
export function onSnapshot<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return onReadSnapshot(db, (trx) => inReadTurn(() => work(trx)));
}
