import { sql } from 'kysely';
import type { IsoDate } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';

export const selectFeed = (db: Db, accountId: string) =>
  db.selectFrom('calendar_feed').select(['made_at', 'read_at']).where('account_id', '=', accountId).executeTakeFirst();

export async function putFeed(db: Db, accountId: string, hash: Buffer, at: string): Promise<void> {
  const made = { secret_hash: hash, made_at: at, read_at: null };
  await db
    .insertInto('calendar_feed')
    .values({ account_id: accountId, ...made })
    .onConflict((c) => c.column('account_id').doUpdateSet(made))
    .execute();
}

/** @returns whether there was a feed */
export async function deleteFeed(db: Db, accountId: string): Promise<boolean> {
  const [deleted] = await db.deleteFrom('calendar_feed').where('account_id', '=', accountId).execute();
  return (deleted?.numDeletedRows ?? 0n) > 0n;
}

/** The account whose feed has a secret with this hash, and its therapist. */
export const selectFeedAccount = (db: Db, hash: Buffer) =>
  db
    .selectFrom('calendar_feed as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .innerJoin('therapist as t', 't.id', 'a.therapist_id')
    .select(['a.id', 'a.email', 'a.name', 'a.demo', 'a.disabled_at', 't.id as therapist_id', 't.deleted_at'])
    .select('t.end_date')
    .where('f.secret_hash', '=', hash)
    .where('a.role', '=', 'therapist')
    .executeTakeFirst();

/** Notes that a feed was read, but at most once in ten minutes. */
export async function touchFeed(db: Db, accountId: string, at: string): Promise<void> {
  await db
    .updateTable('calendar_feed')
    .set({ read_at: at })
    .where('account_id', '=', accountId)
    .where((eb) =>
      eb.or([eb('read_at', 'is', null), eb('read_at', '<', sql<string>`${at}::timestamptz - interval '10 min'`)]),
    )
    .execute();
}

/**
 * Sessions that a therapist has lost, from one date to another: cancelled ones, and those that somebody else or nobody
 * has now. Programs that already show them must hear that they are off.
 */
export const selectLostSessions = (db: Db, therapistId: string, from: IsoDate, to: IsoDate) =>
  db
    .selectFrom('appointment')
    .select(['id', 'version', 'starts', 'ends', 'location', 'service'])
    .where(
      sql<boolean>`(status = 'cancelled' and ${therapistId} in (therapist_id, booked_therapist_id)
        or status <> 'entered-in-error' and booked_therapist_id = ${therapistId}
          and therapist_id is distinct from booked_therapist_id)`,
    )
    .where(sql<boolean>`starts >= ${from}::date and starts < ${to}::date + 1`)
    .orderBy('starts')
    .orderBy('id')
    .execute();
