import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import { isoAt } from '../platform/clock.ts';
import { forgetChanges, KEPT_DAYS } from './changes/changes.service.ts';
import { forgetDeliveries } from './webhooks/deliver.ts';

/**
 * Removes changes and messages that are older than programs may ask for, and used assertions that have ended.
 * @param now milliseconds since 1970, by the access clock
 */
export async function cleanRecords(db: Db, now: number): Promise<{ changes: number; deliveries: number }> {
  const before = isoAt(now - KEPT_DAYS * 86_400_000);
  await sql`delete from service_assertion where expires_at < ${isoAt(now)}::timestamptz`.execute(db);
  return { changes: await forgetChanges(db, before), deliveries: await forgetDeliveries(db, before) };
}
