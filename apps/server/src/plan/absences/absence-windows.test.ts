import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minutesOf, overlaps, subtract, union, type Interval } from '@clinic/domain';
import { continued, difference, exactly, windowsToStore } from './absence-windows.ts';

const HERE = 'altamonte';
const anyWindow = fc
  .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 400 }))
  .map(([start, long]) => ({ start, end: Math.min(1440, start + long) }));
/** Windows as they are stored: none overlaps another, but some touch. */
const anyStored = fc.array(anyWindow, { maxLength: 6 }).map((list) => {
  const stored: (Interval & { id: string; location: 'altamonte' | 'tampa' })[] = [];
  for (const [i, each] of list.entries())
    for (const part of subtract([each], stored))
      stored.push({ ...part, id: `${i}-${part.start}`, location: i % 3 === 2 ? 'tampa' : HERE });
  return stored;
});
const bare = ({ start, end }: Interval): Interval => ({ start, end });
const sorted = (list: readonly Interval[]): Interval[] => list.map(bare).sort((a, b) => a.start - b.start);

test('given any stored and any wanted windows, no two are joined, none overlap, and all the time is there', () => {
  fc.assert(
    fc.property(anyStored, fc.array(anyWindow, { maxLength: 5 }), fc.boolean(), (stored, asked, replaces) => {
      const target = windowsToStore(stored, { windows: asked.map(exactly), replaces });
      expect(union(target)).toEqual(union([...(replaces ? [] : stored), ...asked]));
      for (const a of target) for (const b of target) if (a !== b) expect(overlaps(a, b)).toBe(false);
      // A window is only cut where an earlier one has the time; each part belongs to one window of the request.
      for (const { from, ...part } of target)
        expect((from === null ? stored : asked).some((each) => subtract([part], [each]).length === 0)).toBe(true);
      if (!replaces) for (const each of stored) expect(target.map(bare)).toContainEqual(bare(each));
      const { gone, added } = difference(stored, target, HERE);
      const after = [...stored.filter((each) => !gone.includes(each)), ...added];
      expect(union(after)).toEqual(union(target));
      expect(minutesOf(after)).toBe(minutesOf(union(after)));
    }),
  );
});

test('given any stored windows, wanting just these changes nothing', () => {
  fc.assert(
    fc.property(anyStored, fc.boolean(), (stored, replaces) => {
      const target = windowsToStore(stored, { windows: stored.map(exactly), replaces });
      expect(sorted(target)).toEqual(sorted(stored));
      expect(difference(stored, target, HERE)).toEqual({ gone: [], added: [] });
    }),
  );
});

test('a changed window continues the one that it names, or else the one with which it shares most time', () => {
  const gone = [
    { id: 'a', start: 480, end: 570 },
    { id: 'b', start: 840, end: 960 },
  ];
  const added = (start: number, end: number, continues?: string) =>
    continued({ start, end, from: { timeOf: () => ({ start, end }), continues } }, gone)?.id;
  expect(added(500, 900)).toBe('a');
  expect(added(500, 960)).toBe('b');
  expect(added(600, 700)).toBeUndefined();
  expect(added(600, 700, 'b')).toBe('b');
  expect(added(480, 500, 'b')).toBe('b');
});
