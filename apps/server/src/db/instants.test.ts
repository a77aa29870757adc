import fc from 'fast-check';
import { sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_LOCATIONS, isoDate, setLocations } from '@clinic/domain';
import { minutesByClockOf } from '../platform/other-clock.ts';
import { buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { loadLocations } from './locations.ts';

const ZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Phoenix'];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const zone of ZONES)
    await database.db
      .insertInto('location')
      .values({ value: placeIn(zone), label: zone, group_name: 'West', zone })
      .execute();
  await loadLocations(database.db);
});
afterAll(async () => {
  await database.close();
  setLocations(DEFAULT_LOCATIONS);
});

const placeIn = (zone: string): string => zone.split('/')[1]?.toLowerCase().replace('_', ' ') ?? '';

/** The days around the changes of the clocks, and ordinary ones. */
const dates = fc.constantFrom('2026-03-07', '2026-03-08', '2026-03-09', '2026-10-31', '2026-11-01', '2026-07-15');
const quarters = fc.integer({ min: 0, max: 95 });
const session = fc
  .record({ zone: fc.constantFrom(...ZONES), date: dates, from: quarters, to: quarters })
  .filter(({ from, to }) => from < to);
type Session = typeof session extends fc.Arbitrary<infer T> ? T : never;

const wall = ({ date }: Pick<Session, 'date'>, quarter: number): string =>
  `${date} ${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}:00`;

const instant = ({ zone, date }: Session, quarter: number): number =>
  Temporal.PlainDateTime.from(wall({ date }, quarter).replace(' ', 'T')).toZonedDateTime(zone, {
    disambiguation: 'later',
  }).epochMilliseconds;

/** When a session takes place; one within the hour that a clock skips keeps its length. */
function spanOf(each: Session): [number, number] {
  const [from, to] = [instant(each, each.from), instant(each, each.to)];
  return [from, to > from ? to : from + (each.to - each.from) * 900_000];
}

test('for any two sessions, the database finds that they overlap exactly if their instants do', async () => {
  await fc.assert(
    fc.asyncProperty(session, session, async (a, b) => {
      const range = (each: Session) =>
        sql`instants_of(${wall(each, each.from)}::timestamp, ${wall(each, each.to)}::timestamp, ${each.zone})`;
      const { rows } = await sql<{ twice: boolean }>`select ${range(a)} && ${range(b)} as twice`.execute(database.db);
      const [[a1, a2], [b1, b2]] = [spanOf(a), spanOf(b)];
      expect(rows[0]?.twice).toBe(a1 < b2 && b1 < a2);
    }),
    { numRuns: 400 },
  );
});

test('for any session, another location’s clock shows its begin as Temporal says', () => {
  fc.assert(
    fc.property(session, fc.constantFrom(...ZONES), (each, zone) => {
      fc.pre(zone !== each.zone); // by its own clock, a session is when it says
      const { date } = each;
      const minutes = minutesByClockOf(placeIn(zone), isoDate(date), placeIn(each.zone), wall(each, each.from));
      const there = Temporal.Instant.fromEpochMilliseconds(instant(each, each.from)).toZonedDateTimeISO(zone);
      const day = Temporal.PlainDate.from(date).until(there.toPlainDate()).days;
      expect(minutes).toBe(day * 1440 + there.hour * 60 + there.minute);
    }),
    { numRuns: 1000 },
  );
});

const at = (location: string, date: string, start: string, end: string) => ({ location, date, start, end });

test.each([
  [
    '9 AM in New York and 8 AM in Chicago',
    at('new york', '2026-11-20', '09:00', '10:00'),
    at('chicago', '2026-11-20', '08:15', '09:00'),
  ],
  [
    'in winter, 9 AM in Denver and in Phoenix',
    at('denver', '2026-11-20', '09:00', '10:00'),
    at('phoenix', '2026-11-20', '09:30', '10:00'),
  ],
  [
    'in summer, 9 AM in Los Angeles and in Phoenix',
    at('los angeles', '2026-07-15', '09:00', '10:00'),
    at('phoenix', '2026-07-15', '09:30', '10:00'),
  ],
  [
    'around midnight, on two dates',
    at('new york', '2026-11-21', '00:00', '01:00'),
    at('los angeles', '2026-11-20', '21:30', '22:00'),
  ],
])('a therapist and a client are not booked twice at the same moment: %s', async (_, one, other) => {
  const { db } = database;
  const [therapist, client] = [await buildTherapist(db), await buildClient(db)];
  await buildAppointment(db, { ...one, therapist, client });
  await expect(buildAppointment(db, { ...other, therapist, client: null })).resolves.toBeTruthy();
  await expect(buildAppointment(db, { ...other, therapist, client: await buildClient(db) })).rejects.toThrow(
    /therapist_in_one_place/,
  );
  await expect(buildAppointment(db, { ...other, therapist: null, client })).rejects.toThrow(
    /client_one_direct_session/,
  );
});

test.each([
  [
    '9 AM in New York and in Chicago',
    at('new york', '2026-11-20', '09:00', '10:00'),
    at('chicago', '2026-11-20', '09:00', '10:00'),
  ],
  [
    'in summer, 9 AM in Denver and in Phoenix',
    at('denver', '2026-07-15', '09:00', '10:00'),
    at('phoenix', '2026-07-15', '09:00', '10:00'),
  ],
])('at the same time by two clocks, both can be booked: %s', async (_, one, other) => {
  const { db } = database;
  const [therapist, client] = [await buildTherapist(db), await buildClient(db)];
  await buildAppointment(db, { ...one, therapist, client });
  await buildAppointment(db, { ...other, therapist, client });
});

test('given a new zone that double-books someone, the change of the location is refused; another one moves its sessions', async () => {
  const { db } = database;
  const [therapist, client] = [await buildTherapist(db), await buildClient(db)];
  await buildAppointment(db, { ...at('chicago', '2026-11-20', '13:00', '14:00'), therapist, client });
  await buildAppointment(db, { ...at('los angeles', '2026-11-20', '13:00', '14:00'), therapist, client });
  const move = (zone: string) => db.updateTable('location').set({ zone }).where('value', '=', 'los angeles').execute();
  await expect(move('America/Chicago')).rejects.toThrow(/therapist_in_one_place|client_one_direct_session/);
  await move('America/Anchorage');
  const { rows } = await sql<{ at: string }>`
    select lower(instants)::text as at from appointment where location = 'los angeles' and client_id = ${client}`.execute(
    db,
  );
  expect(rows).toEqual([{ at: '2026-11-20 22:00:00+00' }]);
  await move('America/Los_Angeles');
});
