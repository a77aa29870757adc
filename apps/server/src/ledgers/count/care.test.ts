import { afterAll, beforeAll, expect, test } from 'vitest';
import fc from 'fast-check';
import { sql } from 'kysely';
import { addDays, isoDate, NO_CARE } from '@clinic/domain';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../../testing/builders.ts';
import { buildNo, isUnresolved, NOES } from '../../testing/declines.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { openFrom } from './care-hours.ts';
import { selectCare } from './care.ts';
import { repeats } from '../../reliability/testing/doses.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const FROM = isoDate('2026-10-19');
const UNTIL = isoDate('2026-11-16');
const clockOf = (quarter: number): string =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;

const session = fc.record({
  of: fc.integer({ min: 0, max: 1 }),
  // Some days lie outside the window, where sessions must not count.
  day: fc.integer({ min: -3, max: 31 }),
  start: fc.integer({ min: 28, max: 60 }),
  length: fc.integer({ min: 1, max: 12 }),
  status: fc.constantFrom('booked', 'fulfilled', 'cancelled', 'noshow', 'entered-in-error'),
  assigned: fc.boolean(),
  no: fc.constantFrom(...NOES),
});
/** The present: before, within or after the window, or a demo clinic in which no part of today is past. */
const present = fc.record({
  day: fc.integer({ min: -2, max: 30 }),
  cut: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 1439 })),
});
/** The test gives each person at most one absence a day, since the database refuses overlapping absences. */
const away = fc.record({
  who: fc.constantFrom('therapist', 'client 0', 'client 1'),
  day: fc.integer({ min: 0, max: 27 }),
  start: fc.integer({ min: 28, max: 60 }),
  length: fc.integer({ min: 1, max: 20 }),
});
const byPersonAndDay = { selector: (a: { who: string; day: number }) => `${a.who} ${a.day}` };

test('given a random history and present, the booked and lost care, and that of the last week, match an independent count by quarter hours', async () => {
  const { db } = database;
  const [therapist, other] = [await buildTherapist(db), await buildTherapist(db)];
  const clients = [await buildClient(db), await buildClient(db)];
  await fc.assert(
    fc.asyncProperty(
      fc.array(session, { maxLength: 30 }),
      fc.uniqueArray(away, { maxLength: 12, ...byPersonAndDay }),
      present,
      async (sessions, absences, { day: today, cut }) => {
        await sql`delete from call_decline`.execute(db);
        await sql`delete from appointment`.execute(db);
        await sql`delete from absence`.execute(db);
        for (const { of, day, start, length, status, assigned, no } of sessions) {
          const date = addDays(FROM, day);
          const key = await buildAppointment(db, {
            client: clients[of] ?? null,
            therapist: assigned ? therapist : null,
            date,
            status,
            start: clockOf(start),
            end: clockOf(start + length),
            clash: 'all',
          });
          await buildNo(db, no, { key, therapist, date, other });
        }
        for (const { who, day, start, length } of absences)
          await buildAbsence(db, {
            ...(who === 'therapist' ? { therapist } : { client: clients[Number(who.at(-1))] ?? '' }),
            date: addDays(FROM, day),
            start: clockOf(start),
            end: clockOf(start + length),
          });
        const open = openFrom(UNTIL, { date: addDays(FROM, today), cut });
        const found = await selectCare(db, clients, [FROM, UNTIL], open);
        for (const [of, id] of clients.entries()) {
          const own = sessions.filter(
            (s) => s.of === of && s.day >= 0 && s.day < 28 && s.status !== 'entered-in-error',
          );
          const isAway = (who: string, day: number, quarter: number) =>
            absences.some((a) => a.who === who && a.day === day && a.start <= quarter && quarter < a.start + a.length);
          const quarters = own.flatMap((s) =>
            Array.from({ length: s.length }, (_, n) => ({ s, quarter: s.start + n })),
          );
          const isOver = (day: number, quarter: number) =>
            day < today || (day === today && cut !== null && quarter * 15 < cut);
          const lost = quarters.filter(({ s, quarter }) => {
            if (!['booked', 'fulfilled'].includes(s.status) || isAway(`client ${of}`, s.day, quarter)) return true;
            const covered = s.assigned && !isUnresolved(s.no) && !isAway('therapist', s.day, quarter);
            return !covered && isOver(s.day, quarter);
          });
          const inWeek = ({ s }: (typeof quarters)[number]) => s.day >= 21;
          expect(found.get(id) ?? NO_CARE).toEqual({
            booked: quarters.length * 15,
            lost: lost.length * 15,
            week: { booked: quarters.filter(inWeek).length * 15, lost: lost.filter(inWeek).length * 15 },
          });
        }
      },
    ),
    { numRuns: repeats(40) },
  );
}, 120_000);
