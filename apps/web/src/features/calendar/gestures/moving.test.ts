import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_END, DAY_START, isoDate, overlaps, type Interval } from '@clinic/domain';
import { slotsReply, wireAppointment } from '../testing/sample-day.ts';
import { readAvailable, readDay } from '../rows.ts';
import { keyOf, type CalendarAppointment } from '../appointments.ts';
import type { Ground } from './blocks.ts';
import { Moving, type Held, type Shift, type Spot } from './moving.ts';

const at = (hour: number, minute = 0): number => hour * 60 + minute;
const clock = (minutes: number): string =>
  `${Math.floor(minutes / 60) % 12 || 12}:${String(minutes % 60).padStart(2, '0')} ${minutes < 720 ? 'AM' : 'PM'}`;

const appointment = (key: string, client: string, start: number, end: number, over: object = {}) =>
  wireAppointment({
    Id: key,
    key,
    version: 1,
    'Client Name': client,
    StartDateTime: `11/20/2026, ${clock(start)}`,
    EndDateTime: `11/20/2026, ${clock(end)}`,
    ...over,
  });

const free = (start: number, end: number, name = 'Ana Ruiz') => ({
  therapist_name: name,
  start_time: `2026-11-20T${String(Math.floor(start / 60)).padStart(2, '0')}:${String(start % 60).padStart(2, '0')}:00`,
  end_time: `2026-11-20T${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}:00`,
  location: 'altamonte' as const,
});

function ground(over: Parameters<typeof slotsReply>[0] = {}, more: Partial<Ground> = {}): Ground {
  const reply = slotsReply({ availabilities: [free(at(8), at(17))], ...over });
  const available = readAvailable(reply);
  return {
    date: isoDate('2026-11-20'),
    day: readDay(reply, 'Admin'),
    availableOf: (name) => available.get(keyOf(name)) ?? [],
    closed: [],
    therapist: 'Ana Ruiz',
    words: 'on Fri 20',
    ...more,
  };
}

const sessionIn = ({ day }: Ground, key: string): CalendarAppointment => {
  const found = day.appointments.find((each) => each.key === key);
  if (!found) throw new Error('no such session');
  return found;
};

const MORNING = [appointment('a', 'Bo Lee', at(9), at(11)), appointment('b', 'Mo Diaz', at(13), at(14))];
const moving = (kind: Held['kind'], grounds: readonly Ground[] = [ground({ appointments: MORNING })]): Moving => {
  const session = kind === 'draw' || !grounds[0] ? null : sessionIn(grounds[0], 'a');
  const from = session
    ? { row: 0, start: session.start, end: session.end }
    : { row: 0, start: at(11, 30), end: at(11, 45) };
  return new Moving({ kind, session, from }, grounds);
};

test('a session that meets another of the therapist’s is refused, with the name and the time, and where it fits', () => {
  const held = moving('move');
  const verdict = held.at({ row: 0, start: at(12), end: at(14) });
  expect(verdict).toMatchObject({
    why: 'Ana Ruiz is with Mo Diaz from 1:00 PM',
    hits: [{ start: at(13), end: at(14) }],
  });
  expect(held.instead({ row: 0, start: at(12), end: at(14) })).toBe('2 h fit here from 8:00 AM.');
  expect(held.at({ row: 0, start: at(10, 30), end: at(12, 30) })).toMatchObject({
    why: null,
    words: '10:30 - 12:30, same hours',
  });
});

test.each([
  ['the therapist works later', { start: at(7), end: at(9) }, 'Ana Ruiz works from 8:00 AM', {}, {}],
  ['the therapist works no longer', { start: at(16), end: at(18) }, 'Ana Ruiz works until 5:00 PM', {}, {}],
  [
    'the therapist is away',
    { start: at(15), end: at(17) },
    'Ana Ruiz is away from 4:00 PM',
    { absences: [{ id: '1', name: 'Ana Ruiz', type: 'therapist' as const, startTime: '16:00', endTime: '23:59' }] },
    {},
  ],
  [
    'the child is away',
    { start: at(15), end: at(17) },
    'Bo Lee is away from 4:00 PM',
    { absences: [{ id: '1', name: 'Bo Lee', type: 'client' as const, startTime: '16:00', endTime: '23:59' }] },
    {},
  ],
  [
    'the child is with someone else',
    { start: at(15), end: at(17) },
    'Bo Lee is with Kai Wood from 4:00 PM',
    { appointments: [...MORNING, appointment('c', 'Bo Lee', at(16), at(17), { Preferred_Provider_Name: 'Kai Wood' })] },
    {},
  ],
  [
    'the location is closed',
    { start: at(15), end: at(17) },
    'Flooding: closed then',
    {},
    { closed: [{ name: 'Flooding', start: at(16), end: 1440 }] },
  ],
  [
    'no one works that day',
    { start: at(15), end: at(17) },
    'Ana Ruiz does not work that day',
    { availabilities: [] },
    {},
  ],
])('when %s, the reason says so', (_, place, why, reply, more) => {
  const held = moving('move', [ground({ appointments: MORNING, ...reply }, more)]);
  expect(held.at({ row: 0, ...place }).why).toBe(why);
});

test('a session may stay where it breaks a rule already, and administrative time may lie over care', () => {
  const early = ground({ appointments: [appointment('a', 'Bo Lee', at(7), at(9))] });
  expect(moving('move', [early]).at({ row: 0, start: at(7), end: at(9) }).why).toBeNull();
  const admin = ground({
    appointments: [appointment('a', 'Admin', at(9), at(10)), MORNING[1] ?? appointment('b', '', 0, 1)],
  });
  expect(moving('move', [admin]).at({ row: 0, start: at(13), end: at(14) }).why).toBeNull();
});

test('of two sessions of a child at once, one may be moved beside the other', () => {
  const twice = ground({
    appointments: [
      appointment('a', 'Bo Lee', at(9), at(11)),
      appointment('b', 'Bo Lee', at(9), at(11), { Preferred_Provider_Name: 'Kai Wood' }),
    ],
  });
  expect(moving('move', [twice]).at({ row: 0, start: at(9, 30), end: at(11, 30) }).why).toBeNull();
});

test('a pulled end stops at what is in the way, and a drawn time at both sides', () => {
  expect(moving('end').at({ row: 0, start: at(9), end: at(13, 30) })).toMatchObject({
    why: 'Ana Ruiz is with Mo Diaz from 1:00 PM',
    spot: { start: at(9), end: at(13) },
    words: '9:00 - 1:00, +2 h',
  });
  expect(moving('start').at({ row: 0, start: at(7), end: at(11) }).spot.start).toBe(at(8));
  expect(moving('draw').at({ row: 0, start: at(10), end: at(16) }).spot).toEqual({
    row: 0,
    start: at(11),
    end: at(13),
  });
  expect(moving('end').at({ row: 0, start: at(9), end: at(10) })).toMatchObject({
    why: null,
    words: '9:00 - 10:00, -1 h',
  });
});

test('the next place is the next free time, over the rows and round', () => {
  const held = moving('move', [ground({ appointments: MORNING }), ground({ appointments: [] })]);
  const first = held.next({ row: 0, start: at(9), end: at(11) });
  expect(first).toEqual({ row: 0, start: at(14), end: at(16) });
  const second = held.next(first);
  expect(second).toEqual({ row: 1, start: at(8), end: at(10) });
  expect(held.next(second)).toEqual({ row: 0, start: at(8), end: at(10) });
});

const quarter = fc.integer({ min: 0, max: 46 }).map((slot) => DAY_START + slot * 15);
const times = fc
  .tuple(quarter, fc.integer({ min: 1, max: 12 }))
  .map(([start, long]): Interval => ({ start, end: Math.min(DAY_END, start + long * 15) }));
const grounds = fc
  .array(fc.tuple(fc.array(times, { maxLength: 4 }), fc.option(times)), { minLength: 1, maxLength: 4 })
  .map((rows) =>
    rows.map(([others, open], row) =>
      ground({
        availabilities: open ? [free(open.start, open.end)] : [],
        appointments: [
          ...(row === 0 ? [appointment('a', 'Bo Lee', at(9), at(11))] : []),
          ...others.map(({ start, end }, i) => appointment(`o${i}`, `Child ${i}`, start, end)),
        ],
      }),
    ),
  );
const steps = fc.array(
  fc.record({
    minutes: fc.constantFrom(-60, -15, 0, 15, 60),
    rows: fc.constantFrom(-1, 0, 1),
    part: fc.constantFrom<Shift['part'][]>('whole'),
  }),
  { maxLength: 20 },
);

test('whatever keys move a session, the pointer that goes to the same place gets the same place and the same answer', () => {
  fc.assert(
    fc.property(grounds, steps, (rows, keys) => {
      const byKeys = moving('move', rows);
      let spot: Spot = byKeys.held.from;
      for (const step of keys) spot = byKeys.shifted(spot, step);
      const byPointer = moving('move', rows);
      const { from } = byPointer.held;
      const there = byPointer.shifted(from, {
        minutes: spot.start - from.start,
        rows: spot.row - from.row,
        part: 'whole',
      });
      expect(there).toEqual(spot);
      expect(byPointer.at(there)).toEqual(byKeys.at(spot));
    }),
    { numRuns: 300 },
  );
});

test('whatever is in the way, what fits meets nothing, and what a pull or a drawing gets meets nothing new', () => {
  fc.assert(
    fc.property(grounds, times, fc.constantFrom<Held['kind'][]>('end', 'start', 'draw'), (rows, wanted, kind) => {
      const held = moving('move', rows);
      for (const row of rows.keys())
        for (const { start } of held.fits(row)) expect(held.at({ row, start, end: start + 120 }).why).toBeNull();
      const pulled = moving(kind, rows);
      const { from } = pulled.held;
      const asked = { row: 0, start: Math.min(from.start, wanted.start), end: Math.max(from.end, wanted.end) };
      const { spot } = pulled.at(asked);
      expect(spot.start <= from.start && spot.end >= from.end).toBe(true);
      if (kind !== 'draw' || pulled.at(from).why === null)
        for (const added of [
          { start: spot.start, end: from.start },
          { start: from.end, end: spot.end },
        ])
          expect(pulled.blocks(0).filter((block) => added.end > added.start && overlaps(block, added))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
