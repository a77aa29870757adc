import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';

/** The size of a clinic with a long history. Every table that grows over the years is filled. */
export interface Years {
  /** How many working days lie in the past. */
  readonly days: number;
  /** Therapists at each location; each has eight hours of sessions a day, with two clients. */
  readonly therapists: number;
  /** How many working days a client stays; a year and a half by default. */
  readonly stay?: number;
  /** How many audit entries each session has; one by default. */
  readonly entries?: number;
}

/** How many one-hour sessions a therapist has each day. */
const HOURS = 8;
/** How many working days ahead sessions are booked. */
const AHEAD = 60;
const ACCOUNTS = 20;

/** The id of an account that made audit entries. */
export const pastAccount = (n: number): string => `00000000-0000-4000-8000-${String(n % ACCOUNTS).padStart(12, '0')}`;
export const pastTherapist = (location: number, n: number): string => `GT-${location}-${n}`;

/**
 * Fills an empty database with years of past sessions and some weeks of future sessions. Clients come and go;
 * therapists stay. The triggers on appointments are off, which is faster, but the rows obey the rules.
 */
export async function fillYears(db: Db, { days, therapists, stay = 390, entries = 1 }: Years): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`alter table appointment disable trigger user`.execute(trx);
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`set local jit = off`.execute(trx);
    await sql`create temporary table place on commit drop as
      select (row_number() over (order by value))::int as l, value from location`.execute(trx);
    // All working days, numbered from the first; the last `AHEAD` of these days are in the future.
    await sql`create temporary table day on commit drop as
      select (row_number() over (order by date))::int as n, date from (
        (select d::date as date from generate_series(current_date - 1, current_date - ${days}::int * 2 - 10, interval '-1 day') as d
          where extract(isodow from d) < 6 order by d desc limit ${days}::int)
        union all
        (select d::date from generate_series(current_date, current_date + ${AHEAD}::int * 2, interval '1 day') as d
          where extract(isodow from d) < 6 order by d limit ${AHEAD}::int)) as workdays`.execute(trx);
    await fillPeople(trx, therapists, stay);
    await fillCalendar(trx, therapists);
    await fillSubmits(trx, therapists);
    await fillCalls(trx, therapists);
    await fillReports(trx, therapists);
    await fillTrail(trx, entries);
    await sql`set constraints all immediate`.execute(trx);
    await sql`alter table appointment enable trigger user`.execute(trx);
  });
  await sql`vacuum (analyze)`.execute(db);
}

async function fillPeople(trx: Db, therapists: number, stay: number): Promise<void> {
  await sql`insert into account (id, email, name, role, password_hash)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'past' || n || '@clinic.example', 'Past ' || n, 'scheduler', 'none'
    from generate_series(0, ${ACCOUNTS - 1}::int) as n`.execute(trx);
  await sql`insert into therapist (id, first_name, last_name, display_name, name_key, location, specialization, gender, start_date)
    select 'GT-' || l || '-' || t, 'Thea', 'N' || l || 'x' || t, 'Thea N' || l || 'x' || t, 'thea n' || l || 'x' || t, value, 'RBT', 'Female', '2015-01-05'
    from place, generate_series(0, ${therapists - 1}::int) as t`.execute(trx);
  await sql`insert into therapist_availability (therapist_id, day_of_week, start_minute, end_minute)
    select t.id, d, 480, 1140 from therapist t, generate_series(1, 5) as d`.execute(trx);
  // Each half of a therapist's day has one client at a time. When a client leaves, another client follows; not all
  // clients leave on the same day.
  await sql`create temporary table stay on commit drop as
    select 'GC-' || l || '-' || t || '-' || h || '-' || generation as client, l, value, t, h, min(n) as first, max(n) as last
    from place, generate_series(0, ${therapists - 1}::int) as t, generate_series(0, 1) as h,
      lateral (select n, (n + t * 37 + h * 11) / ${stay}::int as generation from day) as d
    group by l, value, t, h, generation`.execute(trx);
  await sql`insert into client (id, first_name, last_name, display_name, name_key, location, gender)
    select client, 'Cleo', client, 'Cleo ' || client, lower('Cleo ' || client), value, 'Female' from stay`.execute(trx);
  // Each half year has a new authorization, which begins two weeks before the earlier one ends. The first one begins
  // before the client's first day, because some requests book sessions for clients who have not started yet.
  await sql`insert into client_authorization (client_id, payer, code, number, from_date, until_date, units)
    select client, 'Past Health', '97153', 'A-' || begins, f.date - case when begins = s.first then 120 else 0 end, u.date,
      2000
    from stay s cross join generate_series(s.first, s.last, 130) as begins
    join day f on f.n = begins join day u on u.n = least(begins + 140, s.last)`.execute(trx);
}

async function fillCalendar(trx: Db, therapists: number): Promise<void> {
  await sql`create temporary table weekly on commit drop as
    select gen_random_uuid() as id, s.*, dow, k from stay s, generate_series(1, 5) as dow, generate_series(0, 3) as k`.execute(
    trx,
  );
  await sql`insert into weekly_series (id, location, client_id, therapist_id, service, subject, day_of_week, start_minute, end_minute, from_date, until_date, made_until)
    select w.id, value, client, 'GT-' || l || '-' || t, 'direct', 'Direct Therapy', dow, 480 + (h * 4 + k) * 60, 540 + (h * 4 + k) * 60,
      f.date, u.date, u.date
    from weekly w join day f on f.n = w.first join day u on u.n = w.last`.execute(trx);
  await sql`insert into appointment (id, wire_id, location, client_id, therapist_id, service, subject, status, starts, ends, place, client_place, series_id)
    select a.id, 'G-' || n || '-' || l || '-' || t || '-' || h * 4 + k, value, client, 'GT-' || l || '-' || t, 'direct', 'Direct Therapy',
      case when date < current_date then 'fulfilled' else 'booked' end,
      date + make_interval(hours => 8 + h * 4 + k), date + make_interval(hours => 9 + h * 4 + k), a.id::text, a.id::text, series
    from (select gen_random_uuid() as id, w.id as series, d.n, d.date, w.l, w.value, w.t, w.h, w.k, w.client
      from day d join weekly w on w.dow = extract(isodow from d.date)::int and d.n between w.first and w.last offset 0) as a`.execute(
    trx,
  );
  await sql`insert into location_day (location, date, version) select value, date, 1 from place, day`.execute(trx);
  await sql`insert into absence (location, therapist_id, date, start_minute, end_minute, reported_by)
    select value, 'GT-' || l || '-' || n % ${therapists}::int, date, 480, 720, ${pastAccount(0)}::uuid from place, day
    where date < current_date`.execute(trx);
}

async function fillSubmits(trx: Db, therapists: number): Promise<void> {
  await sql`insert into proposal (id, location, dates) select 'g_' || l || '_' || n, value, array[date] from place, day where date < current_date`.execute(
    trx,
  );
  await sql`insert into proposal_revision (proposal_id, revision, queries, pins, days, data, metadata, backed_up_therapists)
    select id, 1, '[]', '[]', '{}', '{}', '{}', '{}' from proposal`.execute(trx);
  await sql`insert into schedule_commit (proposal_id, revision, location, choice, choice_key, changes, summary, reply, workbook, committed_by, committed_at)
    select id, 1, location, '{}', 'none', '[]',
      jsonb_build_object('dates', to_jsonb(dates), 'clients', '[]'::jsonb, 'option', 'Option 1', 'changes', ${therapists}::int,
        'minutesKept', 240, 'wall', dates[1] || ' 07:10:00'),
      '{"commit":"","actions":[],"by_therapist":[],"calls":[],"uncovered":[]}', '', ${pastAccount(0)}::uuid, dates[1] + interval '7 hours'
    from proposal`.execute(trx);
}

/**
 * Fills the records of calls about one therapist's sessions on each past day: what people were told, who said no, and
 * which messages were sent.
 */
async function fillCalls(trx: Db, therapists: number): Promise<void> {
  await sql`create temporary table call on commit drop as
    select a.id, a.location, a.starts::date as date, a.client_id, a.therapist_id, a.starts, a.ends
    from day join appointment a on a.starts::date = day.date
      and a.therapist_id like 'GT-%-' || day.n % ${therapists}::int where day.date < current_date`.execute(trx);
  await sql`insert into call_day (location, date) select value, date from place, day`.execute(trx);
  await sql`insert into call_before (location, date, appointment_id, client_id, therapist_id, service, starts, ends)
    select location, date, id, client_id, therapist_id, 'direct', starts, ends from call`.execute(trx);
  await sql`insert into call_answer (location, date, client_id, answer, version, day, at, account_id)
    select location, date, client_id, 'told', 'v', '[]', starts, ${pastAccount(0)}::uuid from call`.execute(trx);
  await sql`insert into message (location, date, person, number, version, way, address, words, released_by, released_at, next_try_at, sent_at)
    select location, date, 'client:' || client_id, row_number() over (partition by location, date, client_id), 'v', 'email',
      'family@clinic.example', 'Words', ${pastAccount(0)}::uuid, starts, starts, starts from call`.execute(trx);
  await sql`insert into own_day_seen (therapist_id, location, date, version, at)
    select therapist_id, location, date, 'v', min(starts) from call group by 1, 2, 3`.execute(trx);
  // A therapist's no is never taken back once the day has passed.
  await sql`insert into call_decline (location, date, therapist_id, scope, sessions, said_to, away, wall_minute, at, account_id)
    select location, date, therapist_id, 'today', array_agg(id::text), '[]', '[]', 420, min(starts), ${pastAccount(0)}::uuid
    from call group by 1, 2, 3`.execute(trx);
}

/** Fills in absences that therapists reported, whether confirmed, declined or open, and the causes of lost time. */
async function fillReports(trx: Db, therapists: number): Promise<void> {
  await sql`insert into absence_report (therapist_id, first_date, first_minute, last_date, last_minute, cause, reported_at, decision, decided_at)
    select 'GT-' || l || '-' || n % ${therapists}::int, date, 480, date, 720, 'sick', date,
      case when n % 5 > 0 then 'confirmed' end, case when n % 5 > 0 then date end
    from place, day where date < current_date`.execute(trx);
  await sql`update absence set cause_id = 'sick', known_at = date where extract(day from date)::int % 5 > 0`.execute(
    trx,
  );
}

/** Fills the audit trail: most entries are reads of one client, and every tenth entry is a read of a whole day. */
async function fillTrail(trx: Db, entries: number): Promise<void> {
  await sql`insert into audit (chain, number, at, account_id, action, subject_kind, subject_ids, location, detail, prev_hash, hash)
    select 100 + i % 16, i, date + interval '7 hours' + i % 30000 * interval '1 second',
      ('00000000-0000-4000-8000-' || lpad((i % ${ACCOUNTS}::int)::text, 12, '0'))::uuid,
      case when i % 10 = 0 then 'calendar.read' else 'client.read' end,
      case when i % 10 = 0 then 'day' else 'client' end,
      case when i % 10 = 0 then array[value || '/' || date] else array[client] end,
      value, '{}', ''::bytea, ''::bytea
    from (select d.date, s.client, s.value, row_number() over () as i
      from day d join stay s on d.n between s.first and s.last cross join generate_series(1, ${(HOURS / 2) * entries}::int)
      where d.date < current_date) as entry`.execute(trx);
}
