import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../db/connection.ts';

/** Whether the client of this table or alias has a second seat booked for today or later. */
export const secondSeatOf = (client: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from appointment a join location l on l.value = a.location
  where a.client_id = ${sql.ref(`${client}.id`)} and a.seat = 2 and a.occupies
    and a.starts >= (now() at time zone l.zone)::date)`;

/**
 * The reads of an import. The database turns rows into JSON and back, and the server's main thread only passes the JSON
 * text on. If the main thread parsed 100,000 rows, all other requests would wait.
 */
const READS = {
  /** All people, with what earlier imports recorded about them. Their number is limited by the clinic's size. */
  people: () => sql<{ text: string }>`select json_build_object(
    'therapists', (
      select coalesce(json_agg(json_build_object('id', t.id, 'firstName', t.first_name, 'lastName', t.last_name,
        'displayName', t.display_name, 'location', t.location, 'version', t.version,
        'deleted', t.deleted_at is not null, 'first', t.start_date, 'last', t.end_date, 'windows', coalesce(w.windows, '[]')) order by t.id), '[]')
      from therapist t left join (
        select therapist_id, json_agg(json_strip_nulls(json_build_object('day', day_of_week, 'start', start_minute,
          'end', end_minute, 'from', from_date, 'until', until_date)) order by day_of_week, start_minute) as windows
        from therapist_availability group by therapist_id) w on w.therapist_id = t.id),
    'clients', (
      select coalesce(json_agg(json_build_object('id', id, 'firstName', first_name, 'lastName', last_name,
        'displayName', display_name, 'location', location, 'version', version, 'twoToOne', two_to_one,
        'careTeamOnly', care_team_only, 'rbtOrAbove', rbt_or_above, 'requiresGender', coalesce(r.genders, '{}'),
        'excludesTherapist', coalesce(r.excludes, '{}'),
        'endDate', end_date, 'secondSeat', two_to_one and ${secondSeatOf('client')}) order by id), '[]')
      from client left join (
        select client_id, array_agg(requires_gender) filter (where requires_gender is not null) as genders,
          array_agg(excludes_therapist_id) filter (where excludes_therapist_id is not null) as excludes
        from client_restriction group by 1) r on r.client_id = id),
    'known', (
      select coalesce(json_agg(json_build_object('kind', kind, 'key', key, 'hash', content_hash,
        'targetId', target_id, 'targetVersion', target_version) order by kind, key), '[]')
      from import_row where kind in ('therapist', 'client')))::text as text`,
  /** All authorizations and credentials, each with the person it belongs to. */
  details: () => sql<{ text: string }>`select json_build_object(
    'authorizations', (
      select coalesce(json_agg(json_build_object('person', client_id, 'record', json_build_object('payer', payer,
        'code', code, 'number', number, 'from_date', from_date, 'until_date', until_date, 'units', units,
        'period', period, 'prior_units', prior_units, 'prior_until', prior_until))), '[]')
      from client_authorization),
    'credentials', (
      select coalesce(json_agg(json_build_object('person', therapist_id, 'record', json_build_object(
        'credential', credential, 'number', number, 'from_date', from_date, 'until_date', until_date))), '[]')
      from therapist_credential))::text as text`,
  /**
   * The answers that earlier imports received: which of our columns a file's column is, and what its words mean.
   */
  columns: () => sql<{ text: string }>`
    select coalesce(json_agg(json_build_object('kind', kind, 'key', column_key, 'answer', answer)), '[]')::text as text
    from import_answer`,
  /** All causes of lost time, including retired ones. */
  causes: () => sql<{ text: string }>`
    select coalesce(json_agg(json_build_object('id', id, 'label', label, 'retired', retired_at is not null)
      order by label), '[]')::text as text
    from cause`,
  /** When locations are closed. */
  closures: () => sql<{ text: string }>`
    select coalesce(json_agg(json_build_object('id', id, 'location', location, 'firstDate', first_date,
      'firstMinute', first_minute, 'lastDate', last_date, 'lastMinute', last_minute, 'name', name, 'holiday', holiday)
      order by first_date, first_minute, holiday, id), '[]')::text as text
    from closure where reopened_at is null`,
  /** What earlier imports recorded under these appointments' keys. */
  known: (keys: string) => sql<{ text: string }>`
    select coalesce(json_agg(json_build_object('key', r.key, 'hash', r.content_hash, 'targetId', r.target_id,
      'targetVersion', r.target_version)), '[]')::text as text
    from json_array_elements_text(${keys}::json) as k (key)
    join import_row r on r.kind = 'appointment' and r.key = k.key`,
  /**
   * The appointments that earlier imports made of rows with these Ids: of Ids that the file has on several dates (`many`),
   * and of those that are a series on the calendar (see `withSeriesKeys`). `offset 0` makes PostgreSQL look up each Id by
   * the index instead of reading all rows.
   */
  occurrences: (ids: string) => sql<{ text: string }>`
    select coalesce(json_agg(o.each order by o.starts, o.key), '[]')::text as text from (
      select json_build_object('id', a.wire_id, 'key', r.key, 'hash', r.content_hash,
          'date', to_char(a.starts, 'YYYY-MM-DD'),
          'start', (extract(epoch from a.starts - a.starts::date) / 60)::int) as each, a.starts, r.key, k.many,
        bool_or(r.key like 'id:% on ____-__-__%') over id as dated,
        min(a.starts::date) over id as first, max(a.starts::date) over id as last
      from json_to_recordset(${ids}::json) as k (id text, many boolean),
        lateral (select id, wire_id, starts from appointment where wire_id = k.id offset 0) a,
        lateral (select key, content_hash from import_row
          where kind = 'appointment' and target_id = a.id::text offset 0) r
      window id as (partition by k.id)
    ) o
    where o.many or o.first < o.last or o.dated`,
  /** The appointments with these ids. */
  appointments: (ids: string) =>
    storedAppointments(sql`
    a.id = any(array(select value::uuid from json_array_elements_text(${ids}::json)))`),
  /** The appointments with these Ids that were given here: to sessions made here, and to rows without an Id. */
  made: (ids: string) =>
    storedAppointments(sql`
    a.wire_id = any(array(select json_array_elements_text(${ids}::json))) and (r.key is null or r.key not like 'id:%')`),
  /**
   * All appointments on these dates at all locations, because a therapist who works at two locations can be at only one
   * of them at a time.
   */
  days: (dates: string) =>
    storedAppointments(sql`
    a.location = any(array(select value from location))
    and a.starts::date = any(array(select value::date from json_array_elements_text(${dates}::json)))`),
  /**
   * The appointments within three months of these two dates that an import made of rows with Ids, and that may have been
   * moved since.
   */
  moved: (span: string) =>
    storedAppointments(sql`
    a.location = any(array(select value from location)) and a.version > 1
    and a.starts::date between (${span}::json ->> 0)::date - 92 and (${span}::json ->> 1)::date + 92
    and r.target_version < a.version and r.key like 'id:%'`),
} as const;

export type ReadName = keyof typeof READS;

const storedAppointments = (where: RawBuilder<unknown>) => sql<{ text: string }>`
  select coalesce(json_agg(json_build_object('id', a.id, 'version', a.version, 'location', a.location,
    'date', to_char(a.starts, 'YYYY-MM-DD'),
    'start', (extract(epoch from a.starts - a.starts::date) / 60)::int,
    'end', (extract(epoch from a.ends - a.starts::date) / 60)::int,
    'therapistId', a.therapist_id, 'clientId', a.client_id, 'service', a.service, 'status', a.status,
    'occupies', a.occupies, 'place', a.place, 'clientPlace', a.client_place, 'seat', a.seat, 'clash', a.clash,
    'groupKey', a.group_key, 'wireId', a.wire_id, 'subject', a.subject,
    'loss', case when num_nonnulls(a.lost_by, a.cause_id, a.known_at) > 0 then json_build_object('cause', a.cause_id,
      'lostBy', a.lost_by, 'known', to_char(a.known_at, 'YYYY-MM-DD HH24:MI:SS')) end,
    'importKey', r.key, 'importVersion', r.target_version, 'importHash', r.content_hash)), '[]')::text as text
  from appointment a left join lateral (
    select key, target_version, content_hash from import_row
    where kind = 'appointment' and target_id = a.id::text order by key desc limit 1) r on true
  where ${where}`;

/** Runs one of `READS` and returns its JSON text. */
export async function read(db: Db, name: ReadName, wanted: string): Promise<string> {
  const { rows } = await READS[name](wanted).execute(db);
  return rows[0]?.text ?? '[]';
}
