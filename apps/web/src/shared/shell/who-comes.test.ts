import type { CallsReply, WireAppointment } from '@clinic/contract';
import { isoDate } from '@clinic/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wholeDay } from '../api/whole-day.ts';
import { comesLines, whoAsked, type Whose } from './who-comes.ts';

const FRIDAY = isoDate('2026-11-20');
const person = (name: string, type: Whose['type'] = 'client'): Whose => ({
  id: name,
  name,
  type,
  location: 'altamonte',
});
const PEOPLE = [person('Maria Lopez'), person('Ben Shaw', 'therapist'), person('María Ruiz', 'therapist')];
const asked = (typed: string) => whoAsked(typed, PEOPLE, () => FRIDAY).map(({ name, date }) => [name, date]);

test.each([
  ['maria lopez thursday', [['Maria Lopez', '2026-11-26']]],
  ['ben dec 3', [['Ben Shaw', '2026-12-03']]],
  [
    'maria tomorrow',
    [
      ['Maria Lopez', '2026-11-21'],
      ['María Ruiz', '2026-11-21'],
    ],
  ],
  ['Maria Lopez on mon', [['Maria Lopez', '2026-11-23']]],
  ['thursday maria lopez', [['Maria Lopez', '2026-11-26']]],
  ['Who comes to Maria Lopez on Thursday?', [['Maria Lopez', '2026-11-26']]],
  ['who is with ben dec 3', [['Ben Shaw', '2026-12-03']]],
  ['who', []],
  ['ben', []],
  ['thursday', []],
  ['b thu', []],
  ['nobody thu', []],
])('“%s” asks about %j', (typed, found) => {
  expect(asked(typed)).toEqual(found);
});

test('whatever is typed, only people whose name fits are asked about', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('maria', 'ben', 'on', 'dec', '3', 'thu', 'x', 'tomorrow'), { maxLength: 5 }),
      (words) => {
        for (const { name } of whoAsked(words.join(' '), PEOPLE, () => FRIDAY))
          expect(words.some((word) => name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').includes(word))).toBe(
            true,
          );
      },
    ),
  );
});

const session = (start: string, end: string, more: Partial<WireAppointment> = {}): WireAppointment => ({
  Id: start,
  key: start,
  'Client Name': 'Maria Lopez',
  Preferred_Provider_Name: 'Ben Shaw',
  StartDateTime: `11/20/2026, ${start}`,
  EndDateTime: `11/20/2026, ${end}`,
  Subject: 'Direct Therapy',
  Appointment_Status: 'Confirmed',
  Location: 'Altamonte',
  'Location Group': 'Central Florida',
  ...more,
});
const NO_CALLS = { lines: [] } as unknown as CallsReply;
const lines = (whose: Whose, appointments: WireAppointment[], more: object = {}, calls = NO_CALLS) =>
  comesLines(
    whose,
    wholeDay({ appointments, availabilities: [], ...more }, { location: 'altamonte', date: FRIDAY }),
    calls,
  );

test('a session is one line with who comes, in the order of the day', () => {
  const all = [session('1:00 PM', '2:00 PM', { Preferred_Provider_Name: 'Ana Ruiz' }), session('8:00 AM', '10:00 AM')];
  expect(lines(PEOPLE[0]!, all)).toEqual(['8:00 AM - 10:00 AM: Ben Shaw', '1:00 PM - 2:00 PM: Ana Ruiz']);
  expect(lines(PEOPLE[1]!, all)).toEqual(['8:00 AM - 10:00 AM: Maria Lopez']);
  expect(lines(PEOPLE[1]!, [])).toEqual(['No session at Altamonte']);
});

test('given time without a therapist, it says so, and names nobody for a session that is open as a whole', () => {
  const open = (start: string, end: string) => ({ needs_cover: true, uncovered: [{ start, end }] });
  expect(lines(PEOPLE[0]!, [session('8:00 AM', '10:00 AM', open('08:00', '10:00'))])).toEqual([
    '8:00 AM - 10:00 AM: needs cover',
  ]);
  expect(lines(PEOPLE[0]!, [session('8:00 AM', '10:00 AM', open('09:00', '10:00'))])).toEqual([
    '8:00 AM - 10:00 AM: Ben Shaw, needs cover 9:00 AM - 10:00 AM',
  ]);
  const nobody = session('8:00 AM', '10:00 AM', { Preferred_Provider_Name: 'Unassigned' });
  expect(lines(PEOPLE[0]!, [nobody])).toEqual(['8:00 AM - 10:00 AM: needs cover']);
});

test('given a therapist who was asked and has not said yes, the session is not agreed yet', () => {
  const calls = { lines: [{ call: 'ask', sessions: [{ key: '8:00 AM' }] }] } as unknown as CallsReply;
  expect(lines(PEOPLE[0]!, [session('8:00 AM', '10:00 AM')], {}, calls)).toEqual([
    '8:00 AM - 10:00 AM: Ben Shaw, not agreed yet',
  ]);
});

test('given a client who is away, or a cancelled session, it says so', () => {
  const absences = [{ id: '1', name: 'Maria Lopez', type: 'client', startTime: '00:00', endTime: '09:00' }];
  expect(lines(PEOPLE[0]!, [session('8:00 AM', '10:00 AM')], { absences })).toEqual([
    '8:00 AM - 10:00 AM: Ben Shaw, the child is away, not cancelled yet',
  ]);
  expect(lines(PEOPLE[0]!, [session('8:00 AM', '10:00 AM', { Appointment_Status: 'Cancelled' })])).toEqual([
    '8:00 AM - 10:00 AM: cancelled',
  ]);
});
