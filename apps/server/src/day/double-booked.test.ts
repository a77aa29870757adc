import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_LOCATIONS, setLocations } from '@clinic/domain';
import { doubleBooked, type Expected } from './double-booked.ts';

/** A direct session of one child and one therapist, from and to these hours. */
const session = (n: number, start: number, end: number, more: Partial<Expected> = {}): Expected => {
  const there = [{ start, end }];
  const at = { id: `s${n}`, wire_id: `W${n}`, location: 'altamonte' as const, place: `s${n}`, client_place: `s${n}` };
  const text = (hour: number): string => `2026-11-20 ${String(hour).padStart(2, '0')}:00:00`;
  const people = {
    starts: text(start),
    ends: text(end),
    client_id: `c${n}`,
    therapist_id: 't',
    service: 'direct' as const,
    seat: 1,
  };
  return { ...at, ...people, start, end, clientThere: there, takesPlace: there, ...more };
};

const hours = fc.array(fc.tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 4 })), { maxLength: 6 });

test('given any sessions of a therapist, the times of all double bookings are the hours that two of them have', () => {
  fc.assert(
    fc.property(hours, (list) => {
      const rows = list.map(([start, length], n) => session(n, start, start + length));
      const found = doubleBooked(rows).flatMap(({ times }) => times);
      for (let hour = 0; hour < 16; hour++) {
        const booked = rows.filter((row) => row.start <= hour && hour < row.end).length;
        expect(
          found.some((each) => each.start <= hour && hour < each.end),
          `hour ${hour}`,
        ).toBe(booked > 1);
      }
    }),
  );
});

test('given the same times as a group, as the seats of a 2:1 child, or with the child away, no one is in two places', () => {
  fc.assert(
    fc.property(hours, fc.constantFrom('group', 'seats', 'away'), (list, how) => {
      const [first = [0, 1]] = list;
      const [start, end] = [first[0], first[0] + first[1]];
      const pair = [0, 1].map((n) => {
        if (how === 'group') return session(n, start, end, { place: 'group:g' });
        if (how === 'seats') return session(n, start, end, { client_id: 'c', therapist_id: `t${n}`, seat: n + 1 });
        return session(n, start, end, n === 0 ? {} : { takesPlace: [], clientThere: [] });
      });
      expect(doubleBooked(pair)).toEqual([]);
    }),
  );
});

afterEach(() => setLocations(DEFAULT_LOCATIONS));

test('given sessions at locations with other clocks, they meet when their moments do, by the first one’s clock', () => {
  const [east] = DEFAULT_LOCATIONS;
  if (!east) throw new Error('there are no locations');
  setLocations([east, { ...east, value: 'boulder', label: 'Boulder', zone: 'America/Denver' }]);
  const minutes = (n: number, from: number, to: number, location: string): Expected =>
    session(n, from, to, { location, takesPlace: [{ start: from * 60, end: to * 60 }] });
  const twice = (from: number, to: number) =>
    doubleBooked([minutes(0, 10, 12, 'altamonte'), minutes(1, from, to, 'boulder')]).flatMap(({ times }) => times);
  expect(twice(10, 12)).toEqual([]);
  expect(twice(9, 11)).toEqual([{ start: 660, end: 720 }]);
});
