import type { Db } from '../db/connection.ts';
import { inWriteOrder, type LocationDay } from './versions.ts';

/**
 * Opens the call lists of these days: from now on, every change of them becomes calls to make. Call this before the
 * transaction's first write to these days.
 */
export async function openCallDays(trx: Db, days: readonly LocationDay[]): Promise<void> {
  if (days.length === 0) return;
  await trx
    .insertInto('call_day')
    .values(inWriteOrder(days).map(({ location, date }) => ({ location, date })))
    .onConflict((c) => c.doNothing())
    .execute();
}
