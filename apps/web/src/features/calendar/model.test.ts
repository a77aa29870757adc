import { expect, test } from 'vitest';
import type { SlotsReply } from '@clinic/contract';
import type { PersonKind } from '@clinic/domain';
import { drawRow, selectionOf, needsCoverOf, touching } from './model.ts';
import { buildRows, findRows, readDay, type AwayWindow, type BaseRow } from './rows.ts';
import { slotsReply, wireAppointment as wire } from './testing/sample-day.ts';

const person = (name: string, type: PersonKind, credential?: string) => ({
  id: name,
  name,
  type,
  ...(credential ? { credential } : {}),
});
const rowsOf = (reply: SlotsReply, view: PersonKind = 'therapist') => buildRows(reply, readDay(reply, 'Admin'), view);
const away = (name: string, type: PersonKind, start = 0, end = 1440): AwayWindow => ({
  name,
  key: name.toLowerCase(),
  type,
  start,
  end,
});
const row = (rows: readonly BaseRow[], name: string): BaseRow => {
  const found = rows.find((r) => r.name === name);
  if (!found) throw new Error(`no row ${name}`);
  return found;
};

test('[CAL-05] each listed person has one row, booked or not, and so does a booked person who is not listed', () => {
  const reply = slotsReply({
    people: [person('Ana Ruiz', 'therapist', 'RBT'), person('Kai Wood', 'therapist', 'BT'), person('Bo Lee', 'client')],
    appointments: [wire(), wire({ Id: 'APT-2', Preferred_Provider_Name: 'Zoe Not Listed' })],
  });
  expect(rowsOf(reply).map((r) => r.name)).toEqual(['Ana Ruiz', 'Zoe Not Listed', 'Kai Wood']);
  expect(rowsOf(reply, 'client').map((r) => r.name)).toEqual(['Bo Lee']);
});

test('a person who has left the clinic keeps their row that day, but cannot be marked absent', () => {
  const reply = slotsReply({
    people: [{ ...person('Ana Ruiz', 'therapist', 'RBT'), former: true }, person('Kai Wood', 'therapist', 'BT')],
    appointments: [wire(), wire({ Id: 'APT-2', Preferred_Provider_Name: 'Unassigned' })],
    absences: [{ id: 'a', name: 'Ana Ruiz', type: 'therapist', startTime: '12:00', endTime: '23:59' }],
  });
  const rows = rowsOf(reply);
  expect(rows.map((r) => [r.name, r.person?.name ?? null, r.open, r.sessions.length, r.stored.length])).toEqual([
    ['Unassigned', null, true, 1, 0],
    ['Ana Ruiz', null, false, 1, 1],
    ['Kai Wood', 'Kai Wood', false, 0, 0],
  ]);
  expect(touching(row(rows, 'Ana Ruiz'), 'therapist', [away('Ana Ruiz', 'therapist')])).toHaveLength(1);
});

test('rows start with BCBAs and end with people who have nothing that day', () => {
  const reply = slotsReply({
    people: [
      person('Ana Ruiz', 'therapist', 'RBT'),
      person('Bea Cole', 'therapist', 'BT'),
      person('Tam Patel', 'therapist', 'BCBA'),
    ],
    appointments: [wire(), wire({ Id: '2', Preferred_Provider_Name: 'Tam Patel' })],
  });
  expect(rowsOf(reply).map((r) => r.name)).toEqual(['Tam Patel', 'Ana Ruiz', 'Bea Cole']);
});

test('two spellings of a name that differ only in case or spacing share one row', () => {
  const reply = slotsReply({
    people: [person('Ana Ruiz', 'therapist')],
    appointments: [wire({ Preferred_Provider_Name: ' ana  RUIZ' })],
  });
  expect(rowsOf(reply)).toHaveLength(1);
});

test('given sessions without a therapist, Therapist View has an Unassigned row at the top', () => {
  const reply = slotsReply({
    people: [person('Ana Ruiz', 'therapist')],
    appointments: [wire({ Preferred_Provider_Name: 'Unassigned' })],
  });
  expect(rowsOf(reply).map((r) => [r.name, r.person === null])).toEqual([
    ['Unassigned', true],
    ['Ana Ruiz', false],
  ]);
  expect(rowsOf(reply, 'client').map((r) => r.name)).toEqual(['Bo Lee']);
});

test('given a group without a therapist, its row and the whole day count the same number of sessions that need cover', () => {
  const group = { Preferred_Provider_Name: 'Unassigned', group: 'G1' };
  const reply = slotsReply({
    appointments: [
      wire(group),
      wire({ ...group, Id: '2', 'Client Name': 'Mo Diaz' }),
      wire({ ...group, Id: '3', 'Client Name': 'Ida Fox', Appointment_Status: 'Cancelled' }),
    ],
  });
  const open = row(rowsOf(reply), 'Unassigned');
  const cancelled = [away('Mo Diaz', 'client')];
  expect([drawRow(open, 'therapist', [], []).needsCover, needsCoverOf(readDay(reply, 'Admin'), []).sessions]).toEqual([
    2, 2,
  ]);
  expect([
    drawRow(open, 'therapist', cancelled, []).needsCover,
    needsCoverOf(readDay(reply, 'Admin'), cancelled).sessions,
  ]).toEqual([1, 1]);
});

test('given two pieces of one session without a therapist, they count as one in the row and for the day', () => {
  const piece = { Preferred_Provider_Name: 'Unassigned', part_of: 'whole' };
  const reply = slotsReply({
    appointments: [
      wire({ ...piece, key: 'one' }),
      wire({ ...piece, Id: '2', key: 'two', StartDateTime: '11/20/2026, 1:00 PM', EndDateTime: '11/20/2026, 2:00 PM' }),
    ],
  });
  const open = row(rowsOf(reply), 'Unassigned');
  expect(drawRow(open, 'therapist', [], []).needsCover).toBe(1);
  expect(needsCoverOf(readDay(reply, 'Admin'), []).sessions).toBe(1);
});

test('the administrative client has no row in Client View', () => {
  const reply = slotsReply({ appointments: [wire({ 'Client Name': 'Admin' })] });
  expect(rowsOf(reply, 'client')).toEqual([]);
});

test('overlapping sessions are stacked, each in its own lane', () => {
  const reply = slotsReply({
    appointments: [wire(), wire({ Id: '2', 'Client Name': 'Mo Diaz', StartDateTime: '11/20/2026, 9:00 AM' })],
  });
  const drawn = drawRow(row(rowsOf(reply), 'Ana Ruiz'), 'therapist', [], []);
  expect(drawn.lanes).toBe(2);
  expect(new Set(drawn.bars.map((b) => b.lane)).size).toBe(2);
});

test('a supervisor’s visit is drawn as a bracket of the same length on the direct session’s bar', () => {
  const reply = slotsReply({
    appointments: [
      wire(),
      wire({
        Id: '2',
        Subject: 'Supervision',
        Preferred_Provider_Name: 'Tam Patel',
        StartDateTime: '11/20/2026, 9:30 AM',
        EndDateTime: '11/20/2026, 10:30 AM',
      }),
    ],
  });
  const [bar] = drawRow(row(rowsOf(reply), 'Ana Ruiz'), 'therapist', [], []).bars;
  expect(bar?.brackets).toEqual([{ from: 10, to: 14 }]);
});

test('a group is one bar in Therapist View and one bar per client in Client View', () => {
  const group = { group: 'G1' };
  const reply = slotsReply({ appointments: [wire(group), wire({ ...group, Id: '2', 'Client Name': 'Mo Diaz' })] });
  expect(drawRow(row(rowsOf(reply), 'Ana Ruiz'), 'therapist', [], []).bars).toHaveLength(1);
  expect(rowsOf(reply, 'client').map((r) => r.name)).toEqual(['Bo Lee', 'Mo Diaz']);
});

test('[CAL-06] a selected therapist is marked as away, and their sessions during the absence need cover', () => {
  const reply = slotsReply({ appointments: [wire()] });
  const base = row(rowsOf(reply), 'Ana Ruiz');
  const selected = [away('Ana Ruiz', 'therapist', 0, 600)];
  expect(selectionOf(base, 'therapist', selected)).toEqual(selected);
  const drawn = drawRow(base, 'therapist', selected, []);
  expect(drawn.bars.map((b) => [b.kind, b.joins])).toEqual([
    ['open', 'right'],
    ['booked', 'left'],
  ]);
  expect(drawn.away).toEqual([{ from: 0, to: 12 }]);
});

test('[CAL-06] given two windows of one person, selected or recorded, each is drawn by itself and the time between stays', () => {
  const reply = slotsReply({ appointments: [wire()], people: [person('Ana Ruiz', 'therapist')] });
  const windows = [
    away('Ana Ruiz', 'therapist', 480, 540),
    away('Ana Ruiz', 'therapist', 540, 570),
    away('Ana Ruiz', 'therapist', 660, 720),
  ];
  const spans = [
    { from: 4, to: 8 },
    { from: 8, to: 10 },
    { from: 16, to: 20 },
  ];
  const selected = drawRow(row(rowsOf(reply), 'Ana Ruiz'), 'therapist', windows, []);
  expect(selected.away).toEqual(spans);
  expect(selected.bars.map((b) => b.kind)).toEqual(['open', 'booked', 'open']);
  const absences = [
    ['08:00', '09:00'],
    ['09:00', '09:30'],
    ['11:00', '12:00'],
  ].map(([startTime = '', endTime = ''], i) => {
    return { id: String(i), name: 'Ana Ruiz', type: 'therapist' as const, startTime, endTime };
  });
  expect(drawRow(row(rowsOf({ ...reply, absences }), 'Ana Ruiz'), 'therapist', [], []).away).toEqual(spans);
});

test('a selected absence affects only the person’s own row and the rows that share the person’s sessions', () => {
  const reply = slotsReply({
    people: [person('Kai Wood', 'therapist')],
    appointments: [wire(), wire({ Id: '2', Preferred_Provider_Name: 'Kai Wood', 'Client Name': 'Mo Diaz' })],
  });
  const rows = rowsOf(reply);
  const selected = [away('Bo Lee', 'client'), away('Kai Wood', 'therapist')];
  expect(touching(row(rows, 'Ana Ruiz'), 'therapist', selected)).toEqual([selected[0]]);
  expect(touching(row(rows, 'Kai Wood'), 'therapist', selected)).toEqual([selected[1]]);
});

test('a covered session’s bar names the booked therapist, and a trace of the session stays in that therapist’s row', () => {
  const cover = { booked_with: 'Ana Ruiz', Preferred_Provider_Name: 'Kai Wood' };
  const reply = slotsReply({
    people: [person('Ana Ruiz', 'therapist'), person('Kai Wood', 'therapist')],
    appointments: [
      wire(cover),
      wire({
        Id: '2',
        booked_with: 'Ana Ruiz',
        Preferred_Provider_Name: 'Unassigned',
        'Client Name': 'Mo Diaz',
        StartDateTime: '11/20/2026, 1:00 PM',
        EndDateTime: '11/20/2026, 2:00 PM',
      }),
      wire({ ...cover, Id: '3', Appointment_Status: 'Cancelled', 'Client Name': 'Ida Fox' }),
    ],
  });
  const rows = rowsOf(reply);
  const kai = drawRow(row(rows, 'Kai Wood'), 'therapist', [], []);
  expect(kai.bars.map((b) => [b.name, b.cover])).toEqual([
    ['Bo Lee for Ana Ruiz, 8:30 AM - 11:30 AM', true],
    ['Ida Fox Cancelled, 8:30 AM - 11:30 AM', false],
  ]);
  expect(kai.traces).toEqual([]);
  expect(drawRow(row(rows, 'Unassigned'), 'therapist', [], []).bars.map((b) => [b.kind, b.more, b.cover])).toEqual([
    ['open', 'needs cover', false],
  ]);
  expect(
    drawRow(row(rows, 'Ana Ruiz'), 'therapist', [], []).traces.map((t) => [t.name, t.label, t.from, t.to]),
  ).toEqual([
    ['Bo Lee, 8:30 AM - 11:30 AM, now with Kai Wood', 'Bo Lee', 6, 18],
    ['Mo Diaz, 1:00 PM - 2:00 PM, now unassigned', 'M. Diaz', 24, 28],
  ]);
  const [bar] = drawRow(row(rowsOf(reply, 'client'), 'Bo Lee'), 'client', [], []).bars;
  expect(bar?.name).toBe('Kai Wood for Ana Ruiz, 8:30 AM - 11:30 AM');
});

test('a session that nobody had has the corner of a cover once somebody covers it, and not while it is open', () => {
  const cover = { had_nobody: true, Preferred_Provider_Name: 'Kai Wood' };
  const people = [person('Kai Wood', 'therapist')];
  const drawn = (more: object) =>
    drawRow(
      row(rowsOf(slotsReply({ people, appointments: [wire({ ...cover, ...more })] })), 'Kai Wood'),
      'therapist',
      [],
      [],
    );
  expect(drawn({}).bars.map((b) => [b.name, b.cover])).toEqual([['Bo Lee, 8:30 AM - 11:30 AM', true]]);
  expect(drawn({ had_nobody: false }).bars.map((b) => b.cover)).toEqual([false]);
  expect(drawn({ Appointment_Status: 'Cancelled' }).bars.map((b) => b.cover)).toEqual([false]);
});

test('a covered group session leaves one trace in the booked therapist’s row', () => {
  const cover = { booked_with: 'Ana Ruiz', Preferred_Provider_Name: 'Kai Wood', group: 'G1' };
  const reply = slotsReply({
    people: [person('Ana Ruiz', 'therapist')],
    appointments: [wire(cover), wire({ ...cover, Id: '2', 'Client Name': 'Mo Diaz' })],
  });
  expect(row(rowsOf(reply), 'Ana Ruiz').traces.map((t) => t.label)).toEqual(['Bo Lee, Mo Diaz']);
});

test('given stored and selected absences, each session that needs cover counts once', () => {
  const reply = slotsReply({
    absences: [{ id: 'a', name: 'Ana Ruiz', type: 'therapist', startTime: '00:00', endTime: '23:59' }],
    appointments: [
      wire({ needs_cover: true, uncovered: [{ start: '08:30', end: '11:30' }] }),
      wire({ Id: '2', Preferred_Provider_Name: 'Kai Wood', 'Client Name': 'Mo Diaz' }),
      wire({
        Id: '3',
        Preferred_Provider_Name: 'Kai Wood',
        'Client Name': 'Admin',
        StartDateTime: '11/20/2026, 1:00 PM',
        EndDateTime: '11/20/2026, 2:00 PM',
      }),
    ],
  });
  const day = readDay(reply, 'Admin');
  expect(needsCoverOf(day, [])).toEqual({ sessions: 1, minutes: 180 });
  expect(needsCoverOf(day, [away('Kai Wood', 'therapist')])).toEqual({ sessions: 2, minutes: 360 });
  expect(needsCoverOf(day, [away('Ana Ruiz', 'therapist', 510, 570)])).toEqual({ sessions: 1, minutes: 60 });
  expect(needsCoverOf(day, [away('Bo Lee', 'client')])).toEqual({ sessions: 0, minutes: 0 });
});

test('rows are found by any part of the name, ignoring accents and case', () => {
  const rows = rowsOf(slotsReply({ people: [person('Óscar Núñez', 'therapist'), person('Ana Ruiz', 'therapist')] }));
  expect(findRows(rows, 'nun OSC').map((r) => r.name)).toEqual(['Óscar Núñez']);
  expect(findRows(rows, 'ana núñez')).toEqual([]);
  expect(findRows(rows, '  ')).toBe(rows);
});

test('the work to build the rows grows linearly with the number of people, up to 1,000', () => {
  const count = (n: number): number => {
    let reads = 0;
    const people = Array.from({ length: n }, (_, i) => person(`Person ${i}`, 'therapist'));
    const appointments = people.map((p, i) => {
      const each = wire({ Id: `A${i}`, 'Client Name': `Client ${i}` });
      Object.defineProperty(each, 'Preferred_Provider_Name', { get: () => (reads++, p.name) });
      return each;
    });
    rowsOf(slotsReply({ people, appointments }));
    return reads;
  };
  expect(count(1000)).toBeLessThanOrEqual(count(100) * 10.5);
});
