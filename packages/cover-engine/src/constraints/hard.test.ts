import { expect, test } from 'vitest';
import { keysOf } from '@clinic/domain';
import type { CoverProblem } from '../problem.ts';
import { HARD_RULES, type HardRuleName } from './hard.ts';
import { planned, testDay } from './testing/test-day.ts';

type Change = (problem: CoverProblem) => void;
/**
 * A plan in the form that `planned` reads, the number of violations expected, and an optional change to the test day.
 */
type Case = [said: Record<string, string>, broken: number, change?: Change];

const at =
  (now: string): Change =>
  (p) =>
    (p.now = now);
const client =
  (id: string, more: object): Change =>
  (p) =>
    Object.assign(p.clients.find((c) => c.id === id) ?? {}, more);
const pin: Change = (p) => (p.pins = [{ session: 'n', pieces: [{ therapist: 'C', start: '13:00', end: '14:00' }] }]);

/** For each rule, plans that obey it and plans that break it. */
const CASES: Record<HardRuleName, Case[]> = {
  division: [
    [{ a: 'D 09:00-10:00, - 10:00-12:00' }, 0],
    [{ a: 'D 09:00-10:00, - 10:30-12:00' }, 1],
    [{ a: 'D 09:00-11:00, - 10:30-12:00' }, 1],
    [{ a: 'D 09:00-11:00' }, 1],
  ],
  unaffected: [
    [{ d: 'D 13:00-15:00' }, 0],
    [{ d: 'B 13:00-15:00' }, 0],
    [{ d: 'C 13:00-15:00' }, 1],
    [{ d: 'B 13:00-14:00, D 14:00-15:00' }, 1],
    [{ d: '- 13:00-15:00' }, 1],
    [{ c: 'B 15:00-16:00' }, 1],
    [{ d: 'B 13:30-15:00' }, 1, at('13:30')],
    [{ d: 'B 13:00-15:00' }, 0, at('12:30')],
  ],
  present: [
    [{ b: '- 09:00-10:00, B 10:00-12:00' }, 0],
    [{ b: 'B 09:00-12:00' }, 1],
    [{ n: 'A 13:00-14:00' }, 1],
  ],
  available: [
    [{ a: 'E 09:00-12:00' }, 0],
    [{ n: 'E 13:00-14:00' }, 1],
    [{ b: '- 09:00-10:00, B 10:00-12:00' }, 0, (p) => (p.therapists[1] = { ...p.therapists[1]!, available: [] })],
  ],
  mayServe: [
    [{ a: 'D 09:00-12:00', v: 'C 15:00-16:00' }, 0],
    [{ a: 'D 09:00-12:00' }, 1, client('X', { requiresGender: ['Female'] })],
    [{ a: 'D 09:00-12:00' }, 1, client('X', { excludes: ['D'] })],
    [{ a: 'D 09:00-12:00' }, 1, client('X', { credentials: ['RBT', 'BCBA'] })],
    [{ a: 'E 09:00-12:00' }, 1, client('X', { knownOnly: true })],
    [{ a: 'D 09:00-12:00' }, 1, client('X', { needs: ['spanish'] })],
    [{ a: 'D 09:00-12:00' }, 1, (p) => (p.declined = [{ therapist: 'D', session: 'a' }])],
    [{ a: 'E 09:00-12:00' }, 1, (p) => (p.therapists[4]!.onlyKnown = true)],
    [{ a: 'D 09:00-12:00' }, 0, (p) => (p.therapists[3]!.onlyKnown = true)],
    [{ v: 'D 15:00-16:00' }, 1],
    [{ v: 'C 15:00-16:00' }, 0, client('X', { knows: {} })],
    [{ v: 'C 15:00-16:00' }, 1, client('X', { knows: {}, knownOnly: true })],
    [
      { v: 'C 15:00-16:00' },
      1,
      (p) => {
        p.clients[0]!.knows = {};
        p.sessions.at(-2)!.service = 'parent-training';
      },
    ],
  ],
  cap: [
    [{ a: 'D 09:00-12:00' }, 1, (p) => (p.therapists[3]!.cap = 11)],
    [{ a: 'D 09:00-12:00' }, 0, (p) => (p.therapists[3]!.cap = 12)],
    [
      { a: 'D 09:00-12:00' },
      0,
      (p) => Object.assign(p.therapists[3]!, { cap: 8 }) && p.absences.push({ who: 'Z', start: '13:00', end: '14:00' }),
    ],
    [{ a: 'D 09:00-10:30, - 10:30-12:00', n: 'D 13:00-14:00' }, 2, (p) => (p.therapists[3]!.cap = 9)],
  ],
  wholeServices: [
    [{ v: 'C 15:00-16:00' }, 0],
    [{ v: 'C 15:00-15:30, - 15:30-16:00' }, 1],
    [{ a: 'C 09:00-10:00, - 10:00-12:00' }, 0],
  ],
  pieceLength: [
    [{ a: 'D 09:00-09:30, - 09:30-12:00' }, 0],
    [{ a: 'D 09:00-09:15, - 09:15-12:00' }, 1],
    [{ n: 'C 13:00-13:15' }, 0, (p) => (p.sessions[4]!.end = '13:15')],
    [{ b: 'D 09:00-10:00, B 10:00-10:15, - 10:15-12:00' }, 0],
  ],
  people: [
    [{ a: 'D 09:00-10:00, C 10:00-12:00' }, 0],
    [{ a: 'D 09:00-10:00, C 10:00-11:00, E 11:00-12:00' }, 1],
    [{ b: 'B 09:00-10:00, D 10:00-11:00, B 11:00-12:00' }, 0],
    [{ a: 'D 09:00-10:00, - 10:00-11:00, D 11:00-12:00' }, 1],
    [{ a: 'D 09:00-10:00, - 10:00-11:00, C 11:00-12:00' }, 0],
    [{ b: 'B 09:00-10:00, - 10:00-11:00, B 11:00-12:00' }, 0],
    [{ b: 'D 09:00-10:00, C 10:00-11:00, B 11:00-12:00' }, 1],
    [{ b: 'B 09:00-09:30, - 09:30-10:00, B 10:00-11:00, - 11:00-11:30, B 11:30-12:00' }, 1],
  ],
  neighbours: [
    [{ a: 'D 09:00-10:00, - 10:00-11:00, D 11:00-12:00' }, 0],
    [{ a: 'D 09:00-10:00, D 10:00-12:00' }, 1],
    [{ a: '- 09:00-10:00, - 10:00-12:00' }, 1],
  ],
  boundary: [
    [{ a: 'D 09:00-10:30, - 10:30-12:00' }, 0],
    [{ a: 'D 09:00-10:15, - 10:15-12:00' }, 1],
    [{ a: '- 09:00-10:15, - 10:15-12:00' }, 0],
    [{ a: 'D 09:00-10:15, - 10:15-12:00' }, 0, (p) => p.absences.push({ who: 'D', start: '10:15', end: '11:00' })],
    [{ a: 'E 09:00-10:15, - 10:15-12:00' }, 0, (p) => p.absences.push({ who: 'A', start: '10:15', end: '11:00' })],
    [{ a: 'D 09:00-10:15, - 10:15-12:00' }, 1, (p) => p.absences.push({ who: 'E', start: '10:15', end: '11:00' })],
  ],
  onePlace: [
    [{ a: 'D 09:00-10:30, - 10:30-12:00', b: '- 09:00-10:30, D 10:30-12:00' }, 0],
    [{ a: 'D 09:00-11:00, - 11:00-12:00', b: '- 09:00-10:30, D 10:30-12:00' }, 2],
    [{ n: 'D 13:00-14:00' }, 2],
    [{ n: 'D 13:00-14:00', d: 'B 13:00-15:00' }, 0],
    [{ a: 'C 09:00-12:00' }, 0],
    [{}, 0, (p) => p.sessions.push({ ...p.sessions[3]!, id: 'd2' })],
  ],
  pins: [
    [{ n: 'C 13:00-14:00' }, 0, pin],
    [{ n: '- 13:00-14:00' }, 1, pin],
    [{ n: 'C 13:00-13:30, - 13:30-14:00' }, 1, pin],
    [{}, 0],
  ],
  notice: [
    [{ n: 'C 13:00-14:00' }, 0, at('12:10')],
    [{ n: 'E 13:00-14:00' }, 1, at('12:10')],
    [{ n: 'E 13:00-14:00' }, 0, at('12:00')],
    [{ n: 'E 13:00-14:00' }, 0],
  ],
};

for (const name of keysOf(CASES))
  test.each(CASES[name])(`${name}: plan %j breaks the rule %i times`, (said, broken, change) => {
    const violations = HARD_RULES[name](planned(testDay(change), said));
    expect(violations).toHaveLength(broken);
    for (const v of violations) {
      expect(v).toMatchObject({ name, start: expect.stringMatching(/^\d\d:\d\d$/) as string });
      expect(v.detail).toMatch(/\.$/);
    }
  });

test('every hard rule has a case that obeys it and a case that breaks it', () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(HARD_RULES).sort());
  for (const [name, cases] of Object.entries(CASES)) {
    expect(
      cases.some(([, broken]) => broken === 0),
      name,
    ).toBe(true);
    expect(
      cases.some(([, broken]) => broken > 0),
      name,
    ).toBe(true);
  }
});
