import { sql, type RawBuilder, type Selectable } from 'kysely';
import { addDays, byName, type Gender, type IsoDate, type Location } from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import type { Database } from '../db/schema.ts';

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
  const here = clientHereQuery(db, { location, date, leftBefore: addDays(date, -LEFT_DAYS) });
  return clientsByName(await here.select(CLIENT_COLUMNS).orderBy('id').execute());
}

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
  { location, date, leftBefore }: { location: Location; date: IsoDate; leftBefore: IsoDate },
  booked?: RawBuilder<string>,
) {
  const stays = clientStays(sql`${date}::date`, sql`${leftBefore}::date`);
  return db
    .selectFrom('client')
    .where('location', '=', location)
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
