import { sql, type RawBuilder } from 'kysely';
import { byName, notEmployed, type Interval, type IsoDate, type Location, type Specialization } from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import type { QueryRow } from '../db/query-row.ts';
import { employmentOf } from './employment.ts';
import type { Db } from '../db/connection.ts';

/** For so many days after their last one, plans still know therapists, and say since when they are gone. */
const GONE_DAYS = 28;

/** Whoever had a session at a location within so many days may work there while their own location is closed. */
export const WORKED_THERE_DAYS = 84;

/**
 * Selects the location's therapists who have not left the clinic long before, any other therapist who has, or originally
 * had, an appointment there on the date, and those who worked there lately and whose own location is closed on the date.
 */
export async function selectTherapists(db: Db, location: Location, date: IsoDate) {
  return therapistsByName(await therapistQuery(db, { location, date }).orderBy('t.id').execute(), date);
}

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
    freed: t.freed,
    limits: { week_minutes: t.week_minutes, day_minutes: t.day_minutes, guaranteed_minutes: t.guaranteed_minutes },
  }));
}

/** In SQL, whether a closure `c` stands on a date. A holiday frees nobody: they have the day off. */
const closedOn = (date: IsoDate) =>
  sql`c.reopened_at is null and not c.holiday and c.first_date <= ${date}::date and c.last_date >= ${date}::date`;

export const therapistQuery = (db: Db, { location, date }: { location: Location; date: IsoDate }) =>
  db
    .selectFrom('therapist as t')
    .select(['t.id', 't.first_name', 't.display_name', 't.location', 't.specialization', 't.gender', 't.deleted_at'])
    .select(['t.start_date', 't.end_date', 't.week_minutes', 't.day_minutes', 't.guaranteed_minutes'])
    .select(
      sql<Interval[] | null>`case when t.location <> ${location} then (
        select json_agg(json_build_object(
          'start', case when c.first_date = ${date}::date then c.first_minute else 0 end,
          'end', case when c.last_date = ${date}::date then c.last_minute else 1440 end))
        from closure c where c.location = t.location and ${closedOn(date)}) end`.as('freed'),
    )
    .where((eb) =>
      eb.or([
        eb.and([
          eb('t.location', '=', location),
          eb('t.deleted_at', 'is', null),
          sql<boolean>`coalesce(t.end_date >= ${date}::date - ${sql.lit(GONE_DAYS)}, true)`,
        ]),
        eb(
          't.id',
          'in',
          sql<string>`(select unnest(array[a.therapist_id, a.booked_therapist_id]) from appointment a
            where a.location = ${location} and a.starts::date = ${date}::date and a.status <> 'entered-in-error')`,
        ),
        sql<boolean>`(t.deleted_at is null and t.location in (select c.location from closure c where ${closedOn(date)})
          and exists (select from appointment a where a.therapist_id = t.id and a.location = ${location}
            and a.starts >= ${date}::date - ${sql.lit(WORKED_THERE_DAYS)} and a.starts < ${date}::date
            and a.occupies))`,
      ]),
    );

/** When these therapists are available on a date, in minutes after midnight, sorted by time. */
export const availabilityQuery = (
  db: Db,
  { date, day }: { date: IsoDate; day: number },
  therapists: RawBuilder<string>,
) =>
  db
    .selectFrom('therapist_availability')
    .select(['therapist_id', 'start_minute', 'end_minute'])
    .where('therapist_id', '=', therapists)
    .where('day_of_week', '=', day)
    .where(sql<boolean>`daterange(from_date, until_date, '[]') @> ${date}::date`)
    .orderBy('therapist_id')
    .orderBy('start_minute');

/** Selects all credentials of these therapists, whatever their dates. */
export const selectCredentials = (db: Db, therapistIds: readonly string[]) =>
  credentialQuery(db, anyOf(therapistIds)).execute();

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
