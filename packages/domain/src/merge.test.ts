import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MERGE_MINUTES, mergeAppointments, type Mergeable } from './merge.ts';

const base: Mergeable = {
  id: 'A1',
  date: '2026-11-20',
  start: 480,
  end: 540,
  client: 'Bo Lee',
  therapist: 'Ana Ruiz',
  location: 'altamonte',
  subject: 'Direct Therapy',
};
const row = (part: Partial<Mergeable>): Mergeable => ({ ...base, ...part });
const times = (list: readonly Mergeable[]): [number, number][] => list.map((a) => [a.start, a.end]);

test('[CAL-11] rows with the same Id and times are one appointment', () => {
  expect(mergeAppointments([row({}), row({ therapist: 'Kai Wood' })])).toEqual([row({})]);
});

test('[CAL-11] rows without an Id are one appointment only if every part of their composite key is the same', () => {
  const noId = row({ id: null });
  expect(mergeAppointments([noId, { ...noId }, row({ id: '' })])).toHaveLength(1);
  const others: Partial<Mergeable>[] = [
    { start: 481 },
    { end: 541 },
    { client: 'Mo Diaz' },
    { therapist: 'Kai Wood' },
    { location: 'tampa' },
    { subject: 'Supervision' },
    { date: '2026-11-21' },
  ];
  for (const part of others)
    expect(mergeAppointments([noId, { ...noId, ...part }]), JSON.stringify(part)).toHaveLength(2);
});

test('[CAL-11] rows with the same Id at different times or on different dates are all kept', () => {
  expect(times(mergeAppointments([row({}), row({ start: 556, end: 600 })]))).toEqual([
    [480, 540],
    [556, 600],
  ]);
  expect(mergeAppointments([row({}), row({ date: '2026-11-21' })])).toHaveLength(2);
});

test('[CAL-12] rows with the same Id that overlap, touch or lie within 15 minutes merge into one row that spans both', () => {
  expect(times(mergeAppointments([row({}), row({ start: 500, end: 600 })]))).toEqual([[480, 600]]);
  expect(times(mergeAppointments([row({}), row({ start: 540, end: 600 })]))).toEqual([[480, 600]]);
  expect(times(mergeAppointments([row({}), row({ start: 555, end: 600 })]))).toEqual([[480, 600]]);
  expect(times(mergeAppointments([row({}), row({ start: 490, end: 500 })]))).toEqual([[480, 540]]);
  // A chain: only the row listed last connects the first two rows.
  expect(times(mergeAppointments([row({}), row({ start: 610, end: 660 }), row({ start: 550, end: 600 })]))).toEqual([
    [480, 660],
  ]);
});

test('[CAL-12] different Ids never merge', () => {
  expect(mergeAppointments([row({}), row({ id: 'A2' })])).toHaveLength(2);
});

const anyRow = fc.record({
  id: fc.constantFrom('A1', 'A2', null),
  date: fc.constantFrom('2026-11-20', '2026-11-21'),
  start: fc.integer({ min: 480, max: 640 }),
  length: fc.integer({ min: 5, max: 60 }),
  client: fc.constantFrom('Bo Lee', 'Mo Diaz'),
});
const anyRows = fc
  .array(anyRow, { maxLength: 12 })
  .map((list) => list.map(({ length, ...part }) => row({ ...part, end: part.start + length })));

test('[CAL-12] rows merge when a chain of close rows connects them, whatever their order', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const merged = mergeAppointments(rows);
      expect(merged.map(keyOf).sort()).toEqual(components(rows).sort());
      expect(mergeAppointments(rows.toReversed()).map(keyOf).sort()).toEqual(merged.map(keyOf).sort());
      expect(mergeAppointments(merged)).toEqual(merged); // a second pass over the result changes nothing
    }),
  );
});

test('every row is either returned or reported as merged', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const copies = structuredClone(rows);
      let dropped = 0;
      const merged = mergeAppointments(rows, () => dropped++);
      expect(merged.length + dropped).toBe(rows.length);
      expect(rows).toEqual(copies); // the function has not changed the rows passed in
    }),
  );
});

test('a duplicate row is reported differently from a merged row', () => {
  const heard: string[] = [];
  mergeAppointments([row({}), row({}), row({ start: 530, end: 600 })], (_kept, _dropped, how) => heard.push(how));
  expect(heard).toEqual(['same', 'merged']);
});

function keyOf(a: Mergeable): string {
  const who = a.id === null ? `${a.client}` : a.id;
  return `${who} ${a.date} ${a.start}-${a.end}`;
}

/** The expected result by brute force: joins any two close rows until no such pair is left. */
function components(rows: readonly Mergeable[]): string[] {
  const left = rows.map((a) => ({ ...a }));
  for (;;) {
    const pair = nearPair(left);
    if (!pair) return left.map(keyOf);
    const [a, b] = pair;
    left.splice(left.indexOf(b), 1);
    a.start = Math.min(a.start, b.start);
    a.end = Math.max(a.end, b.end);
  }
}

function nearPair(list: Mergeable[]): [Mergeable, Mergeable] | null {
  for (const a of list) {
    for (const b of list) {
      if (a === b || a.date !== b.date || a.id !== b.id) continue;
      if (a.id === null && (a.client !== b.client || a.start !== b.start || a.end !== b.end)) continue;
      if (a.start - b.end <= MERGE_MINUTES && b.start - a.end <= MERGE_MINUTES) return [a, b];
    }
  }
  return null;
}
