import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, hoursWindow, isoDate, type IsoDate } from '@clinic/domain';
import { buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildNo, isUnresolved, NOES, type No } from '../../testing/declines.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { loadHours, selectWorkedDays } from './hours.ts';
import { repeats } from '../../reliability/testing/doses.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const FIRST = isoDate('2026-10-19');
const stamp = (date: string, quarter: number): string =>
  `${date} ${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;

/**
 * One event in a random history: a session, perhaps taken over from another therapist, or an absence. Times are in
 * quarter hours.
 */
const happening = fc.record({
  who: fc.integer({ min: 0, max: 2 }),
  day: fc.integer({ min: 0, max: 40 }),
  start: fc.integer({ min: 28, max: 70 }),
  length: fc.integer({ min: 1, max: 20 }),
  kind: fc.constantFrom('session', 'session', 'cover', 'admin', 'cancelled', 'away', 'withdrawn'),
  no: fc.constantFrom(...NOES),
});
type Happening = { who: number; day: number; start: number; length: number; kind: string; no: No };

/** Counts the hours independently, quarter hour by quarter hour, from the events. */
function recount(all: readonly Happening[], who: number, days: readonly number[], only: 'booked' | 'cover'): number {
  const kinds = only === 'cover' ? ['cover'] : ['session', 'cover', 'admin'];
  let quarters = 0;
  for (const day of days)
    for (let quarter = 0; quarter < 96; quarter++) {
      const at = all.filter(
        (h) => h.who === who && h.day === day && h.start <= quarter && quarter < h.start + h.length,
      );
      if (at.some((h) => kinds.includes(h.kind) && !isUnresolved(h.no)) && !at.some((h) => h.kind === 'away'))
        quarters++;
    }
  return quarters * 15;
}

test('over random histories, the counted hours match, to the minute, an independent count of the rows', async () => {
  const { db } = database;
  const people = [];
  for (let n = 0; n < 4; n++) people.push(await buildTherapist(db, { first: 'Ana', last: `Ledger${n}` }));
  const [other] = people.slice(3);
  const client = await buildClient(db);
  const ids = people.slice(0, 3);
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), fc.integer({ min: 28, max: 40 }), async (all, at) => {
      await sql`delete from call_decline`.execute(db);
      await sql`delete from appointment`.execute(db);
      await sql`delete from absence`.execute(db);
      for (const { who, day, start, length, kind, no } of all) {
        const [therapist, date] = [ids[who] ?? '', addDays(FIRST, day)];
        if (kind === 'away' || kind === 'withdrawn') {
          await sql`insert into absence (location, therapist_id, date, start_minute, end_minute, withdrawn_at)
            values ('altamonte', ${therapist}, ${date}, ${start * 15}, ${(start + length) * 15},
              ${kind === 'withdrawn' ? '2026-10-01' : null}) on conflict do nothing`.execute(db);
          continue;
        }
        const key = await buildAppointment(db, {
          therapist,
          client: kind === 'admin' ? null : client,
          date,
          start: stamp(date, start).slice(11),
          end: stamp(date, start + length).slice(11),
          ...(kind === 'cover' ? { bookedTherapist: other ?? null } : {}),
          ...(kind === 'cancelled' ? { status: 'cancelled' as const } : {}),
          clash: 'all', // random times overlap, as imported sessions may
        });
        await buildNo(db, no, { key, therapist, date, other: other ?? '' });
      }
      // The database refuses an absence that overlaps another of the same person, so recount only the stored absences.
      const kept = await keptAbsences(all, ids);
      const date = addDays(FIRST, at);
      const found = await loadHours(db, ids, date);
      for (const [who, id] of ids.entries()) {
        const { monday, sunday, coverFrom } = hoursWindow(date);
        const count = (from: IsoDate, until: IsoDate, only: 'booked' | 'cover') =>
          recount(kept, who, numbers(from, until), only);
        expect(found.get(id)).toEqual({
          week: count(monday, sunday, 'booked'),
          day: count(date, date, 'booked'),
          cover7: count(addDays(date, -6), date, 'cover'),
          cover28: count(coverFrom, date, 'cover'),
        });
      }
    }),
    { numRuns: repeats(25) },
  );
}, 120_000);

const numbers = (from: IsoDate, until: IsoDate): number[] =>
  Array.from({ length: 60 }, (_, n) => n).filter((n) => from <= addDays(FIRST, n) && addDays(FIRST, n) <= until);

async function keptAbsences(all: readonly Happening[], ids: readonly string[]): Promise<Happening[]> {
  const { rows } = await sql<{ therapist_id: string; date: string; start_minute: number }>`
    select therapist_id, date, start_minute from absence where withdrawn_at is null`.execute(database.db);
  return all.filter(
    ({ who, day, start, kind }, i) =>
      kind !== 'away' ||
      (rows.some(
        (r) => r.therapist_id === ids[who] && r.date === addDays(FIRST, day) && r.start_minute === start * 15,
      ) &&
        all.findIndex((h) => h.kind === 'away' && h.who === who && h.day === day && h.start === start) === i),
  );
}

test('given a time of day, only minutes worked before that time count', async () => {
  const { db } = database;
  const ana = await buildTherapist(db, { first: 'Worked', last: 'Ruiz' });
  const bo = await buildClient(db);
  const date = '2027-03-01';
  await buildAppointment(db, { therapist: ana, client: bo, date, start: '09:00', end: '11:00' });
  const at = async (now: string) =>
    (await selectWorkedDays(db, [ana], [isoDate(date), isoDate(date)], `${date} ${now}`)).map(({ booked, worked }) => [
      booked,
      worked,
    ]);
  expect([await at('08:00'), await at('09:45'), await at('12:00')]).toEqual([[[120, 0]], [[120, 45]], [[120, 120]]]);
});
