import { sql } from 'kysely';
import type { Remaining } from '@clinic/contract';
import type { ClinicLocation, Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';

/** A location with what only administrators need. */
export interface LocationRow extends ClinicLocation {
  readonly mergedInto: Location | null;
  readonly therapists: number;
  readonly clients: number;
}

/** All locations, with how many people are at each now. */
export async function selectManaged(db: Db): Promise<LocationRow[]> {
  const { rows } = await sql<LocationRow>`
    select l.value, l.label, l.group_name as "group", l.zone, l.hours, l.closed_from as "closedFrom",
      l.merged_into as "mergedInto",
      (select count(*)::int from therapist t where t.location = l.value and t.deleted_at is null
        and (t.end_date is null or t.end_date >= (now() at time zone l.zone)::date)) as therapists,
      (select count(*)::int from client c where c.location = l.value
        and (c.end_date is null or c.end_date >= (now() at time zone l.zone)::date)) as clients
    from location l order by lower(l.label), l.value`.execute(db);
  return rows;
}

export type LocationValues = Pick<ClinicLocation, 'label' | 'group' | 'zone' | 'hours'>;

const columnsOf = ({ label, group, zone, hours }: LocationValues) => ({
  label,
  group_name: group,
  zone,
  hours: JSON.stringify(hours),
});

export const insertLocation = (db: Db, value: Location, values: LocationValues) =>
  db
    .insertInto('location')
    .values({ value, ...columnsOf(values) })
    .execute();

export const updateLocation = (db: Db, value: Location, values: LocationValues) =>
  db.updateTable('location').set(columnsOf(values)).where('value', '=', value).execute();

export const setClosedFrom = (db: Db, value: Location, from: string | null, mergedInto: Location | null = null) =>
  db.updateTable('location').set({ closed_from: from, merged_into: mergedInto }).where('value', '=', value).execute();

/**
 * Waits for every transaction that writes something at the location, and keeps others from it until this transaction
 * ends: each of them holds the location's row, since its rows refer to it.
 */
export const lockLocation = (db: Db, value: Location) =>
  db.selectFrom('location').select('value').where('value', '=', value).forUpdate().execute();

/** Whether the database knows a time zone by this name. */
export async function knowsZone(db: Db, zone: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from pg_timezone_names where name = ${zone}) as known`.execute(db);
  return rows[0]?.known === true;
}

/** Counts what takes place at a location from a date on, and who is there. */
export async function countRemaining(db: Db, value: Location, from: string): Promise<Remaining> {
  const { rows } = await sql<Remaining>`
    select
      (select count(*)::int from appointment a where a.location = ${value} and a.occupies
        and a.starts::date >= ${from}::date) as sessions,
      (select count(*)::int from weekly_series s where s.location = ${value}
        and (s.until_date is null or s.until_date >= ${from}::date)) as series,
      (select count(*)::int from therapist t where t.location = ${value} and t.deleted_at is null
        and (t.end_date is null or t.end_date >= ${from}::date)) as therapists,
      (select count(*)::int from client c where c.location = ${value}
        and (c.end_date is null or c.end_date >= ${from}::date)) as clients`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('nothing was counted');
  return row;
}
