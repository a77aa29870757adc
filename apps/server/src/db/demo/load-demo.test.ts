import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDays,
  DEFAULT_LOCATIONS,
  daysBetween,
  isoDate,
  locationValues,
  setLocations,
  type IsoDate,
} from '@clinic/domain';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { loadLocations } from '../locations.ts';
import { loadWell } from '../../day/well.ts';
import { DEMO_LOGINS, loadDemo } from './load-demo.ts';

const passwordHasher = (password: string) => Promise.resolve(`hash of ${password}`);
// The Sunday when the clocks go back: the most unusual day of the year.
const SUNDAY = isoDate('2026-11-01');
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  expect(await loadDemo(database.db, { today: SUNDAY, passwordHasher })).toBe('loaded');
});
afterAll(() => database.close());

/**
 * For each location on one date: how many clients come, how many therapists work, and how many sessions are unassigned.
 */
async function dayFigures(date: IsoDate) {
  const { rows } = await sql<{
    location: string;
    clients: number;
    therapists: number;
    nobody: number;
    cancelled: number;
    missed: number;
    direct: number;
  }>`
    select location, count(distinct client_id)::int as clients, count(distinct therapist_id)::int as therapists,
      count(*) filter (where service = 'direct')::int as direct,
      count(*) filter (where therapist_id is null and occupies)::int as nobody,
      count(*) filter (where status = 'cancelled')::int as cancelled, count(*) filter (where status = 'noshow')::int as missed
    from appointment where starts::date = ${date} group by location order by location`.execute(database.db);
  return rows;
}

test('given that today is a Sunday, the demo clinic still has a full working day at all five locations', async () => {
  const days = await dayFigures(SUNDAY);
  expect(days.map((d) => d.location)).toEqual([...locationValues()]);
  for (const day of days) {
    expect(day.clients).toBeGreaterThanOrEqual(30);
    expect(day.clients).toBeLessThanOrEqual(45);
    expect(day.therapists).toBeGreaterThanOrEqual(25);
    expect([1, 2]).toContain(day.nobody);
    expect(day.cancelled).toBeGreaterThanOrEqual(1);
    expect(day.missed).toBeGreaterThanOrEqual(1);
  }
});

test('the demo logins in docs/operations.md exist and are marked as demo accounts', async () => {
  const accounts = await database.db
    .selectFrom('account')
    .select(['email', 'role', 'demo', 'password_hash'])
    .orderBy('email')
    .execute();
  expect(accounts).toEqual([
    { email: 'admin@clinic.example', role: 'admin', demo: true, password_hash: 'hash of demo admin password' },
    { email: 'staff@clinic.example', role: 'scheduler', demo: true, password_hash: 'hash of demo clinic password' },
    {
      email: 'therapist@clinic.example',
      role: 'therapist',
      demo: true,
      password_hash: 'hash of demo therapist password',
    },
  ]);
  expect(DEMO_LOGINS).toHaveLength(3);
});

test('every child has a therapist with at least 4 sessions in 28 days, and most children have several', async () => {
  const { rows } = await sql<{ clients: number; with_team: number; several: number }>`
    with met as (
      select client_id, therapist_id, count(*) as times from appointment
      where service = 'direct' and status = 'fulfilled' and starts >= ${addDays(SUNDAY, -28)}::date and starts < ${SUNDAY}::date
      group by 1, 2 having count(*) >= 4
    ), teams as (select client_id, count(*) as size from met group by 1)
    select (select count(*) from client)::int as clients, count(*)::int as with_team,
      count(*) filter (where size >= 2)::int as several from teams`.execute(database.db);
  const found = rows[0];
  expect(found?.with_team).toBe(found?.clients);
  expect(found?.several).toBeGreaterThan(0.6 * (found?.clients ?? Infinity));
});

test('every demo location has hour limits, causes of loss, covered and make-up sessions, and therapists who said no', async () => {
  const { rows } = await sql<Record<string, number>>`
    with a as (select * from appointment where starts < ${SUNDAY}::date and client_id is not null)
    select l.value as location,
      (select count(*) from therapist t where t.location = l.value and week_minutes is not null)::int as limited,
      (select count(*) from therapist t where t.location = l.value and guaranteed_minutes is not null)::int as guaranteed,
      (select count(*) from therapist t where t.location = l.value and not exists (select from therapist_tag g
        where g.therapist_id = t.id and g.tag_key = 'sunrise enrollment'))::int as not_enrolled,
      count(distinct a.cause_id)::int as causes,
      count(*) filter (where not a.occupies and a.cause_id is null)::int as not_said,
      count(*) filter (where a.booked_therapist_id <> a.therapist_id)::int as covered,
      count(*) filter (where a.subject = 'Make-up session')::int as made_up,
      (select count(*) from call_decline d where d.location = l.value)::int as refused
    from location l join a on a.location = l.value group by l.value`.execute(database.db);
  expect(rows).toHaveLength(locationValues().length);
  for (const row of rows) {
    for (const figure of ['limited', 'guaranteed', 'not_said', 'made_up', 'refused'])
      expect(row[figure], `${row['location']}: ${figure}`).toBeGreaterThanOrEqual(2);
    expect(row['causes']).toBeGreaterThanOrEqual(6);
    expect(row['covered']).toBeGreaterThanOrEqual(20);
    expect([1, 2]).toContain(row['not_enrolled']);
  }
});

test('in a month, most RBTs have enough supervision, and at every location some have too little', async () => {
  const { rows } = await sql<{ location: string; rbts: number; short: number }>`
    with month as (
      select t.id, t.location, sum(extract(epoch from d.ends - d.starts)) as direct,
        sum((select coalesce(sum(extract(epoch from least(s.ends, d.ends) - greatest(s.starts, d.starts))), 0)
          from appointment s where s.client_id = d.client_id and s.service = 'supervision' and s.occupies
            and s.starts < d.ends and d.starts < s.ends)) as supervised
      from therapist t join appointment d on d.therapist_id = t.id and d.service = 'direct' and d.occupies
      where t.specialization = 'RBT' and d.starts::date between '2026-10-01' and '2026-10-31' group by t.id
    )
    select location, count(*)::int as rbts, count(*) filter (where supervised < direct / 20)::int as short
    from month group by location order by location`.execute(database.db);
  expect(rows.map((row) => row.location)).toEqual([...locationValues()]);
  for (const { location, rbts, short } of rows) {
    expect(short, location).toBeGreaterThan(0);
    expect(short * 2, location).toBeLessThan(rbts);
  }
});

test('in the week from today, little is wrong: one child’s authorization and one therapist’s credential have expired', async () => {
  const week = Array.from({ length: 7 }, (_, i) => addDays(SUNDAY, i));
  const wellOn = await loadWell(database.db, [SUNDAY, addDays(SUNDAY, 6)], () => ({ date: SUNDAY, minutes: 425 }));
  const wrong = locationValues().flatMap((location) => week.map((date) => wellOn(location, date).wrong));
  expect(Math.max(...wrong.map((each) => each.length))).toBe(2);
  const children = new Set(wrong.flat().map(({ sessions }) => sessions[0]?.client));
  expect(children.size).toBe(2);
});

test('no therapist is booked with a client whose payer would not pay for that therapist', async () => {
  const { rows } = await sql`
    select t.display_name, c.display_name as client, p.name from appointment a
    join therapist t on t.id = a.therapist_id join client c on c.id = a.client_id
    join client_authorization z on z.client_id = c.id and z.code = '97153'
    join payer p on p.name = z.payer
    where a.starts >= ${SUNDAY}::date and a.service = 'direct' and (
      (p.credential = 'RBT' and t.specialization = 'BT') or (p.tag is not null and not exists (
        select from therapist_tag g where g.therapist_id = t.id and g.tag = p.tag)))`.execute(database.db);
  expect(rows).toEqual([]);
});

test('given a server that starts again on the same day, nothing changes', async () => {
  const before = await stateOf();
  expect(await loadDemo(database.db, { today: SUNDAY, passwordHasher })).toBe('untouched');
  expect(await stateOf()).toEqual(before);
});

test('when the server starts again weeks later, today is filled, past sessions are completed, and users’ changes stay', async () => {
  const later = addDays(SUNDAY, 40); // a Friday
  const gone = await database.db
    .selectFrom('therapist')
    .select('id')
    .where('location', '=', 'tampa')
    .orderBy('id')
    .offset(10)
    .executeTakeFirstOrThrow();
  await sql`update appointment set therapist_id = null where therapist_id = ${gone.id} and starts > ${SUNDAY}::date`.execute(
    database.db,
  );
  await sql`update therapist set deleted_at = now() where id = ${gone.id}`.execute(database.db);
  expect(await loadDemo(database.db, { today: later, passwordHasher })).toBe('carried-on');
  for (const day of await dayFigures(later)) expect(day.clients).toBeGreaterThanOrEqual(30);
  expect(await dayFigures(later)).toHaveLength(5);
  const { rows } = await sql<{ open: number; until: string; with_gone: number }>`
    select count(*) filter (where starts < ${later}::date and status in ('booked', 'pending'))::int as open,
      max(starts)::date as until,
      count(*) filter (where therapist_id = ${gone.id} and starts >= ${later}::date)::int as with_gone from appointment`.execute(
    database.db,
  );
  expect(rows[0]).toEqual({ open: 0, until: addDays(later, 21), with_gone: 0 });
  expect(daysBetween(SUNDAY, later)).toBe(40);
});

test('given a location that was merged into another, and one that is closed, later days are filled without them', async () => {
  const { db } = database;
  const from = addDays(SUNDAY, 80);
  await sql`update location set closed_from = ${from}::date, merged_into = case value when 'tampa' then 'orlando' end
    where value in ('tampa', 'deerfield')`.execute(db);
  await loadLocations(db);
  expect(await loadDemo(db, { today: addDays(from, 3), passwordHasher })).toBe('carried-on');
  const { rows } = await sql<{ location: string }>`
    select distinct location from appointment where starts >= ${from}::date order by location`.execute(db);
  expect(rows.map(({ location }) => location)).toEqual(['altamonte', 'orlando', 'palm beach']);
  setLocations(DEFAULT_LOCATIONS);
});

test('a database that holds any other data is not touched', async () => {
  const other = await createTestDatabase();
  try {
    await sql`insert into account (email, name, role, password_hash) values ('a@b.example', 'A', 'admin', 'x')`.execute(
      other.db,
    );
    expect(await loadDemo(other.db, { today: SUNDAY, passwordHasher })).toBe('untouched');
    expect((await sql`select 1 from appointment`.execute(other.db)).rows).toEqual([]);
  } finally {
    await other.close();
  }
});

test('loading the demo clinic may take longer than the time limit of a request', async () => {
  const other = await createTestDatabase();
  try {
    await sql`alter table account add constraint planted check (current_setting('statement_timeout') = '0')`.execute(
      other.db,
    );
    expect(await loadDemo(other.db, { today: SUNDAY, passwordHasher })).toBe('loaded');
  } finally {
    await other.close();
  }
});

test('a load that fails partway leaves no rows', async () => {
  const other = await createTestDatabase();
  try {
    // The constraint stands in for any failure late in the load, after accounts and people have been inserted.
    await sql`alter table appointment add constraint planted check (wire_id not like '%-T015')`.execute(other.db);
    await expect(loadDemo(other.db, { today: SUNDAY, passwordHasher })).rejects.toThrow('planted');
    const { rows } =
      await sql`select 1 from account union all select 1 from therapist union all select 1 from appointment`.execute(
        other.db,
      );
    expect(rows).toEqual([]);
  } finally {
    await other.close();
  }
});

async function stateOf(): Promise<unknown> {
  const { rows } =
    await sql`select (select count(*) from appointment) as appointments, (select sum(version) from appointment) as versions,
    (select sum(version) from location_day) as days, (select count(*) from account) as accounts`.execute(database.db);
  return rows;
}
