import { sql } from 'kysely';
import type { PersonKind } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { secondSeatOf } from '../imports.queries.ts';

/** Increases the version of these people, both in their own rows and in `import_row`. */
const touched = (kind: PersonKind, rows: string) => sql`
  with changed as (
    update ${sql.table(kind)} set version = version + 1, updated_at = now()
    where id in (select id from json_to_recordset(${rows}::json) as n (id text)) returning id, version)
  update import_row r set target_version = changed.version from changed
  where r.kind = ${kind} and r.target_id = changed.id and r.target_version = changed.version - 1`;

/** Sets a column of a loss to the stored value `a` or the imported value `n`, if there is one. */
const imported = (column: string) => {
  const [stored, given] = [sql.ref(`a.${column}`), sql.ref(`n.${column}`)];
  return sql`${sql.ref(column)} = case when k.replaces_loss then coalesce(${given}, ${stored})
    else coalesce(${stored}, ${given}) end`;
};

/**
 * Frees the names of changed people by giving them temporary keys with capital letters, which no real name has.
 * Otherwise names passed from one person to another within an import would collide.
 */
const leaveNames = (kind: PersonKind) => (rows: string) => sql`
  update ${sql.table(kind)} set name_key = 'IMPORT ' || id
  where id in (select id from json_to_recordset(${rows}::json) as n (id text))`;

/** Inserts rows with these columns; the others get their defaults. */
const insertInto = (table: string, columns: string) => (rows: string) =>
  sql`insert into ${sql.table(table)} (${sql.raw(columns)})
    select ${sql.raw(columns)} from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`;

/** Deletes the rows of these people. */
const deleteOf = (table: string, person: string) => (rows: string) => sql`
  delete from ${sql.table(table)}
  where ${sql.ref(person)} in (select id from json_to_recordset(${rows}::json) as n (id text))`;

/**
 * The statements with which an import writes. Each takes its rows as one JSON text of limited size, made by
 * `write-plan.ts`. So a transaction has only a few statements, and the server's main thread parses no rows.
 */
const WRITES = {
  dropClientContacts: deleteOf('contact', 'client_id'),
  dropTherapistContacts: deleteOf('contact', 'therapist_id'),
  dropTags: deleteOf('therapist_tag', 'therapist_id'),
  dropNeeds: deleteOf('client_need', 'client_id'),
  dropWindows: deleteOf('therapist_availability', 'therapist_id'),
  dropRestrictions: deleteOf('client_restriction', 'client_id'),
  insertTherapists: insertInto(
    'therapist',
    'id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date, end_date, consistency, week_minutes, day_minutes, guaranteed_minutes',
  ),
  insertContacts: insertInto(
    'contact',
    'therapist_id, client_id, rank, name, relation, phone, email, language, preferred',
  ),
  insertCredentials: insertInto('therapist_credential', 'therapist_id, credential, number, from_date, until_date'),
  insertAuthorizations: insertInto(
    'client_authorization',
    'client_id, payer, code, number, from_date, until_date, units, period, prior_units, prior_until',
  ),
  insertTags: insertInto('therapist_tag', 'therapist_id, tag, tag_key, from_date, until_date'),
  insertNeeds: insertInto('client_need', 'client_id, tag, tag_key, must'),
  insertWindows: insertInto(
    'therapist_availability',
    'therapist_id, day_of_week, start_minute, end_minute, from_date, until_date',
  ),
  insertClients: insertInto(
    'client',
    'id, first_name, last_name, display_name, name_key, location, gender, end_date, two_to_one, care_team_only, rbt_or_above',
  ),
  insertRestrictions: insertInto('client_restriction', 'client_id, requires_gender, excludes_therapist_id'),
  insertAppointments: insertInto(
    'appointment',
    'id, wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, group_key, place, client_place, seat, clash, lost_by, cause_id, known_at',
  ),
  leaveTherapistNames: leaveNames('therapist'),
  leaveClientNames: leaveNames('client'),
  updateTherapists: (rows: string) => sql`
    update therapist t set first_name = n.first_name, last_name = n.last_name, display_name = n.display_name,
      name_key = n.name_key,
      location = n.location, specialization = n.specialization, gender = n.gender, start_date = n.start_date,
      end_date = case when k.keeps_end_date then t.end_date else n.end_date end,
      consistency = case when k.keeps_consistency then t.consistency else n.consistency end,
      week_minutes = coalesce(n.week_minutes, t.week_minutes), day_minutes = coalesce(n.day_minutes, t.day_minutes),
      guaranteed_minutes = coalesce(n.guaranteed_minutes, t.guaranteed_minutes), version = n.version, updated_at = now()
    from json_populate_recordset(null::therapist, ${rows}::json) n
    join json_to_recordset(${rows}::json) as k (id text, keeps_end_date boolean, keeps_consistency boolean) using (id)
    where t.id = n.id`,
  /** Deletes the stored authorizations that these rows replace. */
  dropAuthorizations: (rows: string) => sql`
    delete from client_authorization a using json_populate_recordset(null::client_authorization, ${rows}::json) n
    where a.client_id = n.client_id and a.code = n.code and a.number = n.number and a.from_date = n.from_date
      and (n.number <> '' or a.payer = n.payer)`,
  /** Deletes the stored credentials that these rows replace; a renewal leaves the one before. */
  dropIssued: (rows: string) => sql`
    delete from therapist_credential c using json_populate_recordset(null::therapist_credential, ${rows}::json) n
    where c.therapist_id = n.therapist_id and c.credential = n.credential and c.number = n.number
      and c.from_date is not distinct from n.from_date`,
  /**
   * Marks profiles as changed, which warns anyone who is editing them. A later import may still change these profiles.
   */
  touchClients: (rows: string) => touched('client', rows),
  touchTherapists: (rows: string) => touched('therapist', rows),
  /**
   * A file that says nothing about restrictions changes none. A client stays 2:1 while a second seat is booked,
   * whatever the file says: the database requires it (docs/decisions/0081).
   */
  updateClients: (rows: string) => sql`
    update client c set first_name = n.first_name, last_name = n.last_name, display_name = n.display_name,
      name_key = n.name_key,
      location = n.location, gender = n.gender, end_date = coalesce(n.end_date, c.end_date), care_team_only = coalesce(n.care_team_only, c.care_team_only),
      rbt_or_above = coalesce(n.rbt_or_above, c.rbt_or_above), version = n.version, updated_at = now(),
      two_to_one = coalesce(n.two_to_one, c.two_to_one) or ${secondSeatOf('c')}
    from json_populate_recordset(null::client, ${rows}::json) n where c.id = n.id`,
  /** Writes the history of the appointments that an import changes: their state before the change. */
  noteChanges: (rows: string, accountId: string | null) => sql`
    insert into appointment_event (appointment_id, account_id, what, reason, before, after)
    select a.id, ${accountId}, 'changed', 'import', to_jsonb(a), n.after
    from json_to_recordset(${rows}::json) as n (id uuid, after jsonb) join appointment a on a.id = n.id`,
  /**
   * Constraints are checked row by row, so every appointment that changes is first set to take up no time, and then to
   * its new time.
   */
  free: (rows: string) => sql`
    update appointment set status = 'entered-in-error'
    where id in (select id from json_to_recordset(${rows}::json) as n (id uuid))`,
  /**
   * A cause recorded in the product stays; an import adds only the parts that are missing, and replaces what only an
   * earlier import wrote. A part that the file no longer has stays.
   */
  updateAppointments: (rows: string) => sql`
    update appointment a set wire_id = n.wire_id, location = n.location, client_id = n.client_id,
      therapist_id = n.therapist_id, service = n.service, subject = n.subject, status = n.status, starts = n.starts,
      ends = n.ends, place = n.place, client_place = n.client_place, seat = n.seat, group_key = n.group_key,
      clash = n.clash, version = n.version, updated_at = now(),
      ${sql.join(['lost_by', 'cause_id', 'known_at'].map(imported))}
    from json_populate_recordset(null::appointment, ${rows}::json) n
    join json_to_recordset(${rows}::json) as k (id uuid, replaces_loss boolean) using (id)
    where a.id = n.id`,
  updatePlaces: (rows: string) => sql`
    update appointment a set status = n.status, place = n.place, client_place = n.client_place, seat = n.seat,
      clash = n.clash, version = n.version, updated_at = now()
    from json_populate_recordset(null::appointment, ${rows}::json) n where a.id = n.id`,
  /** Marks appointments as unchanged since the import, so that a later import may change them. */
  keepImported: (rows: string) => sql`
    update import_row r set target_version = n.version
    from json_to_recordset(${rows}::json) as n (key text, version integer)
    where r.kind = 'appointment' and r.key = n.key`,
  remember: (rows: string) => sql`
    insert into import_row (kind, key, content_hash, target_id, target_version)
    select n.kind, n.key, n.hash, n.id, n.version
    from json_to_recordset(${rows}::json) as n (kind text, key text, hash text, id text, version integer)
    on conflict (kind, key) do update set content_hash = excluded.content_hash, target_id = excluded.target_id,
      target_version = excluded.target_version, imported_at = now()`,
  /** Forgets the keys of appointments that now have another one. */
  forget: (rows: string) => sql`
    delete from import_row where kind = 'appointment'
      and key in (select key from json_to_recordset(${rows}::json) as n (key text))`,
  /** Stores, for later imports, which of our columns a file's column is, and what its words mean. */
  rememberColumns: (rows: string) => sql`
    insert into import_answer (kind, column_key, answer)
    select kind, column_key, answer from json_populate_recordset(null::import_answer, ${rows}::json)
    order by kind, column_key
    on conflict (kind, column_key) do update set answer = excluded.answer, answered_at = now()`,
  /** Does the same as the function `bumpDays`, and locks the days in the same order. */
  bumpDays: (rows: string) => sql`
    insert into location_day (location, date, version)
    select n.location, n.date, 1 from json_to_recordset(${rows}::json) as n (location text, date date)
    order by n.date, n.location
    on conflict (location, date) do update set version = location_day.version + 1`,
} as const;

export type WriteName = keyof typeof WRITES;

export async function write(trx: Db, name: WriteName, rows: string, accountId: string | null): Promise<void> {
  await WRITES[name](rows, accountId).execute(trx);
}
