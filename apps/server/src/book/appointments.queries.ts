import { sql } from 'kysely';
import { addDays, type IsoDate, type Location, type Service } from '@clinic/domain';
import { datedOf, selectAppointment, selectAppointmentRows } from '../day/facts/clinic-day.queries.ts';
import type { DatedAppointment } from '../day/facts/day.ts';
import { anyOf } from '../db/any-of.ts';
import { onDate, timestampOf } from '../db/wall-time.ts';
import type { Db } from '../db/connection.ts';
import type { AppointmentRow, BookedColumns } from '../db/schema/calendar.ts';

/**
 * Selects the later sessions of a weekly series that can still change and are still like this one: same location,
 * people, subject and time of day. Leaves out sessions that were changed individually.
 * @param after when given, the earlier sessions after this date, too
 */
export async function selectFollowing(
  db: Db,
  of: DatedAppointment,
  after: IsoDate | null = null,
): Promise<DatedAppointment[]> {
  const rows = await selectAppointmentRows(db)
    .where('series_id', '=', of.seriesId)
    .where((eb) => {
      const later = eb('starts', '>', timestampOf(of.date, of.start));
      return after === null ? later : eb.or([later, eb('starts', '>=', timestampOf(addDays(after, 1), 0))]);
    })
    .where('id', '<>', of.key)
    .where('status', 'in', ['pending', 'booked'])
    .where('location', '=', of.location)
    .where('subject', '=', of.subject)
    .where(sql<boolean>`therapist_id is not distinct from ${of.therapistId}::text`)
    .where(sql<boolean>`client_id is not distinct from ${of.clientId}::text`)
    .orderBy('starts')
    .execute();
  return rows.map(datedOf).filter((row) => row.start === of.start && row.end === of.end);
}

/** Counts the later sessions of the series that are still booked, whether they were changed individually or not. */
export async function countLater(db: Db, of: DatedAppointment): Promise<number> {
  const { count } = await db
    .selectFrom('appointment')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('series_id', '=', of.seriesId)
    .where('starts', '>', timestampOf(of.date, of.start))
    .where('status', 'in', ['pending', 'booked'])
    .executeTakeFirstOrThrow();
  return count;
}

/** The columns that a booking writes; the others have defaults. */
export type AppointmentFields = Readonly<BookedColumns & Pick<AppointmentRow, 'clash' | 'commit_id'>>;

/** An appointment that this transaction has written. */
export async function selectWritten(trx: Db, key: string): Promise<DatedAppointment> {
  const written = await selectAppointment(trx, key);
  if (!written) throw new Error('an appointment just written is gone');
  return written;
}

/** Books an appointment with this key. */
export async function insertAppointment(
  trx: Db,
  key: string,
  fields: AppointmentFields,
  seriesId: string | null,
): Promise<void> {
  await trx
    .insertInto('appointment')
    .values({
      id: key,
      wire_id: sql<string>`'APT-' || nextval('appointment_number')`,
      ...fields,
      parent_id: null,
      series_id: seriesId,
      family_told_at: null,
    })
    .execute();
}

/** Changes an appointment and increases its version; `at` is in ISO 8601. */
export async function updateAppointment(
  trx: Db,
  key: string,
  fields: Partial<AppointmentFields> & { family_told_at?: string | null; series_id?: string },
  at: string,
): Promise<void> {
  await trx
    .updateTable('appointment')
    .set({ ...fields, version: sql`version + 1`, updated_at: at })
    .where('id', '=', key)
    .execute();
}

export interface SeriesFields {
  readonly location: Location;
  readonly client_id: string | null;
  readonly therapist_id: string | null;
  readonly service: Service;
  readonly subject: string;
  readonly day_of_week: number;
  readonly start_minute: number;
  readonly end_minute: number;
  readonly from_date: string;
  readonly until_date: string | null;
  readonly made_until: string;
  readonly meeting: boolean;
}

/** Stores a weekly series of appointments; returns its id. */
export async function insertSeries(trx: Db, fields: SeriesFields): Promise<string> {
  const row = await trx.insertInto('weekly_series').values(fields).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/** Makes sessions part of a series. Nothing that anybody sees of them changes, so their versions stay. */
export async function joinSeries(trx: Db, keys: readonly string[], seriesId: string): Promise<void> {
  await trx.updateTable('appointment').set({ series_id: seriesId }).where('id', '=', anyOf(keys, 'uuid')).execute();
}

/** The last date of a series, null if it goes on; the date up to which its sessions exist; whether it is a meeting's. */
export const selectSeries = (trx: Db, seriesId: string) =>
  trx
    .selectFrom('weekly_series')
    .select(['until_date', 'made_until', 'meeting'])
    .where('id', '=', seriesId)
    .executeTakeFirstOrThrow();

/** Ends a series before a date. The caller cancels its later sessions or moves them to a new series. */
export async function endSeriesBefore(trx: Db, seriesId: string, date: IsoDate): Promise<void> {
  const until_date = addDays(date, -1);
  await trx.updateTable('weekly_series').set({ until_date }).where('id', '=', seriesId).execute();
}

/** An entry in an appointment's history. */
export interface AppointmentEvent {
  readonly key: string;
  readonly what: string;
  readonly reason: string | null;
  readonly before: object | null;
  readonly after: object;
}

/** Adds manual changes to the appointments' histories; `at` is in ISO 8601. */
export async function insertEvents(
  trx: Db,
  accountId: string | null,
  at: string,
  events: readonly AppointmentEvent[],
): Promise<void> {
  await trx
    .insertInto('appointment_event')
    .values(
      events.map(({ key, what, reason, before, after }) => ({
        appointment_id: key,
        at,
        account_id: accountId,
        what,
        reason,
        commit_id: null,
        before: before === null ? null : JSON.stringify(before),
        after: JSON.stringify(after),
      })),
    )
    .execute();
}

/**
 * Finds the locations whose plans for a date can use these therapists: their home locations, and the locations where
 * they are booked that day.
 */
export async function selectLocationsOf(db: Db, therapistIds: readonly string[], date: string): Promise<Location[]> {
  const { rows } = await sql<{ location: Location }>`
    select location from therapist where id = ${anyOf(therapistIds)}
    union
    select location from appointment
    where therapist_id = ${anyOf(therapistIds)} and ${onDate(date)} and occupies`.execute(db);
  return rows.map((row) => row.location);
}
