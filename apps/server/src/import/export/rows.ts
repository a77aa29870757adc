/**
 * The clinic's data as rows of the files that an import reads (`COLUMNS`): importing them changes nothing here, and fills
 * an empty database with the same people and sessions. A profile's priority and notes have no column.
 */
import { sql, type RawBuilder } from 'kysely';
import { locationLabel, UNIT_MINUTES, weekdayName, formatTime, type Interval, type Location } from '@clinic/domain';
import { guarded, UNASSIGNED, wireStatus, type ImportKind } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import { columnOf, CONTACT_FIELDS, CONTACTS, type Field } from '../columns/contact-columns.ts';
import { exportedColumns } from '../columns/exported.ts';
import { clientsIn, sessionsIn, therapistsIn, type ExportScope } from './scope.ts';

type Cell = string | null;
type Row = Readonly<Record<string, Cell>>;

interface Dates {
  readonly from_date: string | null;
  readonly until_date: string | null;
}

const dated = (text: string, { from_date: from, until_date: until }: Dates): string =>
  `${text}${from === null ? '' : ` from ${from}`}${until === null ? '' : ` until ${until}`}`;

type Window = Interval & Dates & { readonly day: number };

const windowText = (window: Window): string =>
  dated(`${weekdayName(window.day).slice(0, 3)} ${formatTime(window.start)}-${formatTime(window.end)}`, window);

type Contact = Readonly<Record<Field, string>>;

const contactCells = (contacts: readonly Contact[]): Row =>
  Object.fromEntries(
    CONTACTS.flatMap((n) => CONTACT_FIELDS.map((field) => [columnOf(n, field), contacts[n - 1]?.[field] ?? null])),
  );

/** The rows of a table that belong to a person, as a JSON array. */
const listOf = <T>(what: RawBuilder<unknown>, from: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<T[]> =>
  sql<T[]>`(select coalesce(json_agg(${what} order by ${order}), '[]') from ${from})`;

const contactsOf = (person: RawBuilder<unknown>): RawBuilder<Contact[]> =>
  listOf(sql`to_json(c)`, sql`contact c where ${person}`, sql`c.rank`);

async function therapistRows(db: Db, scope: ExportScope): Promise<Row[]> {
  const people = await db
    .selectFrom('therapist as t')
    .select(['id', 'first_name', 'last_name', 'location', 'specialization', 'gender', 'start_date', 'consistency'])
    .select(['week_minutes', 'day_minutes', 'guaranteed_minutes'])
    // Somebody who was deleted is still named in past sessions: the row has their last day.
    .select(
      sql<string | null>`least(t.end_date,
        case when t.deleted_at is not null then greatest(t.deleted_at::date, t.start_date) end)::text`.as('last'),
    )
    .select([
      listOf<Window>(
        sql`json_build_object('day', w.day_of_week, 'start', w.start_minute, 'end', w.end_minute,
          'from_date', w.from_date, 'until_date', w.until_date)`,
        sql`therapist_availability w where w.therapist_id = t.id`,
        sql`w.day_of_week, w.start_minute, w.from_date nulls first`,
      ).as('windows'),
      listOf<Dates & { tag: string }>(
        sql`to_json(g)`,
        sql`therapist_tag g where g.therapist_id = t.id`,
        sql`g.tag_key, g.from_date nulls first`,
      ).as('tags'),
      contactsOf(sql`c.therapist_id = t.id`).as('contacts'),
    ])
    .where(therapistsIn(scope, 't'))
    .orderBy('id')
    .execute();
  const hours = (minutes: number | null): Cell => (minutes === null ? null : String(minutes / 60));
  return people.map((t) => ({
    id: t.id,
    first_name: t.first_name,
    last_name: t.last_name,
    location: locationLabel(t.location),
    specialization: t.specialization,
    gender: t.gender,
    start_date: t.start_date,
    end_date: t.last,
    week_hours: hours(t.week_minutes),
    day_hours: hours(t.day_minutes),
    guaranteed_hours: hours(t.guaranteed_minutes),
    consistency: t.consistency === null ? null : String(t.consistency),
    availability: t.windows.map(windowText).join('; '),
    tags: t.tags.map((tag) => dated(tag.tag, tag)).join('; '),
    ...contactCells(t.contacts),
  }));
}

async function clientRows(db: Db, scope: ExportScope): Promise<Row[]> {
  const people = await db
    .selectFrom('client as p')
    .select(['id', 'first_name', 'last_name', 'location', 'gender', 'end_date'])
    .select(['two_to_one', 'care_team_only', 'rbt_or_above'])
    .select([
      listOf<string>(
        sql`coalesce('gender:' || lower(r.requires_gender), 'therapist:' || r.excludes_therapist_id)`,
        sql`client_restriction r where r.client_id = p.id`,
        sql`r.requires_gender, r.excludes_therapist_id`,
      ).as('restrictions'),
      listOf<{ tag: string; must: boolean }>(
        sql`to_json(n)`,
        sql`client_need n where n.client_id = p.id`,
        sql`n.tag_key`,
      ).as('needs'),
      contactsOf(sql`c.client_id = p.id`).as('contacts'),
    ])
    .where(clientsIn(scope, 'p'))
    .orderBy('id')
    .execute();
  return people.map((p) => {
    const tags = (must: boolean): string =>
      p.needs.flatMap((need) => (need.must === must ? [need.tag] : [])).join('; ');
    const flags = [
      p.care_team_only ? 'care team only' : [],
      p.rbt_or_above ? 'RBT or above' : [],
      p.two_to_one ? '2:1' : [],
    ].flat();
    return {
      id: p.id,
      first_name: p.first_name,
      last_name: p.last_name,
      location: locationLabel(p.location),
      gender: p.gender,
      end_date: p.end_date,
      restrictions: [...p.restrictions, ...flags].join('; '),
      needs: tags(true),
      prefers: tags(false),
      ...contactCells(p.contacts),
    };
  });
}

/** The sessions of a month, which begins on `month`. */
async function appointmentRows(db: Db, scope: ExportScope, month: string, adminClientName: string): Promise<Row[]> {
  const { rows } = await sql<{
    id: string | null;
    starts: string;
    ends: string;
    subject: string;
    status: AppointmentStatus;
    service: string;
    therapist: string | null;
    therapist_id: string | null;
    client: string | null;
    client_id: string | null;
    location: Location;
    cause: string | null;
    lost_by: string | null;
    known: string | null;
  }>`select case when r.key is null then a.wire_id end as id, to_char(a.starts, 'YYYY-MM-DD HH24:MI') as starts, to_char(a.ends, 'YYYY-MM-DD HH24:MI') as ends,
      a.subject, a.status, a.service, t.display_name as therapist, a.therapist_id, c.display_name as client, a.client_id,
      a.location, u.label as cause, a.lost_by, to_char(a.known_at, 'YYYY-MM-DD HH24:MI') as known
    from appointment a left join therapist t on t.id = a.therapist_id left join client c on c.id = a.client_id
      left join cause u on u.id = a.cause_id
      left join import_row r on r.kind = 'appointment' and r.target_id = a.id::text and r.target_version = a.version
        and r.key not like 'id:%'
    where ${sessionsIn(scope, 'a')}
      and a.starts::date >= ${month}::date and a.starts::date < (${month}::date + interval '1 month')::date
    order by a.starts, a.location, a.wire_id, a.id`.execute(db);
  return rows.map((a) => ({
    // A row without an Id is found again by its content, as in the file that it came from.
    Id: a.id,
    StartDateTime: a.starts,
    EndDateTime: a.ends,
    Subject: a.subject,
    Preferred_Provider_Name: a.therapist ?? UNASSIGNED,
    'Provider Id': a.therapist_id,
    Appointment_Status: wireStatus(a.status),
    'Client Name': a.service === 'admin' ? adminClientName : a.client,
    'Client Id': a.client_id,
    Location: locationLabel(a.location),
    'Cancellation Reason': a.cause,
    'Cancelled By': a.lost_by,
    'Cancelled At': a.known,
  }));
}

async function authorizationRows(db: Db, scope: ExportScope): Promise<Row[]> {
  const found = await db
    .selectFrom('client_authorization as g')
    .innerJoin('client as c', 'c.id', 'g.client_id')
    .select(['c.display_name', 'c.location', 'g.client_id', 'g.payer', 'g.code', 'g.number', 'g.from_date'])
    .select(['g.until_date', 'g.units', 'g.period', 'g.prior_units', 'g.prior_until'])
    .where(clientsIn(scope, 'c'))
    .orderBy('g.client_id')
    .orderBy('g.code')
    .orderBy('g.from_date')
    .orderBy('g.number')
    .execute();
  return found.map(({ display_name: client, location, units, prior_units: prior, ...rest }) => ({
    ...rest,
    client,
    location: locationLabel(location),
    units: String(units),
    unit_type: `${UNIT_MINUTES} minutes`,
    prior_units: prior === null ? null : String(prior),
  }));
}

async function credentialRows(db: Db, scope: ExportScope): Promise<Row[]> {
  const found = await db
    .selectFrom('therapist_credential as k')
    .innerJoin('therapist as t', 't.id', 'k.therapist_id')
    .select([
      't.display_name',
      't.location',
      'k.therapist_id',
      'k.credential',
      'k.number',
      'k.from_date',
      'k.until_date',
    ])
    .where('t.deleted_at', 'is', null)
    .where(therapistsIn(scope, 't'))
    .orderBy('k.therapist_id')
    .orderBy('k.from_date')
    .orderBy('k.credential')
    .orderBy('k.number')
    .execute();
  return found.map(({ display_name: therapist, location, ...rest }) => ({
    ...rest,
    therapist,
    location: locationLabel(location),
  }));
}

/** The first day of each month with sessions. */
async function monthsOf(db: Db, { from, until }: ExportScope): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select m::date::text as month
    from (
      select greatest(min(starts), ${from}::date) as first, least(max(starts), ${until}::date) as last from appointment
    ) a, generate_series(date_trunc('month', first), last, interval '1 month') m`.execute(db);
  return rows.map(({ month }) => month);
}

/** The rows of a file, as many at a time as fit in memory. */
export async function* exportedRows(
  db: Db,
  kind: ImportKind,
  scope: ExportScope,
  adminClientName: string,
): AsyncGenerator<string[][]> {
  const cells = (rows: readonly Row[]): string[][] =>
    rows.map((row) => exportedColumns(kind).map((column) => guarded(row[column] ?? '')));
  if (kind !== 'appointments') yield cells(await READS[kind](db, scope));
  else
    for (const month of await monthsOf(db, scope))
      yield cells(await appointmentRows(db, scope, month, adminClientName));
}

const READS = {
  therapists: therapistRows,
  clients: clientRows,
  authorizations: authorizationRows,
  credentials: credentialRows,
};
