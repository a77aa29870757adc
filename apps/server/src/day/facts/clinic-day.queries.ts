import { sql, type RawBuilder } from 'kysely';
import { addDays, MINUTES_A_DAY, type IsoDate, type Location } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import { leaveColumn, type LeaveTag } from './leaves.ts';
import { lossColumn, lossOfRow, type LossRow } from './losses.ts';
import type { Db } from '../../db/connection.ts';
import type { AbsenceRow, AppointmentRow } from '../../db/schema/calendar.ts';
import { dateIn, meets, minutesAfter, timestampOf } from '../../db/wall-time.ts';
import { hasOneClock, minutesByClockOf, sameClock, timesByClockOf } from '../../platform/other-clock.ts';
import type { DatedAppointment, DayAbsence, DayAppointment } from './day.ts';

const APPOINTMENT_COLUMNS = [
  'id',
  'wire_id',
  'location',
  'client_id',
  'therapist_id',
  'booked_therapist_id',
  'service',
  'subject',
  'status',
  'starts',
  'ends',
  'place',
  'client_place',
  'seat',
  'group_key',
  'clash',
  'parent_id',
  'series_id',
  'commit_id',
  'version',
  'occupies',
] as const;

/** The names of the columns in `selectAppointmentRows`. */
export const ALL_APPOINTMENT_COLUMNS = [
  ...APPOINTMENT_COLUMNS,
  'family_told_at',
  'loss',
] as const satisfies readonly (keyof AppointmentColumns)[];

/** Selects appointments with all the columns that a day needs. */
export const selectAppointmentRows = (db: Db) =>
  db
    .selectFrom('appointment')
    .select(APPOINTMENT_COLUMNS)
    .select(sql<string | null>`family_told_at::text`.as('family_told_at'))
    .select(lossColumn('appointment'));

type AppointmentColumns = Pick<AppointmentRow, (typeof APPOINTMENT_COLUMNS)[number] | 'family_told_at'> & LossRow;

/** Selects the location's appointments on the date, and these therapists' appointments at other locations. */
export async function selectAppointments(
  db: Db,
  location: Location,
  date: IsoDate,
  therapistIds: readonly string[],
): Promise<DayAppointment[]> {
  const query = appointmentQuery(db, { location, date, next: addDays(date, 1) }, anyOf(therapistIds));
  const rows = await query.orderBy('starts').orderBy('id').execute();
  return rows.map((a) => appointmentAt(a, location, date));
}

interface OnDate {
  readonly location: Location;
  readonly date: IsoDate;
  readonly next: IsoDate;
}

/** @param therapists any of the therapists whose appointments at other locations are wanted */
export const appointmentQuery = (db: Db, { location, date, next }: OnDate, therapists: RawBuilder<string>) =>
  selectAppointmentRows(db).where((eb) =>
    eb.or([
      eb.and([eb('location', '=', location), eb(sql`starts::date`, '=', sql`${date}::date`)]),
      eb.and([
        eb('therapist_id', '=', therapists),
        hasOneClock()
          ? sql<boolean>`starts >= ${date}::timestamp and starts < ${next}::timestamp`
          : meets({ location, starts: `${date} 00:00:00`, ends: `${next} 00:00:00` }),
      ]),
    ]),
  );

/** An appointment of a location's day, its times by the clock of that location, even if it is at another one. */
export function appointmentAt(a: AppointmentColumns, location: Location, date: IsoDate): DayAppointment {
  const own = appointmentOf(a, date);
  if (sameClock(a.location, location)) return own;
  const { start, end } = timesByClockOf(location, date, a);
  return { ...own, start: Math.max(0, start), end: Math.min(MINUTES_A_DAY, end) };
}

/** An absence by the clock of a location, even if it was recorded at another one; a whole day is a whole day. */
export function absenceAt(absence: DayAbsence, location: Location, date: IsoDate): DayAbsence {
  const { start, end } = absence;
  if (sameClock(absence.location, location) || (start === 0 && end === MINUTES_A_DAY)) return absence;
  const by = (minutes: number): number =>
    minutesByClockOf(location, date, absence.location, timestampOf(date, minutes));
  return { ...absence, start: Math.max(0, by(start)), end: Math.min(MINUTES_A_DAY, by(end)) };
}

/** Selects these therapists' appointments on a date, at any location and with any status. */
export async function selectTherapistAppointments(
  db: Db,
  date: IsoDate,
  therapistIds: readonly string[],
): Promise<DayAppointment[]> {
  const rows = await selectAppointmentRows(db)
    .where('therapist_id', '=', anyOf(therapistIds))
    .where('starts', '>=', sql<string>`${date}::timestamp`)
    .where('starts', '<', sql<string>`${addDays(date, 1)}::timestamp`)
    .execute();
  return rows.map((a) => appointmentOf(a, date));
}

/**
 * Returns the appointment with this key, unless it is deleted. With `lock`, the row stays locked until the transaction
 * ends.
 */
export async function selectAppointment(db: Db, key: string, lock = false): Promise<DatedAppointment | undefined> {
  const row = await selectAppointmentRows(db)
    .where('id', '=', key)
    .where('status', '<>', 'entered-in-error')
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row && datedOf(row);
}

/** Converts a row of the `appointment` table to a `DayAppointment`, with its date. */
export function datedOf(a: AppointmentColumns): DatedAppointment {
  const date = dateIn(a.starts);
  return { ...appointmentOf(a, date), date };
}

/** Converts a row of the `appointment` table to a `DayAppointment`. */
export function appointmentOf(a: AppointmentColumns, date: IsoDate): DayAppointment {
  return {
    key: a.id,
    wireId: a.wire_id,
    location: a.location,
    clientId: a.client_id,
    therapistId: a.therapist_id,
    bookedTherapistId: a.booked_therapist_id,
    service: a.service,
    subject: a.subject,
    status: a.status,
    start: minutesAfter(date, a.starts),
    end: minutesAfter(date, a.ends),
    place: a.place,
    clientPlace: a.client_place,
    seat: a.seat,
    groupKey: a.group_key,
    clash: a.clash,
    parentId: a.parent_id,
    seriesId: a.series_id,
    commitId: a.commit_id,
    familyToldAt: a.family_told_at,
    version: a.version,
    occupies: a.occupies,
    ...lossOfRow(a),
  };
}

const ABSENCE_COLUMNS = [
  'id',
  'location',
  'therapist_id',
  'client_id',
  'date',
  'start_minute',
  'end_minute',
  'untold',
] as const;

/** Selects absences, except those withdrawn. */
export const selectAbsenceRows = (db: Db) =>
  db
    .selectFrom('absence')
    .select(ABSENCE_COLUMNS)
    .select([lossColumn('absence'), leaveColumn])
    .where('withdrawn_at', 'is', null);

/** Converts a row of the `absence` table to a `DayAbsence`. */
export function absenceOf(
  row: Pick<AbsenceRow, (typeof ABSENCE_COLUMNS)[number]> & LossRow & { readonly leave: LeaveTag | null },
): DayAbsence {
  return {
    id: row.id,
    location: row.location,
    therapistId: row.therapist_id,
    clientId: row.client_id,
    start: row.start_minute,
    end: row.end_minute,
    ...lossOfRow(row),
    ...(row.untold === null ? {} : { untold: row.untold }),
    ...(row.leave === null ? {} : { leave: row.leave }),
  };
}

/** All absences on a date, at every location, except those withdrawn. */
export const absenceQuery = (db: Db, { date }: { date: IsoDate }) =>
  selectAbsenceRows(db).where('date', '=', date).orderBy('start_minute').orderBy('id');

/** Selects these people's absences on the date, recorded at any location, except those withdrawn. */
export async function selectAbsences(
  db: Db,
  date: IsoDate,
  therapistIds: readonly string[],
  clientIds: readonly string[],
): Promise<DayAbsence[]> {
  const rows = await selectAbsenceRows(db)
    .where('date', '=', date)
    .where((eb) => eb.or([eb('therapist_id', '=', anyOf(therapistIds)), eb('client_id', '=', anyOf(clientIds))]))
    .orderBy('start_minute')
    .orderBy('id')
    .execute();
  return rows.map(absenceOf);
}
