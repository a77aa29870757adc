import type { HandedSeries } from '../../day/commits.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';

/** The series that go on, among these, and whose they are; their later dates do not exist yet. */
export const selectOngoing = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('weekly_series')
    .select(['id', 'therapist_id'])
    .where('id', '=', anyOf(ids, 'uuid'))
    .where('until_date', 'is', null)
    .orderBy('id')
    .execute();

/** Gives series to another therapist, so that later dates are booked for that one; `back` takes it back. */
export async function giveSeries(trx: Db, handed: readonly HandedSeries[], back = false): Promise<void> {
  for (const { series, from, to } of handed)
    await trx
      .updateTable('weekly_series')
      .set({ therapist_id: back ? from : to })
      .where('id', '=', series)
      .where('therapist_id', 'is not distinct from', back ? to : from)
      .execute();
}
