import { expect, test } from 'vitest';
import type { DaySheetReply, OwnWeek, WireAppointment } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import { CallList } from '../../testing/call-list.ts';
import { commitEveryone, propose } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { OneDay } from '../../testing/one-day.ts';
import { FRIDAY_MORNING } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';

/** Tests which manual changes open call lists. Today is Friday, November 20, 2026. */

const t = useApp(() => buildCoverApp({ config: FRIDAY_MORNING }));

/**
 * The people of one test, Ana and Bo. `first` is the date of their first session together; `last` is their last name.
 */
async function pair(first: string, last: string) {
  const day = new OneDay(t.db, first, last);
  const ana = await day.therapist('Ana');
  await day.client('Bo');
  const session = {
    location: day.on.location,
    client: day.name('Bo'),
    therapist: day.name('Ana'),
    subject: 'Direct Therapy',
    anyway: true,
  };
  const write = async (method: 'POST' | 'PUT', path: string, payload: object): Promise<string> => {
    const reply = await t.staff.call({ method, url: `/api/appointments${path}`, payload });
    expect(reply.statusCode, reply.body).toBeLessThan(300);
    return [reply.json<WireAppointment | WireAppointment[]>()].flat()[0]?.key ?? '';
  };
  /** Books the session from 10:00 to 11:00, and returns its key. */
  const book = (more: object = {}) =>
    write('POST', '', { ...session, date: first, start: '10:00', end: '11:00', ...more });
  const move = (key: string, to: object) => write('PUT', `/${key}`, { ...session, ...to });
  const linesOf = async (date: string): Promise<string[]> => {
    const { lines } = await new CallList(() => t.staff, { ...day.on, date: isoDate(date) }).list();
    return lines.filter(({ name }) => name.endsWith(last)).map(({ name, first: at }) => `${name} ${at}`);
  };
  return { day, ana, book, move, write, linesOf };
}

const openDays = async (after: string): Promise<string[]> =>
  (await t.db.selectFrom('call_day').select('date').where('date', '>', isoDate(after)).execute()).map((r) => r.date);

test('given a session booked on an empty day, then people must be told if the day is at most three days ahead and not past', async () => {
  const near = await pair('2026-11-23', 'Ames');
  await near.book();
  expect(await near.linesOf('2026-11-23')).toEqual(['Ana Ames 10:00', 'Bo Ames 10:00']);
  const far = await pair('2026-11-24', 'Bell');
  await far.book();
  expect([await far.linesOf('2026-11-24'), await openDays('2026-11-23')]).toEqual([[], []]);
  const past = await pair('2026-11-19', 'Birk');
  await past.book();
  const opened = await t.db.selectFrom('call_day').select('date').where('date', '<', isoDate('2026-11-20')).execute();
  expect(opened).toEqual([]);
});

test('given a weekly series that begins in two days, then people must be told only about its first session; once the series is cancelled, no one needs a call', async () => {
  const { book, move, write, linesOf } = await pair('2026-11-22', 'Cole');
  const key = await book({ weekly_until: '2026-12-20' });
  expect(await linesOf('2026-11-22')).toEqual(['Ana Cole 10:00', 'Bo Cole 10:00']);
  await move(key, { date: '2026-11-22', start: '12:00', end: '13:00', scope: 'following' });
  expect(await linesOf('2026-11-22')).toEqual(['Ana Cole 12:00', 'Bo Cole 12:00']);
  await write('POST', `/${key}/cancel`, { scope: 'following' });
  expect([await linesOf('2026-11-22'), await openDays('2026-11-23')]).toEqual([[], []]);
});

test('given a weekly series moved to begin tomorrow, then people must be told about tomorrow’s session and, once they know of it, about its cancellation', async () => {
  const { book, move, write, linesOf } = await pair('2026-11-25', 'Dorn');
  const key = await book({ weekly_until: '2026-12-16' });
  await move(key, { date: '2026-11-21', start: '10:00', end: '11:00', scope: 'following' });
  expect(await linesOf('2026-11-21')).toEqual(['Ana Dorn 10:00', 'Bo Dorn 10:00']);
  // Resets the day as if its list had never been opened and everyone already knew its sessions.
  for (const table of ['call_before', 'call_day'] as const)
    await t.db.deleteFrom(table).where('date', '=', isoDate('2026-11-21')).execute();
  expect(await linesOf('2026-11-21')).toEqual([]);
  await write('POST', `/${key}/cancel`, { scope: 'following' });
  expect(await linesOf('2026-11-21')).toEqual(['Ana Dorn 10:00', 'Bo Dorn 10:00']);
  expect(await openDays('2026-11-23')).toEqual([]);
});

test('given a booking that is taken back, then no one needs a call about it, except those who were told of it', async () => {
  const takeBack = async (key: string) => {
    const reply = await t.staff.call({ method: 'POST', url: `/api/appointments/${key}/take-back`, payload: {} });
    expect(reply.statusCode, reply.body).toBe(204);
  };
  const near = await pair('2026-11-23', 'Fox');
  const key = await near.book();
  await new CallList(() => t.staff, { ...near.day.on, date: isoDate('2026-11-23') }).told('Ana Fox');
  await takeBack(key);
  expect(await near.linesOf('2026-11-23')).toEqual(['Ana Fox 10:00']);
  const far = await pair('2026-11-24', 'Gray');
  await takeBack(await far.book());
  expect([await far.linesOf('2026-11-24'), await openDays('2026-11-23')]).toEqual([[], []]);
});

test('given a session booked on an empty Sunday, then the Today page, the day sheet, the therapist’s own page and the next workbook show it', async () => {
  const { day, ana, book, write } = await pair('2026-11-22', 'Eads');
  await day.therapist('Kai');
  await day.client('Mo');
  await book();
  const later = await t.staff.call({ url: '/api/calls/later?location=altamonte&date=2026-11-20' });
  expect(later.json<{ date: string; to_tell: number }[]>()).toContainEqual({ date: '2026-11-22', to_tell: 2 });
  const sheet = await t.staff.call({ url: '/api/calls/day-sheet', query: day.on });
  expect(sheet.json<DaySheetReply>().therapists.map(({ name }) => name)).toEqual(['Ana Eads']);
  const own = await t.signIn({ role: 'therapist', therapistId: ana, locations: ['altamonte'] });
  const { changes } = (await own.call({ url: '/api/me' })).json<OwnWeek>();
  expect(changes.map(({ say }) => say)).toEqual([
    ['Sunday, November 22, 2026: Can you come in for Bo Eads from 10:00 to 11:00?'],
  ]);
  await write('POST', '', {
    ...{ location: 'altamonte', date: day.on.date, subject: 'Direct Therapy', anyway: true },
    ...{ client: day.name('Mo'), therapist: day.name('Kai'), start: '13:00', end: '14:00' },
  });
  const { calls } = await commitEveryone(
    t.staff,
    await propose(t.staff, { client: day.name('Mo'), date: day.on.date }),
  );
  expect(calls.map(({ who }) => who)).toEqual(['Ana Eads', 'Family of Bo Eads']);
});
