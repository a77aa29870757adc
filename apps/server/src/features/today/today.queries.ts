import { sql } from 'kysely';
import type { IsoDate, Location, Service } from '@clinic/domain';
import { absenceOf, selectAbsenceRows } from '../../clinic-day/clinic-day.queries.ts';
import { declinedWords, declineOf, selectDeclines } from '../../clinic-day/declines.ts';
import { minutesAfter } from '../../db/wall-time.ts';
import type { Db } from '../../db/connection.ts';
import type { AppointmentStatus } from '../../db/schema.ts';

/** A session with a client, with what a week's figures need. Minutes after midnight. */
export interface WeekSession {
  readonly date: IsoDate;
  readonly start: number;
  readonly end: number;
  readonly clientId: string | null;
  readonly therapistId: string | null;
  readonly service: Service;
  readonly status: AppointmentStatus;
  readonly occupies: boolean;
  /** Why its therapist will not give it. */
  readonly declined?: string | undefined;
}

/** The location's sessions with clients from `from` to `to`, both included, without deleted ones. */
export async function selectWeekSessions(
  db: Db,
  location: Location,
  from: IsoDate,
  to: IsoDate,
): Promise<WeekSession[]> {
  const rows = await db
    .selectFrom('appointment')
    .select([sql<IsoDate>`starts::date`.as('date'), 'starts', 'ends', 'client_id', 'therapist_id'])
    .select(['service', 'status', 'occupies', 'id', 'parent_id'])
    .where('location', '=', location)
    .where(sql<boolean>`starts::date between ${from}::date and ${to}::date`)
    .where('status', '<>', 'entered-in-error')
    .where('client_id', 'is not', null)
    .execute();
  const declines = await selectDeclines(db, location, from, to);
  const declinedOf = (row: (typeof rows)[number]): string | undefined => {
    const own = { key: row.id, parentId: row.parent_id, therapistId: row.therapist_id };
    const decline = declineOf(
      declines.filter((each) => each.date === row.date),
      own,
    );
    return decline && declinedWords(decline);
  };
  return rows.map((row) => ({
    declined: declinedOf(row),
    date: row.date,
    start: minutesAfter(row.date, row.starts),
    end: minutesAfter(row.date, row.ends),
    clientId: row.client_id,
    therapistId: row.therapist_id,
    service: row.service,
    status: row.status,
    occupies: row.occupies,
  }));
}

/** Everyone who is away from `from` to `to`, both included, wherever it was reported. */
export async function selectWeekAbsences(db: Db, from: IsoDate, to: IsoDate) {
  const rows = await selectAbsenceRows(db).where('date', '>=', from).where('date', '<=', to).execute();
  return rows.map((row) => ({ ...absenceOf(row), date: row.date }));
}
