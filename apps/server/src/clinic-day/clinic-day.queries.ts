// This file is over 250 lines because it holds most queries that load a location’s day.
import { sql, type RawBuilder, type Selectable } from 'kysely';
import {
  addDays,
  byName,
  notEmployed,
  type Gender,
  type IsoDate,
  type Location,
  type Specialization,
} from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import { composed, type Given, type QueryRow } from '../db/composed.ts';
import { lossColumn, lossOfRow, type LossRow } from './losses.ts';
import { employmentOf } from './employment.ts';
import type { Db } from '../db/connection.ts';
import type { AbsenceRow, AppointmentRow } from '../db/schema/calendar.ts';
import type { Database } from '../db/schema.ts';
import { dateIn, minutesAfter } from '../db/wall-time.ts';
import type { DatedAppointment, DayAbsence, DayAppointment } from './day.ts';

/**
 * Selects the location's therapists who have not left the clinic, and any other therapist who has, or originally had,
 * an appointment there on the date.
 */
export async function selectTherapists(db: Db, location: Location, date: IsoDate) {
  return therapistsByName(await therapistRows(db, { location, date }), date);
}

const therapistRows = composed((db, given: Given<{ location: Location; date: IsoDate }>) =>
  therapistQuery(db, given).orderBy('t.id').compile(),
);

export function therapistsByName(rows: readonly QueryRow<typeof therapistQuery>[], date: IsoDate) {
  return byName(rows, (t) => t.display_name).map((t) => ({
    id: t.id,
    firstName: t.first_name,
    displayName: t.display_name,
    location: t.location,
    credential: t.specialization satisfies Specialization,
    gender: t.gender,
    deleted: t.deleted_at !== null,
    notEmployed: notEmployed(t.display_name, employmentOf(t), date),
    startDate: t.start_date,
    limits: { week_minutes: t.week_minutes, day_minutes: t.day_minutes, guaranteed_minutes: t.guaranteed_minutes },
  }));
}

export const therapistQuery = (db: Db, given: Given<{ location: Location; date: IsoDate }>) =>
  db
    .selectFrom('therapist as t')
    .select(['t.id', 't.first_name', 't.display_name', 't.location', 't.specialization', 't.gender', 't.deleted_at'])
    .select(['t.start_date', 't.end_date', 't.week_minutes', 't.day_minutes', 't.guaranteed_minutes'])
    .where((eb) =>
      eb.or([
        eb.and([eb('t.location', '=', given('location')), eb('t.deleted_at', 'is', null)]),
        eb(
          't.id',
          'in',
          sql<string>`(select unnest(array[a.therapist_id, a.booked_therapist_id]) from appointment a
            where a.location = ${given('location')} and a.starts::date = ${given('date')}::date and a.status <> 'entered-in-error')`,
        ),
      ]),
    );

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
  const rows = await appointmentRows(db, { location, date, next: addDays(date, 1), therapistIds });
  return rows.map((a) => appointmentOf(a, date));
}

type OnDate = Given<{ location: Location; date: IsoDate; next: IsoDate }>;

const appointmentRows = composed(
  (db, given: Given<{ location: Location; date: IsoDate; next: IsoDate; therapistIds: readonly string[] }>) =>
    appointmentQuery(db, given, anyOf(given('therapistIds')))
      .orderBy('starts')
      .orderBy('id')
      .compile(),
);

/** @param therapists any of the therapists whose appointments at other locations are wanted */
export const appointmentQuery = (db: Db, given: OnDate, therapists: RawBuilder<string>) =>
  selectAppointmentRows(db).where((eb) =>
    eb.or([
      eb.and([eb('location', '=', given('location')), eb(sql`starts::date`, '=', sql`${given('date')}::date`)]),
      eb.and([
        eb('therapist_id', '=', therapists),
        eb('starts', '>=', sql<string>`${given('date')}::timestamp`),
        eb('starts', '<', sql<string>`${given('next')}::timestamp`),
      ]),
    ]),
  );

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

/**
 * A client without a recorded last day is treated as having left by a date if their last session was this many days
 * before it.
 */
export const LEFT_DAYS = 365;

export const CLIENT_COLUMNS = [
  'id',
  'first_name',
  'display_name',
  'location',
  'gender',
  'priority',
  'two_to_one',
  'care_team_only',
  'rbt_or_above',
] as const;

/** Selects the location's clients who have not left by the date, sorted by name. */
export async function selectClients(db: Db, location: Location, date: IsoDate) {
  return clientsByName(await clientRows(db, { location, date, leftBefore: addDays(date, -LEFT_DAYS) }));
}

const clientRows = composed((db, given: Given<{ location: Location; date: IsoDate; leftBefore: IsoDate }>) =>
  clientHereQuery(db, given).select(CLIENT_COLUMNS).orderBy('id').compile(),
);

/**
 * Whether a row of `client` has not left by a date: the last day is later or, if none is recorded, the last session is not
 * before `leftBefore`. So only clients of whom nothing is recorded are looked up.
 */
export const clientStays = (date: RawBuilder<unknown>, leftBefore: RawBuilder<unknown>) => sql<boolean>`case
  when client.end_date is null then coalesce(
    (select max(a.starts) from appointment a where a.client_id = client.id) >= ${leftBefore}, true)
  else client.end_date >= ${date} end`;

/**
 * The location's clients who have not left by a date.
 * @param booked clients who are known to have sessions then
 */
export function clientHereQuery(
  db: Db,
  given: Given<{ location: Location; date: IsoDate; leftBefore: IsoDate }>,
  booked?: RawBuilder<string>,
) {
  const stays = clientStays(sql`${given('date')}::date`, sql`${given('leftBefore')}::date`);
  return db
    .selectFrom('client')
    .where('location', '=', given('location'))
    .where(booked ? sql<boolean>`(client.id in ${booked} or ${stays})` : stays);
}

export function clientsByName(rows: readonly Pick<Selectable<Database['client']>, (typeof CLIENT_COLUMNS)[number]>[]) {
  return byName(rows, (c) => c.display_name).map((c) => ({
    id: c.id,
    firstName: c.first_name,
    displayName: c.display_name,
    location: c.location,
    gender: c.gender,
    priority: c.priority,
    twoToOne: c.two_to_one,
    careTeamOnly: c.care_team_only,
    rbtOrAbove: c.rbt_or_above,
  }));
}

/** When these therapists are available on a date, in minutes after midnight, sorted by time. */
export const availabilityQuery = (
  db: Db,
  given: Given<{ date: IsoDate; day: number }>,
  therapists: RawBuilder<string>,
) =>
  db
    .selectFrom('therapist_availability')
    .select(['therapist_id', 'start_minute', 'end_minute'])
    .where('therapist_id', '=', therapists)
    .where('day_of_week', '=', given('day'))
    .where(sql<boolean>`daterange(from_date, until_date, '[]') @> ${given('date')}::date`)
    .orderBy('therapist_id')
    .orderBy('start_minute');

/** Selects all credentials of these therapists, whatever their dates. */
export const selectCredentials = (db: Db, therapistIds: readonly string[]) => credentialRows(db, { therapistIds });

const credentialRows = composed((db, given: Given<{ therapistIds: readonly string[] }>) =>
  credentialQuery(db, anyOf(given('therapistIds'))).compile(),
);

export const credentialQuery = (db: Db, therapists: RawBuilder<string>) =>
  db
    .selectFrom('therapist_credential')
    .select(['therapist_id', 'credential', 'from_date', 'until_date'])
    .where('therapist_id', '=', therapists);

/** Selects the tags that these therapists have on the date. */
export async function selectTags(db: Db, therapistIds: readonly string[], date: IsoDate) {
  const rows = await db
    .selectFrom('therapist_tag')
    .select(['therapist_id', 'tag', 'tag_key'])
    .where('therapist_id', '=', anyOf(therapistIds))
    .where(sql<boolean>`daterange(from_date, until_date, '[]') @> ${date}::date`)
    .orderBy('therapist_id')
    .orderBy('tag_key')
    .execute();
  return rows.map((r) => ({ person: r.therapist_id, tag: r.tag, key: r.tag_key }));
}

/** Selects all tags of these therapists, whatever their dates, sorted by name and then by date for each therapist. */
export async function selectAllTags(db: Db, therapistIds: readonly string[]) {
  return db
    .selectFrom('therapist_tag')
    .select(['therapist_id', 'tag', 'from_date', 'until_date'])
    .where('therapist_id', '=', anyOf(therapistIds))
    .orderBy('tag_key')
    .orderBy('from_date')
    .execute();
}

/** Selects the tags that these clients need in a therapist, and those that they prefer. */
export async function selectNeeds(db: Db, clientIds: readonly string[]) {
  const rows = await db
    .selectFrom('client_need')
    .select(['client_id', 'tag', 'tag_key', 'must'])
    .where('client_id', '=', anyOf(clientIds))
    .orderBy('client_id')
    .orderBy('tag_key')
    .execute();
  return rows.map((r) => ({ person: r.client_id, tag: r.tag, key: r.tag_key, must: r.must }));
}

/** Selects the genders that these clients require and the therapists whom they exclude, one restriction per row. */
export async function selectRestrictions(db: Db, clientIds: readonly string[]) {
  const rows = await db
    .selectFrom('client_restriction')
    .select(['client_id', 'requires_gender', 'excludes_therapist_id'])
    .where('client_id', '=', anyOf(clientIds))
    .orderBy('client_id')
    .orderBy('id')
    .execute();
  return rows.map((r) => ({
    clientId: r.client_id,
    requiresGender: r.requires_gender satisfies Gender | null,
    excludesTherapistId: r.excludes_therapist_id,
  }));
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
  db.selectFrom('absence').select(ABSENCE_COLUMNS).select(lossColumn('absence')).where('withdrawn_at', 'is', null);

/** Converts a row of the `absence` table to a `DayAbsence`. */
export function absenceOf(row: Pick<AbsenceRow, (typeof ABSENCE_COLUMNS)[number]> & LossRow): DayAbsence {
  return {
    id: row.id,
    location: row.location,
    therapistId: row.therapist_id,
    clientId: row.client_id,
    start: row.start_minute,
    end: row.end_minute,
    ...lossOfRow(row),
    ...(row.untold === null ? {} : { untold: row.untold }),
  };
}

/** All absences on a date, at every location, except those withdrawn. */
export const absenceQuery = (db: Db, given: Given<{ date: IsoDate }>) =>
  selectAbsenceRows(db).where('date', '=', given('date')).orderBy('start_minute').orderBy('id');

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
