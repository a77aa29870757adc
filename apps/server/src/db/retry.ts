import { amongReads, type Db } from './connection.ts';
import { codeOf } from '../start-error.ts';
import { inReadTurn, inTurn, type TurnFor } from './turn.ts';

const TRANSIENT = new Set(['40001', '40P01']);
const TRIES = 5;

/**
 * Runs a transaction, again from its start when the database cancelled it (deadlock, serialization), at most
 * five times. The work must touch nothing outside the transaction.
 * @param what what its turn counts as, where the request does not name its location
 */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>, what?: TurnFor): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await inTurn(() => db.transaction().execute(work), what);
    } catch (error) {
      if (left <= 1 || !TRANSIENT.has(codeOf(error) ?? '')) throw error;
    }
  }
}

/** Makes `inTransaction` start again, because what was read before the locks has changed. */
export function readAgain(): Error {
  return Object.assign(new Error('changed while waiting for its locks'), { code: '40001' });
}

/** Runs reads on one snapshot, so that they agree with each other. */
export function onSnapshot<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return amongReads(db)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => inReadTurn(() => work(trx)));
}
