import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isoDate, minutesOf, overlaps } from '@clinic/domain';
import { slotsReply, wireAppointment } from './testing/sample-day.ts';
import { staffLines } from './staff-week.ts';
import {
  closedOn,
  facesIn,
  freeOf,
  hoursShort,
  minutesIn,
  personRows,
  readWeekDay,
  weekDates,
  weekWords,
} from './week.ts';

test.each([
  ['2026-03-08', '2026-03-02', '2026-03-08'],
  ['2026-03-09', '2026-03-09', '2026-03-15'],
  ['2026-11-01', '2026-10-26', '2026-11-01'],
  ['2026-11-02', '2026-11-02', '2026-11-08'],
  ['2026-12-31', '2026-12-28', '2027-01-03'],
])('the week of %s is from Monday %s to Sunday %s, whatever the clocks do', (date, monday, sunday) => {
  const dates = weekDates(isoDate(date));
  expect(dates).toHaveLength(7);
  expect([dates[0], dates[6]]).toEqual([monday, sunday]);
  expect(new Set(dates).size).toBe(7);
});

test('a week is named by its dates, with the month and the year where they change', () => {
  expect(weekWords(isoDate('2026-11-18'))).toBe('Nov 16 - 22, 2026');
  expect(weekWords(isoDate('2026-12-01'))).toBe('Nov 30 - Dec 6, 2026');
  expect(weekWords(isoDate('2026-12-31'))).toBe('Dec 28, 2026 - Jan 3, 2027');
});

test('hours are said to the half hour', () => {
  expect([0, 30, 60, 150, 14].map(hoursShort)).toEqual(['0 h', '½ h', '1 h', '2½ h', '0 h']);
});

const CLOSURE = {
  id: '1',
  act: '1',
  location: 'altamonte' as const,
  from_date: '2026-11-19',
  from_time: '12:00',
  to_date: '2026-11-21',
  to_time: '10:00',
  name: 'Flooding',
  cause: null,
  holiday: false,
  by: null,
  at: '',
  cancelled: 0,
  booked: 0,
};

test('a closure is read from its start on the first date, all day between, and up to its end', () => {
  const on = (date: string) => closedOn([CLOSURE], 'altamonte', isoDate(date));
  expect(on('2026-11-18')).toEqual([]);
  expect(on('2026-11-19')).toEqual([{ name: 'Flooding', start: 720, end: 1440 }]);
  expect(on('2026-11-20')).toEqual([{ name: 'Flooding', start: 0, end: 1440 }]);
  expect(on('2026-11-21')).toEqual([{ name: 'Flooding', start: 0, end: 600 }]);
  expect(closedOn([CLOSURE], 'tampa', isoDate('2026-11-20'))).toEqual([]);
});

const DATE = isoDate('2026-11-20');
const therapist = (name: string) => ({ id: name, name, type: 'therapist' as const, credential: 'RBT' });
const free = (from: string, to: string, name = 'Ana Ruiz') => ({
  therapist_name: name,
  start_time: `2026-11-20T${from}:00`,
  end_time: `2026-11-20T${to}:00`,
  location: 'altamonte' as const,
});
const day = (over: Partial<Parameters<typeof readWeekDay>[1]>, closed: Parameters<typeof readWeekDay>[4] = []) =>
  readWeekDay(
    DATE,
    slotsReply({ people: [therapist('Ana Ruiz')], availabilities: [free('08:00', '17:00')], ...over }),
    'therapist',
    'Admin',
    closed,
  );

test('a person’s date says what is booked, what is free and why time is not, and keeps the bars of the day', () => {
  const on = day(
    {
      appointments: [wireAppointment({ Preferred_Provider_Name: 'Ana Ruiz' })],
      absences: [{ id: '1', name: 'Ana Ruiz', type: 'therapist', startTime: '15:00', endTime: '23:59' }],
    },
    [{ name: 'Flooding', start: 0, end: 480 }],
  );
  const [row] = personRows([on], 'therapist', 'Ana Ruiz', DATE, 'Altamonte');
  expect(row).toMatchObject({ id: DATE, name: 'Fri 20', stored: [], person: null });
  expect(row?.day).toMatchObject({ note: 'Today, 3 h, 4 h free', today: true, quiet: false });
  expect(row?.day?.said.map(({ words }) => words)).toEqual(['Away from 3:00 PM', 'Flooding: Altamonte is closed']);
});

test('a date on which a person has nothing is quiet', () => {
  const on = day({ availabilities: [] });
  expect(personRows([on], 'therapist', 'Ana Ruiz', null, 'Altamonte')[0]?.day).toMatchObject({ quiet: true, note: '' });
});

test('given any sessions, absences and closures, free time lies in the availability and meets none of them', () => {
  const at = fc
    .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 8 }))
    .map(([from, long]) => ({ start: 420 + from * 15, end: 420 + (from + long) * 15 }));
  fc.assert(
    fc.property(fc.array(at, { maxLength: 6 }), fc.array(at, { maxLength: 2 }), (sessions, closed) => {
      const text = (minutes: number) =>
        `${Math.floor(minutes / 60) % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${minutes < 720 ? 'AM' : 'PM'}`;
      const on = day(
        {
          appointments: sessions.map((each, i) =>
            wireAppointment({
              Id: String(i),
              Preferred_Provider_Name: 'Ana Ruiz',
              StartDateTime: `11/20/2026, ${text(each.start)}`,
              EndDateTime: `11/20/2026, ${text(each.end)}`,
            }),
          ),
        },
        closed.map((each) => ({ ...each, name: 'Flooding' })),
      );
      const row = on.rows.find(({ name }) => name === 'Ana Ruiz');
      if (!row) throw new Error('no row');
      const list = freeOf(row, on);
      for (const each of list) {
        expect([...sessions, ...closed].some((other) => overlaps(other, each))).toBe(false);
        expect(each.start >= 480 && each.end <= 1020).toBe(true);
      }
      expect(minutesIn(row, 'therapist', on).free).toBe(minutesOf(list));
    }),
    { numRuns: 200 },
  );
});

test('a child’s people are counted once each, without who is cancelled, away or not there', () => {
  const by = (Id: string, name: string, over: object = {}) =>
    wireAppointment({ Id, Preferred_Provider_Name: name, ...over });
  const on = day({
    appointments: [
      by('1', 'Ana Ruiz'),
      by('2', 'Ana Ruiz', { StartDateTime: '11/20/2026, 1:00 PM', EndDateTime: '11/20/2026, 2:00 PM' }),
      by('3', 'Kai Wood', { Subject: 'Supervision' }),
      by('4', 'Lin Park', { Appointment_Status: 'Cancelled' }),
      by('5', 'Max Dean', { needs_cover: true }),
      by('6', 'Unassigned', { StartDateTime: '11/20/2026, 3:00 PM', EndDateTime: '11/20/2026, 4:00 PM' }),
    ],
  });
  expect(facesIn([on], 'Bo Lee')).toBe(2);
});

test('everyone’s week adds up the dates, and marks who has something to settle', () => {
  const on = day({
    people: [therapist('Ana Ruiz'), therapist('Kai Wood')],
    appointments: [wireAppointment({ Preferred_Provider_Name: 'Ana Ruiz', clash: true })],
  });
  const next = { ...on, date: addDays(DATE, 1) };
  const lines = staffLines([on, next], 'therapist');
  expect(lines.map(({ name }) => name)).toEqual(['Ana Ruiz']);
  expect(lines[0]).toMatchObject({ settle: true, minutes: { sessions: 360 } });
});
