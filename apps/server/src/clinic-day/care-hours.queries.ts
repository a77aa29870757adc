import { sql } from 'kysely';
import type { IsoDate, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { minutesAfter } from '../db/wall-time.ts';
import type { CareSession } from './care-hours.ts';
import { absenceOf, selectAbsenceRows } from './clinic-day.queries.ts';
import type { DayAbsence } from './day.ts';
import { declinedWords, declineOf, selectDeclines, type Decline } from './declines.ts';
import { lossColumns, lossOfRow } from './losses.ts';

/** A location's sessions with clients from `from` to `to`, both included, except deleted ones. */
export async function selectCareSessions(
  db: Db,
  location: Location,
  from: IsoDate,
  to: IsoDate,
): Promise<CareSession[]> {
  const rows = await db
    .selectFrom('appointment')
    .select([sql<IsoDate>`starts::date`.as('date'), 'starts', 'ends', 'client_id', 'therapist_id'])
    .select(['service', 'status', 'occupies', 'id', 'parent_id', 'booked_therapist_id', 'subject'])
    .select([...lossColumns('appointment')])
    .where('location', '=', location)
    .where(sql<boolean>`starts::date between ${from}::date and ${to}::date`)
    .where('status', '<>', 'entered-in-error')
    .where('client_id', 'is not', null)
    .orderBy('starts')
    .orderBy('id')
    .execute();
  const declines = new Map<IsoDate, Decline[]>();
  for (const decline of await selectDeclines(db, location, from, to)) {
    const sameDay = declines.get(decline.date);
    if (sameDay) sameDay.push(decline);
    else declines.set(decline.date, [decline]);
  }
  const declinedOf = (row: (typeof rows)[number]): string | undefined => {
    const own = { key: row.id, parentId: row.parent_id, therapistId: row.therapist_id };
    const decline = declineOf(declines.get(row.date) ?? [], own);
    return decline && declinedWords(decline);
  };
  return rows.map((row) => ({
    key: row.id,
    location,
    declined: declinedOf(row),
    date: row.date,
    start: minutesAfter(row.date, row.starts),
    end: minutesAfter(row.date, row.ends),
    clientId: row.client_id,
    therapistId: row.therapist_id,
    bookedTherapistId: row.booked_therapist_id,
    subject: row.subject,
    service: row.service,
    status: row.status,
    occupies: row.occupies,
    ...lossOfRow(row),
  }));
}

/** Everyone's absences from `from` to `to`, both included, at whichever location they were reported. */
export async function selectAbsencesBetween(
  db: Db,
  from: IsoDate,
  to: IsoDate,
): Promise<(DayAbsence & { date: IsoDate })[]> {
  const rows = await selectAbsenceRows(db).where('date', '>=', from).where('date', '<=', to).execute();
  return rows.map((row) => ({ ...absenceOf(row), date: row.date }));
}
