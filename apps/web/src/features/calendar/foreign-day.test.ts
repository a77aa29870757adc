import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatWireDateTime } from '@clinic/contract';
import { formatTime, isoDate, startSlot, DAY_END, DAY_START } from '@clinic/domain';
import { wholeDay } from '../../shared/api/whole-day.ts';
import { unreadWords } from './components/unread-rows.tsx';
import { drawRow } from './model.ts';
import { buildRows, readDay } from './rows.ts';
import { wireAppointment as wire } from './testing/sample-day.ts';

/** Days as other back ends send them: only the fields of the specification, in their own forms. */
const ON = { location: 'altamonte', date: isoDate('2026-11-20') } as const;
const read = (appointments: unknown[], more: object = {}) =>
  wholeDay({ appointments, availabilities: [], ...more } as never, ON);
const timesOf = (appointments: unknown[]): string[] =>
  readDay(read(appointments), 'Admin').appointments.map((a) => `${formatTime(a.start)}-${formatTime(a.end)}`);
const NARROW = '\u202F';

test.each([
  ['11/20/2026, 8:00 AM', '11/20/2026, 9:30 AM'],
  ['11/20/2026, 8:00:00 AM', '11/20/2026, 9:30:00 AM'],
  [`11/20/2026, 8:00${NARROW}AM`, `11/20/2026, 9:30${NARROW}AM`],
  ['11/20/2026 08:00', '11/20/2026 09:30'],
  ['2026-11-20T08:00:00', '2026-11-20T09:30:00'],
  ['2026-11-20T08:00', '2026-11-20 09:30:00.000'],
  ['2026-11-20T13:00:00Z', '2026-11-20T14:30:00.000Z'],
  ['2026-11-20T08:00:00-05:00', '2026-11-20T15:30:00+0100'],
  ['2026-11-20 8:00 AM', '2026-11-20 9:30 a.m.'],
  ['8:00 AM', '09:30'],
])('[CAL-14] the times %s to %s are read as 8:00 to 9:30', (StartDateTime, EndDateTime) => {
  expect(timesOf([wire({ StartDateTime, EndDateTime })])).toEqual(['08:00-09:30']);
});

test('[CAL-13] a session is on its own date only, and one over midnight has on each date its part of it', () => {
  const at = (StartDateTime: string, EndDateTime: string) => wire({ Id: StartDateTime, StartDateTime, EndDateTime });
  expect(timesOf([at('11/21/2026, 8:30 AM', '11/21/2026, 9:30 AM')])).toEqual([]);
  expect(timesOf([at('2026-11-19T08:30:00', '2026-11-19T09:30:00')])).toEqual([]);
  expect(timesOf([at('11/20/2026, 6:00 PM', '11/21/2026, 1:00 AM')])).toEqual(['18:00-24:00']);
  expect(timesOf([at('11/19/2026, 10:00 PM', '11/20/2026, 7:30 AM')])).toEqual(['00:00-07:30']);
  expect(timesOf([at('11/20/2026, 6:00 PM', '11/20/2026, 12:00 AM')])).toEqual(['18:00-24:00']);
  // 10:30 PM UTC on the day before is 5:30 PM there, on that day.
  expect(timesOf([at('2026-11-19T22:30:00Z', '2026-11-19T23:30:00Z')])).toEqual([]);
  // A session of another day is no session that could not be read.
  expect(read([at('11/21/2026, 8:30 AM', '11/21/2026, 9:30 AM')]).unread.sessions).toBe(0);
});

test('[CAL-09] what cannot be read is counted, and everything else is shown', () => {
  const day = read(
    [null, 'x', {}, wire({ StartDateTime: 'soon' }), wire({ EndDateTime: '11/20/2026, 8:00 AM' }), wire()],
    {
      availabilities: [null, { therapist_name: 'Kai Wood', start_time: '8:00 AM', end_time: '2026-11-20T16:00:00' }],
      absences: [
        { name: 'Ana Ruiz', type: 'Therapist', startTime: '8:00 AM', endTime: '12:00:00' },
        { name: 'Lin Park' },
      ],
      people: null,
      closed: [null, { start: 'noon', end: '15:00', name: '' }, { start: '12:00', end: '15:00', name: 'Burst pipe' }],
    },
  );
  expect(day.closed).toEqual([{ start: '12:00', end: '15:00', name: 'Burst pipe' }]);
  expect(day.unread).toEqual({ sessions: 5, availabilities: 1, absences: 1 });
  expect(unreadWords(day.unread)).toEqual(['5 sessions', '1 available time', '1 absence']);
  expect(unreadWords({ sessions: 1, availabilities: 0, absences: 0 })).toEqual(['1 session']);
  expect(day.absences).toMatchObject([{ name: 'Ana Ruiz', type: 'therapist', startTime: '08:00', endTime: '12:00' }]);
  const rows = buildRows(day, readDay(day, 'Admin'), 'therapist');
  expect(rows.map(({ name, sessions, available }) => [name, sessions.length, available])).toEqual([
    ['Ana Ruiz', 1, []],
    ['Kai Wood', 0, [{ start: 480, end: 960 }]],
  ]);
  // What was removed is neither shown nor missing.
  expect(read([wire({ Appointment_Status: 'DELETED', StartDateTime: '' })]).unread.sessions).toBe(0);
});

test('[CAL-10] a status is read in any letter case, and shown as it came', () => {
  const words = (Appointment_Status: string) =>
    readDay(read([wire({ Appointment_Status })]), 'Admin').appointments.map((a) => [a.status, a.statusText]);
  expect(words('CONFIRMED')).toEqual([['booked', 'CONFIRMED']]);
  expect(words('no-show')).toEqual([['noshow', 'no-show']]);
  expect(words('CANCELED')).toEqual([['cancelled', 'CANCELED']]);
  expect(words('Waiting for parent')).toEqual([[null, 'Waiting for parent']]);
  expect(words('Deleted')).toEqual([]);
});

test('a day of our own server is read as it is', () => {
  const uncovered = [{ start: '08:30', end: '10:00' }];
  const own = wire({ key: 'k', version: 3, service: 'direct', needs_cover: true, uncovered, group: null, clash: true });
  const availabilities = [
    {
      therapist_name: 'Ana Ruiz',
      start_time: '2026-11-20T08:00:00',
      end_time: '2026-11-21T00:00:00',
      location: 'altamonte',
    },
  ];
  const absences = [
    { id: 'a', name: 'Ana Ruiz', type: 'therapist', startTime: '08:07', endTime: '23:59', former: true, untold: true },
  ];
  const people = [{ id: 'T-1', name: 'Ana Ruiz', type: 'therapist', credential: 'BCBA', former: true }];
  const reply = {
    appointments: [own],
    availabilities,
    absences,
    people,
    to_cancel: 2,
    version: 7,
    now: '2026-11-20T08:00:00',
  };
  const unread = { sessions: 0, availabilities: 0, absences: 0 };
  expect(wholeDay(reply as never, ON)).toEqual({ ...reply, unread });
});

describe('[CAL-09] given any broken reply with good rows in it', () => {
  const broken = fc.oneof(fc.anything(), fc.constantFrom(null, '', [], {}, 0, '11/20/2026', '24:61', '__proto__'));
  const fields = [...Object.keys(wire()), 'uncovered', 'group', 'loss', 'booked_with', 'service', 'key', 'needs_cover'];
  /** A row of which some fields are of another kind. */
  const damaged = fc
    .dictionary(fc.constantFrom(...fields), broken, { maxKeys: 4 })
    .map((over) => ({ ...wire({ Id: 'damaged' }), ...over }));
  const good = fc
    .uniqueArray(fc.tuple(fc.integer({ min: DAY_START, max: DAY_END - 30 }), fc.integer({ min: 15, max: 90 })), {
      maxLength: 6,
    })
    .map((list) =>
      list.map(([start, long], i) => ({
        start,
        row: wire({
          Id: `good-${i}`,
          'Client Name': `Good ${i}`,
          StartDateTime: formatWireDateTime(ON.date, start),
          EndDateTime: formatWireDateTime(ON.date, start + long),
        }),
      })),
    );
  const lists = ['absences', 'people', 'version', 'now', 'to_cancel'];
  test('[CAL-13] then the day is drawn without an error, and every good row has its bar where it starts', () => {
    fc.assert(
      fc.property(
        good,
        fc.array(fc.oneof(broken, damaged), { maxLength: 8 }),
        fc.array(broken, { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...lists), fc.oneof(broken, fc.array(broken, { maxLength: 3 }))),
        (rows, others, availabilities, more) => {
          const appointments = [...others.slice(0, 3), ...rows.map(({ row }) => row), ...others.slice(3)];
          const day = wholeDay({ ...more, appointments, availabilities } as never, ON);
          const read = readDay(day, 'Admin');
          const bars = (['therapist', 'client'] as const).map((view) =>
            buildRows(day, read, view).flatMap((row) => drawRow(row, view, [], read.stored).bars),
          );
          expect(day.unread.sessions).toBeLessThanOrEqual(others.length);
          for (const { start, row } of rows) {
            const own = bars.map((list) =>
              list.filter(({ appointments: [first] }) => first?.id === row.Id).map(({ from }) => from),
            );
            expect(own).toEqual([[startSlot(start)], [startSlot(start)]]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
