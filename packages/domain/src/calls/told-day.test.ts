import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contains, intersect, subtract, union, type Interval } from '../interval.ts';
import { changesToTell, joinStretches, netChanges, type NetChange, type ToldStretch } from './told-day.ts';
import { day } from './testing/told-day.ts';

/** One entry for each booked minute, with the other person and the service; sorted. */
const minutes = (list: readonly ToldStretch[]): string[] => {
  const found = new Set<string>();
  for (const s of list) for (let m = s.start; m < s.end; m++) found.add(`${m} ${s.with} ${s.service}`);
  return [...found].sort();
};

const applied = (told: readonly ToldStretch[], changes: readonly NetChange[]): string[] => {
  const left = new Set(minutes(told));
  for (const each of minutes(changes.filter((c) => c.what === 'gone'))) left.delete(each);
  for (const each of minutes(changes.filter((c) => c.what === 'new'))) left.add(each);
  return [...left].sort();
};

/** The same day, with each session that spans the minute `at` cut in two there. */
const cutAt = (list: readonly ToldStretch[], at: number): ToldStretch[] =>
  list.flatMap((s) =>
    s.start < at && at < s.end
      ? [
          { ...s, start: at },
          { ...s, end: at },
        ]
      : [s],
  );

test('the net changes, applied to the day that people were told, give the day as it is now', () => {
  fc.assert(
    fc.property(day, day, (told, now) => {
      expect(applied(told, netChanges(told, now))).toEqual(minutes(now));
    }),
  );
});

test('given a day that changed from A to B and back to A, there is nothing to tell', () => {
  fc.assert(
    fc.property(day, day, (a, b) => {
      expect(netChanges(a, a)).toEqual([]);
      // People who were told about B are told only the changes back to A.
      expect(applied(b, netChanges(b, a))).toEqual(minutes(a));
    }),
  );
});

test('given a day whose sessions are only cut into different pieces, nothing has changed', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 480, max: 550 }), (list, at) => {
      expect(joinStretches(cutAt(list, at))).toEqual(joinStretches(list));
      expect(netChanges(cutAt(list, at), list)).toEqual([]);
    }),
  );
});

test('the order in which a day’s sessions are listed makes no difference', () => {
  fc.assert(
    fc.property(day, day, (told, now) => {
      expect(netChanges([...told].reverse(), [...now].reverse())).toEqual(netChanges(told, now));
    }),
  );
});

test('a change is past once it has ended', () => {
  const session: ToldStretch = { start: 480, end: 540, with: 'A', service: 'direct' };
  expect([539, 540].map((from) => changesToTell([session], [], [], from).length)).toEqual([1, 0]);
});

test('people are not told about sessions that their own absence removed, or about changes that are past', () => {
  const window = fc.tuple(fc.integer({ min: 470, max: 540 }), fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(day, day, window, fc.integer({ min: 470, max: 560 }), (told, now, [start, length], from) => {
      const away: Interval = { start, end: start + length };
      const changes = changesToTell(told, now, [away], from);
      for (const change of changes) {
        expect(change.end).toBeGreaterThan(from);
        if (change.what === 'gone') expect(intersect(change, away)).toBeNull();
      }
      const all = netChanges(told, now).filter((c) => c.end > from);
      for (const c of all.filter((each) => each.what === 'new')) expect(changes).toContainEqual(c);
      const gone = union(changes.filter((c) => c.what === 'gone'));
      for (const c of all.filter((each) => each.what === 'gone'))
        for (const rest of subtract([c], [away]).filter((r) => r.end > from))
          expect(gone.some((g) => contains(g, rest))).toBe(true);
    }),
  );
});
