import type { LocationDay } from '../../day/facts/versions.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';

/** Records a therapist's yes to these extra hours; `at` is the time of the answer, in ISO 8601. */
export async function agreeToExtraHours(db: Db, ids: readonly string[], accountId: string, at: string): Promise<void> {
  await db
    .updateTable('extra_hours')
    .set({ agreed_by: accountId, agreed_at: at })
    .where('id', '=', anyOf(ids, 'bigint'))
    .execute();
}

/** Takes back the yes that a therapist gave at the given time; returns how many requests for extra hours changed. */
export async function takeBackExtraHours(
  db: Db,
  { location, date }: LocationDay,
  therapistId: string,
  at: string,
): Promise<number> {
  const back = await db
    .updateTable('extra_hours')
    .set({ agreed_by: null, agreed_at: null })
    .where((eb) => eb.and({ location, date, therapist_id: therapistId, agreed_at: at }))
    .executeTakeFirst();
  return Number(back.numUpdatedRows);
}

/** Closes the open requests for extra hours, because the day sheet was sent at this time (ISO 8601). */
export async function closeExtraHours(db: Db, { location, date }: LocationDay, at: string): Promise<void> {
  await db
    .updateTable('extra_hours')
    .set({ sheet_at: at })
    .where((eb) => eb.and({ location, date, agreed_at: null, sheet_at: null, ended_at: null }))
    .execute();
}
