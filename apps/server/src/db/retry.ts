import type { Db } from './connection.ts';
import { codeOf } from '../start-error.ts';
import { checkRights } from './rights.ts';

const TRANSIENT = new Set(['40001', '40P01']);
const TRIES = 5;

/**
 * Runs a transaction. If the database cancels it (deadlock, serialization), the transaction starts again, up to five
 * runs in total. The work must not change anything outside the transaction.
 */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await db.transaction().execute(async (trx) => {
        const done = await work(trx);
        await checkRights();
        return done;
      });
    } catch (error) {
      if (left <= 1 || !TRANSIENT.has(codeOf(error) ?? '')) throw error;
    }
  }
}

/** Runs a transaction and takes all of it back, so that a preview says exactly what the act would do. */
export async function previewed<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  const done: T[] = [];
  const takenBack = new Error('a preview, taken back');
  await inTransaction(db, async (trx) => {
    done.splice(0, 1, await work(trx));
    throw takenBack;
  }).catch((error: unknown) => {
    if (error !== takenBack) throw error;
  });
  const [result] = done;
  if (result === undefined) throw takenBack;
  return result;
}

/** Creates the error that makes `inTransaction` start again, for data that changed between a read and its lock. */
export function readAgain(): Error {
  return Object.assign(new Error('changed while waiting for its locks'), { code: '40001' });
}

export { onReadSnapshot as onSnapshot } from './connection.ts';
