import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addFigures, coverFigures, peopleToTell, type PlannedStretch, type StretchStatus } from './figures.ts';

const stretch = (session: string, status: StretchStatus, more: Partial<PlannedStretch> = {}): PlannedStretch => ({
  session,
  appointment: session,
  status,
  start: 540,
  end: 600,
  hadNobody: false,
  affected: status === 'Cover' || status === 'Unassigned',
  newFace: null,
  ...more,
});

test('a session in several pieces counts as one session and one change, and all its minutes count as needed', () => {
  const pieces = [
    stretch('a', 'Scheduled'),
    stretch('a', 'Cover', { newFace: 'Bo, Kai' }),
    stretch('a', 'Cover', { newFace: 'Bo, Kai' }),
    stretch('a', 'Unassigned'),
  ];
  expect(coverFigures(pieces)).toEqual({
    sessions: 1,
    changes: 1,
    newFaces: 1,
    minutesNeeded: 240,
    minutesKept: 180,
    minutesUncovered: 60,
  });
});

test('given a session that an earlier plan split, its pieces count as one session, and only pieces that need a therapist count as needed care', () => {
  const pieces = [
    stretch('a', 'Cover', { appointment: 'a1' }),
    stretch('a', 'Scheduled', { appointment: 'a2' }),
    stretch('a', 'Cancel', { appointment: 'a3' }),
  ];
  expect(coverFigures(pieces)).toMatchObject({ sessions: 1, changes: 1, minutesNeeded: 60, minutesKept: 60 });
});

test('a swap changes a session that is not affected, so its minutes do not count as care that was needed', () => {
  expect(coverFigures([stretch('a', 'Swap')])).toMatchObject({ sessions: 0, changes: 1, minutesNeeded: 0 });
});

test('a cancelled session is affected and changed, and needs no care', () => {
  expect(coverFigures([stretch('a', 'Cancel')])).toMatchObject({ sessions: 1, changes: 1, minutesNeeded: 0 });
});

test('a session that had no therapist changes only when it gets one', () => {
  const nobody = { hadNobody: true };
  const left = coverFigures([stretch('a', 'Unassigned', nobody)]);
  expect(left).toMatchObject({ sessions: 1, changes: 0, minutesKept: 0, minutesUncovered: 60 });
  expect(coverFigures([stretch('a', 'Cover', nobody)])).toMatchObject({ sessions: 1, changes: 1, minutesKept: 60 });
});

test('each person to tell is counted once, and a family and a therapist with the same name count as two', () => {
  const calls = [
    { who: 'Kai Wood', kind: 'therapist' },
    { who: 'Kai Wood', kind: 'therapist' },
    { who: 'Kai Wood', kind: 'family' },
  ];
  expect(peopleToTell(calls)).toBe(2);
});

const stretches = fc.array(
  fc.record({
    session: fc.constantFrom('a', 'b', 'c', 'd'),
    appointment: fc.constantFrom('1', '2'),
    status: fc.constantFrom<StretchStatus>('Scheduled', 'Cover', 'Swap', 'Cancel', 'Unassigned'),
    start: fc.constant(540),
    end: fc.integer({ min: 541, max: 700 }),
    hadNobody: fc.boolean(),
    affected: fc.boolean(),
    newFace: fc.constantFrom(null, 'x', 'y'),
  }),
);

test('figures add up over sessions, and cutting a session in two changes none of them', () => {
  fc.assert(
    fc.property(stretches, (list) => {
      const all = list.map((s) => ({ ...s, appointment: `${s.session}${s.appointment}` }));
      const whole = coverFigures(all);
      expect(whole.minutesKept + whole.minutesUncovered).toBe(whole.minutesNeeded);
      expect(whole.changes).toBeLessThanOrEqual(new Set(all.map((s) => s.session)).size);
      const bySession = ['a', 'b', 'c', 'd'].map((id) => coverFigures(all.filter((s) => s.session === id)));
      expect({ ...addFigures(bySession), newFaces: 0 }).toEqual({ ...whole, newFaces: 0 });
      const cut = all.flatMap((s) => [
        { ...s, end: 541 },
        { ...s, start: 541 },
      ]);
      expect(coverFigures(cut)).toEqual(whole);
    }),
  );
});
