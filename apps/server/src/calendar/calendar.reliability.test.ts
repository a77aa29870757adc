import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_END, DAY_START, SLOT_MINUTES, addDays, clockTime, dayOfWeek, isoDate, type IsoDate } from '@clinic/domain';
import { insertMany } from '../db/bulk.ts';
import { timestampOf } from '../db/wall-time.ts';
import { buildClient, buildTherapist } from '../testing/builders.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { presentCalendarDay } from './calendar.presenter.ts';
import { readCalendarDay } from './calendar.service.ts';

/**
 * The days around each clock change at the clinics, 2024 to 2034: the second Sunday of March and the first Sunday of
 * November.
 */
const DAYS: IsoDate[] = Array.from({ length: 11 }, (_, i) => 2024 + i).flatMap((year) =>
  [sunday(year, 3, 2), sunday(year, 11, 1)].flatMap((change) =>
    [-3, -2, -1, 0, 1, 2, 3].map((days) => addDays(change, days)),
  ),
);
// Each zone's offset on 2026-01-15 in minutes, for checking that the process really runs in that zone.
const ZONES = [
  ['America/New_York', 300],
  ['UTC', 0],
  ['Europe/Berlin', -60],
  ['Australia/Lord_Howe', -660],
  ['Pacific/Kiritimati', -840],
] as const;

let database: TestDatabase;
const zoneBefore = process.env['TZ'];
beforeAll(async () => {
  database = await createTestDatabase();
  const windows = [0, 1, 2, 3, 4, 5, 6].map((day): [number, string, string] => [day, '01:45', '19:00']);
  const therapist_id = await buildTherapist(database.db, { windows });
  const client_id = await buildClient(database.db);
  const rows = DAYS.flatMap((date) =>
    slots().map((start) => {
      const id = randomUUID();
      return {
        id,
        wire_id: `${date} ${start}`,
        location: 'altamonte' as const,
        client_id,
        therapist_id,
        booked_therapist_id: null,
        service: 'direct' as const,
        subject: 'Direct Therapy',
        status: 'booked' as const,
        starts: timestampOf(date, start),
        ends: timestampOf(date, start + SLOT_MINUTES),
        place: id,
        client_place: id,
        group_key: null,
        parent_id: null,
        series_id: null,
        commit_id: null,
        family_told_at: null,
      };
    }),
  );
  expect(await insertMany(database.db, 'appointment', rows)).toBe(DAYS.length * 52);
});
afterAll(async () => {
  if (zoneBefore === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zoneBefore;
  await database.close();
});

describe('[CAL-14] [DATA-02] weeks with a clock change', () => {
  test.each(ZONES)('given a server in the zone %s, no slot is shifted or inverted', async (zone, offset) => {
    process.env['TZ'] = zone;
    expect(new Date(2026, 0, 15).getTimezoneOffset()).toBe(offset);
    expect(DAYS).toHaveLength(154);
    for (const date of DAYS) {
      const now = { date, minutes: 0, text: `${date}T00:00:00` };
      const day = presentCalendarDay(await readCalendarDay(database.db, 'altamonte', date, now), 'Admin');
      const us = `${Number(date.slice(5, 7))}/${Number(date.slice(8))}/${date.slice(0, 4)}`;
      const shown = day.appointments.map((a) => [a.Id, a.StartDateTime, a.EndDateTime].join(' | '));
      const meant = slots().map((start) =>
        [`${date} ${start}`, `${us}, ${clockTime(start)}`, `${us}, ${clockTime(start + SLOT_MINUTES)}`].join(' | '),
      );
      expect(shown, date).toEqual(meant);
      expect(day.availabilities.map((a) => [a.start_time, a.end_time])).toEqual([
        [`${date}T01:45:00`, `${date}T19:00:00`],
      ]);
    }
  });
});

/** The grid's slots, and those in the hour that a clock change skips or repeats, in minutes. */
function slots(): number[] {
  const grid = Array.from({ length: (DAY_END - DAY_START) / SLOT_MINUTES }, (_, i) => DAY_START + i * SLOT_MINUTES);
  return [105, 120, 135, 150, ...grid];
}

function sunday(year: number, month: number, which: number): IsoDate {
  const first = isoDate(`${year}-${String(month).padStart(2, '0')}-01`);
  return addDays(first, ((7 - dayOfWeek(first)) % 7) + 7 * (which - 1));
}
