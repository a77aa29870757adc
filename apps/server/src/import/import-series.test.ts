import { beforeEach, expect, test } from 'vitest';
import { useWeeks } from '../testing/import-weeks.ts';
import type { ImportResult } from './imports.service.ts';

const weeks = useWeeks('Id,Start,End,Subject,Provider,Status,Client,Location');
const { run } = weeks;
// A subject for each test, so that none finds the sessions of another.
let subject = 0;
beforeEach(() => void subject++);
/** A session of one hour in November 2026, from 8:00 unless another hour is given. */
const row = (id: string, day: number, { hour = 8, status = 'Confirmed' } = {}) =>
  `${id},"11/${day}/2026, ${hour}:00 AM","11/${day}/2026, ${hour}:45 AM",Direct Therapy ${subject},T-2,${status},C-2,Altamonte`;
const outcomes = (result: ImportResult) => result.outcomes.map((o) => o.outcome);
/** The days and statuses of the appointments with this Id, each with its hour. */
const stored = async (id: string) =>
  (
    await weeks.db
      .selectFrom('appointment')
      .select(['starts', 'status'])
      .where('wire_id', '=', id)
      .orderBy('starts')
      .execute()
  ).map(({ starts, status }) => `${Number(starts.slice(8, 10))} ${Number(starts.slice(11, 13))} ${status}`);

test('given an export whose Ids are all new, then each session is found again by its people, times and subject', async () => {
  const flagged = (result: ImportResult) => result.outcomes.filter((o) => o.notes?.includes('double_booked')).length;
  const first = [row('R1', 9), row('R2', 10), row('RS', 12), row('RS', 13)];
  await run(first);
  const next = [row('Q1', 9), row('Q2', 10), row('QS', 12), row('QS', 13)];
  const result = await run(next);
  expect(outcomes(result)).toEqual(Array(4).fill('changed'));
  expect(flagged(result)).toBe(0);
  expect(result.outcomes[0]?.text).toBe("it is here with the Id 'R1', which this file does not have");
  expect([await stored('R1'), await stored('RS'), await stored('Q2')]).toEqual([[], [], ['10 8 booked']]);
  expect(outcomes(await run(next))).toEqual(Array(4).fill('unchanged'));
  // A session that later moves is found by its new Id.
  expect(outcomes(await run([row('Q1', 9, { hour: 10 })]))).toEqual(['changed']);
  expect(await stored('Q1')).toEqual(['9 10 booked']);
  // While the file has both Ids, both are sessions: only a person can know which one is wrong.
  const both = await run([row('Q2', 10), row('P2', 10)]);
  expect([outcomes(both), flagged(both)]).toEqual([['unchanged', 'new'], 2]);
  // A time may have been booked and cancelled several times.
  await run([row('C1', 20, { status: 'Cancelled' })]);
  expect(outcomes(await run([row('C2', 20, { status: 'Cancelled' })]))).toEqual(['new']);
});

test('given an export whose Ids are all new, then what was changed here since stays as it is', async () => {
  await run([row('A1', 9), row('A2', 10), row('A3', 11), row('A4', 12)]);
  const change = (id: string, to: object) =>
    weeks.db
      .updateTable('appointment')
      .set((eb) => ({ ...to, version: eb('version', '+', 1) }))
      .where('wire_id', '=', id)
      .execute();
  await change('A1', { status: 'cancelled' });
  await change('A2', { therapist_id: 'T-1' });
  // Moved here to another date of the file.
  await change('A3', { starts: '2026-11-12 10:00:00', ends: '2026-11-12 10:45:00' });
  const next = [row('B1', 9), row('B2', 10), row('B3', 11), row('B4', 12)];
  const result = await run(next);
  expect(outcomes(result)).toEqual(['kept', 'kept', 'kept', 'changed']);
  expect(result.outcomes[0]?.text).toBe(
    "it is here with the Id 'A1', which this file does not have; it was changed here since it was imported; your changes stay",
  );
  expect(outcomes(await run(next))).toEqual(['kept', 'kept', 'kept', 'unchanged']);
  expect([await stored('A1'), await stored('A3')]).toEqual([['9 8 cancelled'], ['12 10 booked']]);
  expect(await Promise.all(['B1', 'B2', 'B3'].map(stored))).toEqual([[], [], []]);
  // If the file has the cancelled one too, the other is a session of its own.
  expect(outcomes(await run([row('A1', 9, { status: 'Cancelled' }), row('B1', 9)]))).toEqual(['kept', 'new']);
});

test('given an export whose Ids are all new, then a session that was moved here beyond its dates does not come twice', async () => {
  await run([row('D1', 2), row('D2', 3), row('D3', 3, { hour: 9 })]);
  const moveTo = (day: number) =>
    weeks.db
      .updateTable('appointment')
      .set((eb) => ({
        starts: `2026-11-${String(day).padStart(2, '0')} 08:00:00`,
        ends: `2026-11-${String(day).padStart(2, '0')} 08:45:00`,
        version: eb('version', '+', 1),
      }))
      .where('wire_id', '=', 'D1')
      .execute();
  await moveTo(26);
  const next = [row('E1', 2), row('E2', 3), row('E3', 3, { hour: 9 })];
  const first = await run(next);
  expect(outcomes(first)).toEqual(['kept', 'changed', 'changed']);
  expect(first.outcomes[0]?.text).toContain("it is here on 2026-11-26 with the Id 'D1', which this file does not have");
  expect(outcomes(await run(next))).toEqual(['kept', 'unchanged', 'unchanged']);
  expect([await stored('D1'), await stored('E1')]).toEqual([['26 8 booked'], []]);
  // Moved here to where it was, it is that session again. Another one at its old time is a session of its own.
  await moveTo(2);
  expect(outcomes(await run([...next, row('E4', 2, { hour: 10 })]))).toEqual([
    'changed',
    'unchanged',
    'unchanged',
    'new',
  ]);
  expect([await stored('D1'), await stored('E1')]).toEqual([[], ['2 8 booked']]);
});

test('given an export that repeats the Ids of a series each week, then next week’s file moves no session of this week', async () => {
  expect(outcomes(await run([row('S', 16), row('S', 18)]))).toEqual(['new', 'new']);
  const next = [row('S', 23), row('S', 25)];
  expect(outcomes(await run(next, {}, true))).toEqual(['new', 'new']);
  expect(outcomes(await run(next))).toEqual(['new', 'new']);
  expect(outcomes(await run(next))).toEqual(['unchanged', 'unchanged']);
  // A week with a holiday, and a file that overlaps the ones before.
  expect(outcomes(await run([row('S', 30)]))).toEqual(['new']);
  expect(outcomes(await run([row('S', 18), row('S', 23, { status: 'Cancelled' }), row('S', 25)]))).toEqual([
    'unchanged',
    'changed',
    'unchanged',
  ]);
  expect(await stored('S')).toEqual(['16 8 booked', '18 8 booked', '23 8 cancelled', '25 8 booked', '30 8 booked']);
});

test('a session of a series that moved to another time or date within the file moves here too', async () => {
  await run([row('M', 16), row('M', 18), row('M', 20)]);
  expect(outcomes(await run([row('M', 16, { hour: 9 }), row('M', 19), row('M', 20)]))).toEqual([
    'changed',
    'changed',
    'unchanged',
  ]);
  expect(await stored('M')).toEqual(['16 9 booked', '19 8 booked', '20 8 booked']);
});

test('given a session of a series that moved beyond the dates of the file, then the new one is listed for review', async () => {
  const listed = (result: ImportResult) => result.outcomes.filter((o) => o.notes?.includes('off_series'));
  await run([row('N', 12), row('N', 16), row('N', 18), row('N', 19)]);
  // The 19th, a Thursday, moved to Tuesday the 24th. The file cannot say so: it begins on the 23rd.
  const next = [row('N', 23), row('N', 24), row('N', 25), row('N', 30), row('N', 27, { status: 'Cancelled' })];
  const result = await run(next);
  expect(outcomes(result)).toEqual(['new', 'new', 'new', 'new', 'new']);
  expect(listed(result).map(({ original }) => original)).toEqual([row('N', 24)]);
  expect(listed(result)[0]?.text).toContain('if it was moved from a date before this file, cancel it there');
  expect(listed(await run(next))).toEqual([]);
  // A file that begins before the session moved says it all, and a whole series at another time moved nothing.
  expect(outcomes(await run([row('N', 12), row('N', 16), row('N', 18), row('N', 20), ...next]))[3]).toBe('changed');
  const other = [row('N', 2, { hour: 10 }), row('N', 9, { hour: 10 })].map((each) => each.replaceAll('11/', '12/'));
  expect(listed(await run(other))).toEqual([]);
});

test('given a series that an earlier release imported, by numbers, then its sessions are found again by their dates', async () => {
  await run([row('L', 16), row('L', 18)]);
  for (const [from, to] of [
    ['id:L on 2026-11-16', 'id:L'],
    ['id:L on 2026-11-18', 'id:L#2'],
  ] as const)
    await weeks.db.updateTable('import_row').set({ key: to }).where('key', '=', from).execute();
  expect(outcomes(await run([row('L', 18), row('L', 23)]))).toEqual(['unchanged', 'new']);
  expect(await stored('L')).toEqual(['16 8 booked', '18 8 booked', '23 8 booked']);
});

test('given a session of a series that was moved here to a date outside the file, then it is not imported again', async () => {
  await run([row('H', 16), row('H', 18)]);
  await weeks.db
    .updateTable('appointment')
    .set((eb) => ({ starts: '2026-11-27 08:00:00', ends: '2026-11-27 08:45:00', version: eb('version', '+', 1) }))
    .where('wire_id', '=', 'H')
    .where('starts', '=', '2026-11-16 08:00:00')
    .execute();
  expect(outcomes(await run([row('H', 16), row('H', 18)]))).toEqual(['unchanged', 'unchanged']);
  expect(outcomes(await run([row('H', 16, { status: 'Cancelled' }), row('H', 18)]))).toEqual(['kept', 'unchanged']);
  expect(await stored('H')).toEqual(['18 8 booked', '27 8 booked']);
});

test('an Id that has one date here and another in the file is a session that moved', async () => {
  await run([row('O', 16), row('O', 16, { hour: 11 })]);
  expect(outcomes(await run([row('O', 24), row('O', 24, { hour: 11 })]))).toEqual(['changed', 'changed']);
  expect(await stored('O')).toEqual(['24 8 booked', '24 11 booked']);
});
