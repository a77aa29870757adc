import { sql } from 'kysely';
import { addDays, pushTo, type IsoDate, type Location } from '@clinic/domain';
import { allOf, anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { minutesAfter } from '../../db/wall-time.ts';
import type { CareSession } from './care-hours.ts';
import { absenceOf, selectAbsenceRows } from '../../day/facts/clinic-day.queries.ts';
import type { DayAbsence, Decline } from '../../day/facts/day.ts';
import { declinedBy, declinedWords, declineOf, selectDeclines } from '../../tell/memory/declines.ts';
import { lossColumn, lossOfRow } from '../../day/facts/losses.ts';

/** Selects a location's sessions with clients from `from` through `to`, except deleted sessions. */
export async function selectCareSessions(
  db: Db,
  location: Location,
  from: IsoDate,
  to: IsoDate,
): Promise<CareSession[]> {
  const rows = await careRows(db)
    .where('location', '=', location)
    .where(sql<boolean>`starts::date between ${from}::date and ${to}::date`)
    .execute();
  return presentRows(rows, await declinesByDate(db, [location], from, to));
}

/** Like `selectCareSessions`, but for these clients, at all locations except those in `without`. */
export async function selectClientSessions(
  db: Db,
  clientIds: readonly string[],
  from: IsoDate,
  to: IsoDate,
  without: readonly Location[] = [],
): Promise<CareSession[]> {
  if (clientIds.length === 0) return [];
  const rows = await careRows(db)
    .where('client_id', '=', anyOf(clientIds))
    .where(sql<boolean>`location <> ${allOf(without, 'text')}`)
    .where('starts', '>=', sql<string>`${from}::timestamp`)
    .where('starts', '<', sql<string>`${addDays(to, 1)}::timestamp`)
    .execute();
  return presentRows(rows, await declinesByDate(db, [...new Set(rows.map((row) => row.location))], from, to));
}

const careRows = (db: Db) =>
  db
    .selectFrom('appointment')
    .select([sql<IsoDate>`starts::date`.as('date'), 'starts', 'ends', 'client_id', 'therapist_id', 'location'])
    .select(['service', 'status', 'occupies', 'id', 'parent_id', 'booked_therapist_id', 'subject'])
    .select(lossColumn('appointment'))
    .where('status', '<>', 'entered-in-error')
    .where('client_id', 'is not', null)
    .orderBy('starts')
    .orderBy('id');
type CareRow = Awaited<ReturnType<ReturnType<typeof careRows>['execute']>>[number];

const placeAndDate = (location: Location, date: IsoDate): string => `${location} ${date}`;

async function declinesByDate(
  db: Db,
  locations: readonly Location[],
  from: IsoDate,
  to: IsoDate,
): Promise<ReadonlyMap<string, Decline[]>> {
  const declines = new Map<string, Decline[]>();
  for (const location of locations)
    for (const decline of await selectDeclines(db, location, from, to))
      pushTo(declines, placeAndDate(location, decline.date), decline);
  return declines;
}

function presentRows(rows: readonly CareRow[], declines: ReadonlyMap<string, Decline[]>): CareSession[] {
  const declinedOf = (row: CareRow): Pick<CareSession, 'declined' | 'declinedBy'> => {
    const own = { key: row.id, parentId: row.parent_id, therapistId: row.therapist_id };
    const decline = declineOf(declines.get(placeAndDate(row.location, row.date)) ?? [], own);
    if (!decline) return {};
    const { client_id: clientId } = row;
    return { declined: declinedWords(decline, { clientId }), declinedBy: declinedBy(decline, clientId) };
  };
  return rows.map((row) => ({
    key: row.id,
    parentId: row.parent_id,
    location: row.location,
    ...declinedOf(row),
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

/**
 * Selects the absences, from `from` through `to`, of everyone in these sessions: clients, therapists, and the
 * therapists originally booked. Includes absences recorded by any location.
 */
export async function selectAbsencesOf(
  db: Db,
  sessions: readonly CareSession[],
  [from, to]: readonly [from: IsoDate, to: IsoDate],
): Promise<(DayAbsence & { date: IsoDate })[]> {
  const rows = await selectAbsenceRows(db)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .where((eb) =>
      eb.or([
        eb('client_id', '=', anyOf(new Set(sessions.map((each) => each.clientId)))),
        eb('therapist_id', '=', anyOf(new Set(sessions.flatMap((each) => [each.therapistId, each.bookedTherapistId])))),
      ]),
    )
    .execute();
  return rows.map((row) => ({ ...absenceOf(row), date: row.date }));
}
