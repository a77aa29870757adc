import { sql } from 'kysely';
import { addDays, type Interval, type IsoDate, type Location } from '@clinic/domain';
import { absenceOf, selectAbsenceRows } from '../day/facts/clinic-day.queries.ts';
import { minutesAfter } from '../db/wall-time.ts';
import type { Db } from '../db/connection.ts';

/** A client's session or absence on a date; start and end are minutes after midnight. */
export interface DatedWindow extends Interval {
  readonly date: string;
}

/** Selects the client's sessions at the location that can still be cancelled, on `days` days beginning with `from`. */
export async function selectBookedSessions(
  db: Db,
  clientId: string,
  location: Location,
  from: IsoDate,
  days: number,
): Promise<DatedWindow[]> {
  const rows = await db
    .selectFrom('appointment')
    .select([sql<IsoDate>`starts::date`.as('date'), 'starts', 'ends'])
    .where('client_id', '=', clientId)
    .where('location', '=', location)
    .where('status', 'in', ['pending', 'booked'])
    .where('starts', '>=', sql<string>`${from}::timestamp`)
    .where('starts', '<', sql<string>`${addDays(from, days)}::timestamp`)
    .orderBy('starts')
    .orderBy('ends')
    .execute();
  return rows.map(({ date, starts, ends }) => ({
    date,
    start: minutesAfter(date, starts),
    end: minutesAfter(date, ends),
  }));
}

/** Selects the client's absences on these days. */
export async function selectClientAbsences(
  db: Db,
  clientId: string,
  from: IsoDate,
  days: number,
): Promise<DatedWindow[]> {
  const rows = await selectAbsenceRows(db)
    .where('client_id', '=', clientId)
    .where('date', '>=', from)
    .where('date', '<', addDays(from, days))
    .execute();
  return rows.map((row) => ({ ...absenceOf(row), date: row.date }));
}
