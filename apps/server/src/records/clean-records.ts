import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import { isoAt } from '../platform/clock.ts';
import { forgetChanges, KEPT_DAYS } from './changes/changes.service.ts';
import type { Seal } from '../access/seal.ts';
import { forgetDeliveries } from './webhooks/deliver.ts';
import { sealSecrets } from './webhooks/secrets.ts';

/**
 * Removes changes and messages that are older than programs may ask for, and used assertions that have ended; seals what
 * an earlier version left open. (A server of that version beside this one then signs wrongly until it is updated; what its
 * receivers refuse is sent again.)
 * @param now milliseconds since 1970, by the access clock
 */
export async function cleanRecords(
  db: Db,
  seal: Seal,
  now: number,
): Promise<{ changes: number; deliveries: number; sealed: number }> {
  const before = isoAt(now - KEPT_DAYS * 86_400_000);
  await sql`delete from service_assertion where expires_at < ${isoAt(now)}::timestamptz`.execute(db);
  const [changes, deliveries] = [await forgetChanges(db, before), await forgetDeliveries(db, before)];
  return { changes, deliveries, sealed: await sealSecrets(db, seal) };
}
