import {
  addDays,
  datesFrom,
  dayOfWeek,
  defaultLocation,
  isoDate,
  locationOn,
  locationValues,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { sql } from 'kysely';
import { insertMany } from '../bulk.ts';
import type { Db } from '../connection.ts';
import { dateIn } from '../wall-time.ts';
import { demoDay, NOT_LOST, type DemoAppointment, type DemoRefusal } from './days.ts';
import { insertPeople, readSeed, readWeek, type WeeklySession } from './seed.ts';

const DEMO_ACCOUNTS = [
  { email: 'staff@clinic.example', name: 'Dana Whitfield', role: 'scheduler', password: 'demo clinic password' },
  { email: 'admin@clinic.example', name: 'Morgan Ellis', role: 'admin', password: 'demo admin password' },
] as const;
/** The one demo therapist who can log in, to see their own day. */
const DEMO_THERAPIST = { email: 'therapist@clinic.example', password: 'demo therapist password' } as const;
/** The demo clinic's logins (docs/operations.md). A database with these accounts counts as a demo. */
export const DEMO_LOGINS = [...DEMO_ACCOUNTS, { ...DEMO_THERAPIST, role: 'therapist' as const }].map(
  ({ email, password, role }) => ({ email, password, role }),
);

/**
 * How many days back and ahead the calendar reaches. Six past weeks give each child a team and other therapists known
 * to the child; three future weeks can be planned.
 */
const BACK = 42;
const AHEAD = 21;
/** The format of the demo appointments' Ids. Appointments that users book get Ids in another format. */
const OUR_IDS = '^APT-[0-9]{6}-[A-Z][0-9]{3}$';
const SETTING = 'demo';
const LOCK = 7_205_513;

interface DemoOptions {
  /** Today's date at the clinic. */
  readonly today: IsoDate;
  /** Hashes a password for storage. */
  readonly passwordHasher: (password: string) => Promise<string>;
}

/** What happened to the demo clinic: it was created, was extended to today, or was left alone. */
type DemoOutcome = 'loaded' | 'carried-on' | 'untouched';

/**
 * Fills an empty database with the demo clinic: five locations, and a full working day today, whatever day of the week
 * it is. An existing demo clinic is extended up to today, and users' changes stay. Any other database is left alone.
 * All of this is one transaction, and only one process at a time runs it.
 */
export async function loadDemo(db: Db, options: DemoOptions): Promise<DemoOutcome> {
  return db.transaction().execute(async (trx) => {
    // A slow machine may need more time than a request is allowed.
    await sql`set local statement_timeout = 0`.execute(trx);
    // Another server may be loading the demo clinic; the wait for its lock has no time limit.
    await sql`set local lock_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    if (await isEmpty(trx)) {
      await loadAll(trx, options);
      return 'loaded';
    }
    return (await carryOn(trx, options.today)) ? 'carried-on' : 'untouched';
  });
}

async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ filled: boolean }>`
    select exists (select from account) or exists (select from therapist) or exists (select from client)
      or exists (select from appointment) as filled`.execute(db);
  return rows[0]?.filled === false;
}

async function loadAll(db: Db, { today, passwordHasher }: DemoOptions): Promise<void> {
  const week = readWeek();
  await insertPeople(db, today);
  const accounts = [
    ...DEMO_ACCOUNTS.map((each) => ({ ...each, locations: null, therapist_id: null })),
    ofTherapist(week, today),
  ];
  await insertMany(
    db,
    'account',
    await Promise.all(
      accounts.map(async ({ password, ...account }) => ({
        ...account,
        password_hash: await passwordHasher(password),
        demo: true,
      })),
    ),
  );
  await insertDays(db, week, { from: addDays(today, -BACK), until: addDays(today, AHEAD), today }, 'fail');
  await sql`insert into setting (key, value) values (${SETTING}, ${settingOf(today)}::jsonb)`.execute(db);
  // PostgreSQL has no statistics on these tables yet; without them, the first queries would be slow.
  await sql`analyze appointment, therapist, therapist_availability, client, location_day`.execute(db);
}

/** The account of the RBT at the default location who has the most sessions today. */
function ofTherapist(week: readonly WeeklySession[], today: IsoDate) {
  const day = dayOfWeek(today);
  const booked = ({ id }: Readonly<Record<string, string>>): number =>
    week.filter((s) => s.therapist === id && s.client !== null && s.day === day).length;
  const [person] = readSeed('therapist')
    .filter((each) => each['location'] === defaultLocation() && each['specialization'] === 'RBT')
    .sort((a, b) => booked(b) - booked(a));
  if (!person) throw new Error('the demo clinic has no therapist');
  const name = `${person['first_name']} ${person['last_name']}`;
  const role = 'therapist' as const;
  return { ...DEMO_THERAPIST, name, role, locations: [defaultLocation()], therapist_id: person['id'] ?? null };
}

const settingOf = (today: IsoDate): string => JSON.stringify({ today, until: addDays(today, AHEAD) });

async function insertDays(
  db: Db,
  week: readonly WeeklySession[],
  { from, until, today }: { from: IsoDate; until: IsoDate; today: IsoDate },
  onConflict: 'fail' | 'nothing',
): Promise<void> {
  const dates = datesFrom(from, until);
  const present = await whoIsHere(db);
  const weeks = locationValues().map((location) => week.filter((session) => session.location === location));
  const days = dates.flatMap((date) => weeks.map((own) => demoDay(own, date, today)));
  await insertMany(
    db,
    'appointment',
    days.flatMap(({ appointments }) => appointments.flatMap((row) => stillPossible(row, present)).flatMap(stillOpen)),
    onConflict,
  );
  await insertRefusals(
    db,
    days.flatMap(({ refusals }) => refusals.filter((each) => present.therapists.has(each.therapist_id))),
  );
  await bumpDays(db, dates);
}

/** Inserts the past refusals as if the demo clinic's scheduler had recorded each at 7:05. */
async function insertRefusals(db: Db, refusals: readonly DemoRefusal[]): Promise<void> {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', DEMO_ACCOUNTS[0].email)
    .executeTakeFirst();
  const rows = refusals.map(({ session, saidTo, ...refusal }) => ({
    ...refusal,
    client_id: null,
    scope: 'session' as const,
    sessions: [session],
    said_to: JSON.stringify([saidTo]),
    until_minute: null,
    away: '[]',
    wall_minute: 7 * 60 + 5,
    at: `${refusal.date}T12:05:00Z`,
    account_id: account?.id ?? null,
    ended_at: null,
    ended_by: null,
    answer_id: null,
  }));
  if (rows.length > 0) await db.insertInto('call_decline').values(rows).execute();
}

interface Present {
  readonly causes: ReadonlySet<string>;
  readonly therapists: ReadonlySet<string>;
  readonly clients: ReadonlySet<string>;
}

async function whoIsHere(db: Db): Promise<Present> {
  const therapists = await db.selectFrom('therapist').select('id').where('deleted_at', 'is', null).execute();
  const clients = await db.selectFrom('client').select('id').execute();
  const causes = await db.selectFrom('cause').select('id').execute();
  return {
    therapists: new Set(therapists.map((t) => t.id)),
    clients: new Set(clients.map((c) => c.id)),
    causes: new Set(causes.map((c) => c.id)),
  };
}

/** Moves a row to the location that has taken over by then; drops it if its location is closed. */
function stillOpen<Row extends { readonly location: Location; readonly starts: string }>(row: Row): Row[] {
  const location = locationOn(row.location, dateIn(row.starts));
  return location === null ? [] : [{ ...row, location }];
}

/**
 * Keeps a row only if its client and therapist still exist. If only the therapist is gone, a direct session is kept as
 * unassigned.
 */
function stillPossible(row: DemoAppointment, present: Present): DemoAppointment[] {
  if (row.client_id !== null && !present.clients.has(row.client_id)) return [];
  const known = {
    ...row,
    // The clinic may have deleted the cause.
    ...(row.cause_id === null || present.causes.has(row.cause_id) ? {} : NOT_LOST),
    booked_therapist_id: present.therapists.has(row.booked_therapist_id ?? '') ? row.booked_therapist_id : null,
  };
  if (row.therapist_id === null || present.therapists.has(row.therapist_id)) return [known];
  return row.service === 'direct' ? [{ ...known, therapist_id: null, place: row.id, group_key: null }] : [];
}

async function bumpDays(db: Db, dates: readonly string[]): Promise<void> {
  await sql`
    insert into location_day (location, date, version)
    select l.value, d.date::date, 1 from location l cross join unnest(${[...dates]}::text[]) as d (date)
    on conflict (location, date) do update set version = location_day.version + 1`.execute(db);
}

/** Whether an account can log in with a password that is public. */
export async function demoLives(db: Db): Promise<boolean> {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('demo', '=', true)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return account !== undefined;
}

/**
 * Brings an older demo clinic up to today. Past sessions are completed, or cancelled if they had no therapist. The
 * calendar is extended to reach as far ahead as in a new demo clinic.
 */
async function carryOn(db: Db, today: IsoDate): Promise<boolean> {
  const kept = await db.selectFrom('setting').select('value').where('key', '=', SETTING).executeTakeFirst();
  if (!kept || !(await demoLives(db))) return false;
  const last = kept.value as { today: string; until: string };
  if (last.today >= today) return false;
  const { rows } = await sql<{ date: string }>`
    with done as (
      update appointment set version = version + 1, updated_at = now(),
        status = case when therapist_id is null then 'cancelled' else 'fulfilled' end
      where starts < ${today}::date and status in ('booked', 'pending') and wire_id ~ ${OUR_IDS}
      returning starts::date as date
    ) select distinct date from done`.execute(db);
  await bumpDays(
    db,
    rows.map((row) => row.date),
  );
  const next = addDays(isoDate(last.until), 1);
  const earliest = addDays(today, -BACK);
  const days = { from: next > earliest ? next : earliest, until: addDays(today, AHEAD), today };
  // Sessions that users have booked on these days stay; demo rows that overlap them are left out.
  await insertDays(db, readWeek(), days, 'nothing');
  await db
    .updateTable('setting')
    .set({ value: settingOf(today) })
    .where('key', '=', SETTING)
    .execute();
  return true;
}
