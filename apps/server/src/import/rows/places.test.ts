import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { assignPlaces, type Claimant } from './places.ts';

const claimants: fc.Arbitrary<Claimant[]> = fc
  .array(
    fc.record({
      start: fc.integer({ min: 28, max: 70 }),
      slots: fc.integer({ min: 1, max: 8 }),
      therapistId: fc.constantFrom('T1', 'T2', 'T3', null),
      clientId: fc.constantFrom('C1', 'C2', 'PAIR'),
      service: fc.constantFrom('direct', 'direct', 'supervision', 'admin'),
      occupies: fc.boolean(),
      location: fc.constantFrom('altamonte', 'tampa'),
      group: fc.constantFrom(null, null, 'g'),
    }),
    { maxLength: 12 },
  )
  .map((list) =>
    list.map(({ start, slots, group, ...a }, i) => ({
      ...a,
      id: `id-${String(i).padStart(2, '0')}`,
      date: isoDate('2026-11-16'),
      start: start * 15,
      end: (start + slots) * 15,
      // A group is one session with one therapist.
      groupKey: group && a.therapistId && a.service === 'direct' ? `${a.therapistId} ${start} ${slots}` : null,
      fixed: null,
    })),
  );

/** The pairs that break the database's exclusion constraints on appointments (migrations/0001 and 0006b). */
function broken(list: readonly Claimant[], places: ReturnType<typeof assignPlaces>): string[] {
  const found: string[] = [];
  list.forEach((a, i) => {
    for (const b of list.slice(i + 1)) {
      const [p, q] = [places.get(a.id), places.get(b.id)];
      if (!p || !q || !a.occupies || !b.occupies || a.start >= b.end || b.start >= a.end) continue;
      const bothWork = a.service !== 'admin' && b.service !== 'admin';
      if (bothWork && a.therapistId !== null && a.therapistId === b.therapistId && p.place !== q.place)
        found.push(`${a.id} ${b.id} therapist`);
      const bothAdmin = a.service === 'admin' && b.service === 'admin' && a.location !== b.location;
      if (bothAdmin && a.therapistId !== null && a.therapistId === b.therapistId && p.place !== q.place)
        found.push(`${a.id} ${b.id} admin`);
      const bothDirect = a.service === 'direct' && b.service === 'direct';
      if (bothDirect && a.clientId === b.clientId && p.seat === q.seat && p.clientPlace !== q.clientPlace)
        found.push(`${a.id} ${b.id} client`);
    }
  });
  return found;
}

const TWO_TO_ONE = new Set(['PAIR']);

test('given any appointments, their assigned places satisfy the database’s constraints', () => {
  fc.assert(
    fc.property(claimants, (list) => {
      expect(broken(list, assignPlaces(list, TWO_TO_ONE))).toEqual([]);
    }),
    { numRuns: 3000, seed: 11 },
  );
});

test('only double-booked appointments are flagged, and the order of rows does not matter', () => {
  fc.assert(
    fc.property(claimants, fc.infiniteStream(fc.nat()), (list, random) => {
      const places = assignPlaces(list, TWO_TO_ONE);
      for (const a of list) {
        const place = places.get(a.id);
        if (place?.clash) expect([place.place, place.clientPlace].some((p) => p.startsWith('clash:'))).toBe(true);
        else
          expect([place?.place, place?.clientPlace]).toEqual([
            a.groupKey === null ? a.id : `group:${a.groupKey}`,
            a.id,
          ]);
      }
      const order = new Map(list.map((a) => [a.id, random.next().value]));
      const shuffled = list.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
      expect(new Map([...assignPlaces(shuffled, TWO_TO_ONE)].sort())).toEqual(new Map([...places].sort()));
    }),
    { numRuns: 1000, seed: 12 },
  );
});

test('given no overlaps, every appointment has its own place', () => {
  const one = {
    id: 'a',
    location: 'altamonte',
    date: isoDate('2026-11-16'),
    start: 480,
    end: 540,
    therapistId: 'T1',
    clientId: 'C1',
    service: 'direct',
    occupies: true,
    groupKey: null,
    fixed: null,
  } as const;
  const places = assignPlaces([one, { ...one, id: 'b', start: 540, end: 600 }], TWO_TO_ONE);
  expect(places.get('b')).toEqual({ place: 'b', clientPlace: 'b', seat: 1, clash: false });
});
