import { expect, test } from 'vitest';
import type { CoverProblem } from '../problem.ts';
import { POINTS, TERM_NAMES, type Term } from '../terms.ts';
import { countUnits } from '../count.ts';
import { planned, testDay } from './testing/test-day.ts';

/**
 * A plan in the form that `planned` reads, the points expected for the term, and an optional change to the test day.
 */
type Case = [said: Record<string, string>, points: number, change?: (problem: CoverProblem) => void];

/** Covers every session that needs a therapist. A case overrides only the sessions that it tests. */
const rest = { a: 'D 09:00-12:00', b: 'C 09:00-12:00', n: 'C 13:00-14:00', v: 'C 15:00-16:00' };

const CASES: Record<Term, Case[]> = {
  uncovered: [
    [{ ...rest, a: '- 09:00-12:00' }, 12 * 1500],
    [{ ...rest, n: 'C 13:00-13:30, - 13:30-14:00' }, 2 * 1000],
    [{ ...rest, v: '- 15:00-16:00' }, 4 * 400],
    [{ ...rest, n: '- 13:00-14:00' }, 4 * 1010, (p) => Object.assign(p.sessions[4]!, { weight: 101 })],
    [
      { ...rest, n: '- 13:00-14:00' },
      4 * 4,
      (p) => Object.assign(p.sessions[4]!, { weight: 35 }) && (p.clients[1]!.priority = 1),
    ],
    [rest, 0],
  ],
  gap: [
    [{ ...rest, a: 'D 09:00-10:00, - 10:00-11:00, C 11:00-12:00' }, 4000],
    [{ ...rest, a: '- 09:00-10:00, D 10:00-11:00, - 11:00-12:00' }, 0],
    // From now on, a child who is there already is not left alone and then covered again.
    [{ ...rest, a: '- 10:00-10:30, D 10:30-12:00', b: 'C 10:00-12:00' }, 4000, (p) => (p.now = '10:00')],
    [{ ...rest, a: 'D 10:00-11:00, - 11:00-12:00', b: 'C 10:00-12:00' }, 0, (p) => (p.now = '10:00')],
    [{ ...rest, a: '- 09:00-10:00, D 10:00-12:00' }, 0, (p) => (p.now = '09:00')],
  ],
  stub: [
    [{ ...rest, a: 'D 09:00-09:45, - 09:45-12:00' }, 3000],
    [{ ...rest, a: '- 09:00-11:30, D 11:30-12:00' }, 3000],
    [{ ...rest, a: '- 09:00-10:00, D 10:00-10:30, - 10:30-11:30, C 11:30-12:00' }, 6000],
    [{ ...rest, a: '- 09:00-10:00, D 10:00-10:30, C 10:30-11:00, - 11:00-12:00' }, 0],
    [{ ...rest, a: 'D 09:00-09:30, C 09:30-12:00' }, 0],
    [{ ...rest, a: 'D 09:00-10:00, - 10:00-12:00' }, 0],
    [{ ...rest, n: 'C 13:00-13:30' }, 0, (p) => (p.sessions[4]!.end = '13:30')],
    // Whoever is there already may stay for less than an hour, but nobody comes for that.
    [{ ...rest, a: 'D 10:00-10:30, - 10:30-12:00', b: 'C 10:00-12:00' }, 0, (p) => (p.now = '10:00')],
    [{ ...rest, a: '- 10:00-11:30, D 11:30-12:00', b: 'C 10:00-12:00' }, 3000, (p) => (p.now = '10:00')],
    [{ d: 'B 13:00-15:00' }, 0],
  ],
  change: [
    [{ ...rest, a: 'D 09:00-10:00, C 10:00-12:00' }, 300],
    [{ ...rest, a: '- 09:00-10:00, D 10:00-11:00, - 11:00-12:00' }, 600],
    [{ ...rest, d: 'B 13:00-15:00' }, 0],
  ],
  swap: [
    [{ ...rest, d: 'B 13:00-15:00' }, 2500],
    [rest, 0],
  ],
  short: [
    [{ ...rest, a: 'D 09:00-09:45, - 09:45-12:00' }, 150],
    [{ ...rest, a: 'D 09:00-10:00, - 10:00-12:00' }, 0],
    [{ ...rest, n: 'C 13:00-13:30' }, 0, (p) => (p.sessions[4]!.end = '13:30')],
    [{ ...rest, b: 'C 09:00-11:30, B 11:30-12:00' }, 0],
  ],
  new: [
    [{ ...rest, b: 'D 09:00-12:00', a: '- 09:00-12:00', n: '- 13:00-14:00' }, 12 * 15],
    [{ a: 'C 09:00-12:00', b: '- 09:00-10:00, B 10:00-12:00' }, 0],
  ],
  face: [
    [{ ...rest, b: 'D 09:00-12:00', a: '- 09:00-12:00', n: '- 13:00-14:00' }, 200],
    [{ ...rest, b: 'C 09:00-12:00', n: 'C 13:00-14:00' }, 200],
    [{ a: 'C 09:00-12:00', b: '- 09:00-10:00, B 10:00-12:00' }, 0],
  ],
  substitute: [
    [{ a: 'D 09:00-12:00' }, 100],
    [{ b: 'C 09:00-12:00', n: 'C 13:00-14:00' }, 100],
    [{ a: 'C 09:00-12:00', b: 'C 09:00-12:00' }, 200],
    [{ d: 'B 13:00-15:00' }, 100],
    [{ b: '- 09:00-10:00, B 10:00-12:00' }, 0],
  ],
  unfamiliar: [
    [{ v: 'C 15:00-16:00' }, 0],
    [{ v: 'C 15:00-16:00' }, 600, (p) => (p.clients[0]!.knows = {})],
    [{ a: 'C 09:00-12:00' }, 0, (p) => (p.clients[0]!.knows = {})],
  ],
  call: [
    [{ a: 'D 09:00-12:00' }, 100],
    [{ a: 'D 09:00-12:00' }, 0, (p) => p.absences.push({ who: 'Z', start: '13:00', end: '14:00' })],
    [{ a: 'D 09:00-12:00' }, 200, (p) => (p.therapists[3]!.call = 2)],
    // Dan, who loses the session, and the client's family are told because of the move; Ben is told in any case, as he
    // is away.
    [{ d: 'B 13:00-15:00' }, 200],
    [{}, 0],
  ],
  match: [
    [{ a: 'D 09:00-12:00' }, 12 * 2 * 15, (p) => (p.clients[0]!.prefers = ['feeding', 'spanish'])],
    [
      { a: 'D 09:00-12:00' },
      12 * 300 * 15,
      (p) => (p.clients[0]!.prefers = Array.from({ length: 300 }, (_, i) => `tag ${i}`)),
    ],
    [
      { a: 'D 09:00-12:00' },
      12 * 15,
      (p) => Object.assign(p.clients[0]!, { prefers: ['feeding', 'spanish'] }) && (p.therapists[3]!.tags = ['spanish']),
    ],
    [{ a: 'D 09:00-12:00' }, 0],
  ],
  known: [
    [{ a: 'D 09:00-12:00' }, 12 * 8],
    [{ a: 'C 09:00-12:00' }, 0],
  ],
  bcba: [
    [{ a: 'C 09:00-10:00, - 10:00-12:00' }, 4 * 60],
    [{ v: 'C 15:00-16:00' }, 0],
  ],
  admin: [
    [{ a: 'C 09:00-12:00' }, 2 * 20],
    [{ a: '- 09:00-09:30, C 09:30-12:00' }, 0],
  ],
  taken: [
    [{ b: 'D 09:00-12:00' }, 8 * 60],
    [{ b: 'D 09:00-10:00, B 10:00-12:00' }, 0],
    [{ d: 'B 13:00-15:00' }, 0],
  ],
  callin: [
    [{ a: 'D 09:00-12:00' }, 12 * 10],
    [{ a: 'E 09:00-10:00, - 10:00-12:00' }, 4 * 10],
    [{ n: 'C 13:00-14:00' }, 0],
  ],
  added: [
    [{ a: 'D 09:00-12:00' }, 12 * 2],
    [{ b: '- 09:00-10:00, B 10:00-12:00' }, 0],
  ],
  overload: [
    [{ a: 'D 09:00-12:00' }, 4 * 4],
    [{ a: 'D 09:00-11:00, - 11:00-12:00' }, 0],
    [
      { a: 'D 09:00-12:00' },
      8 * 6 + 2 * 20,
      (p) =>
        (p.therapists[3]!.load = [
          [4, 6],
          [10, 20],
        ]),
    ],
    [{ a: 'D 09:00-12:00' }, 0, (p) => p.absences.push({ who: 'Z', start: '13:00', end: '14:00' })],
  ],
  lunch: [
    [{ a: 'C 09:00-12:00', n: 'C 13:00-14:00' }, 0],
    [{ b: 'D 11:00-12:00', a: 'D 12:00-13:00' }, 2 * 1500, lunchFilled],
    [{ b: 'D 11:00-12:00', a: '- 12:00-13:00' }, 0, lunchFilled],
  ],
};

/**
 * Moves `b` to 11:00-12:00 and `a` to 12:00-13:00. If Dan covers both, he has no lunch, since he works from 13:00
 * anyway.
 */
function lunchFilled(problem: CoverProblem): void {
  Object.assign(problem.sessions[0]!, { start: '12:00', end: '13:00' });
  Object.assign(problem.sessions[1]!, { start: '11:00', end: '12:00', therapist: null });
}

for (const [name, cases] of Object.entries(CASES))
  test.each(cases)(`${name}: plan %j costs %i points`, (said, points, change) => {
    expect(POINTS[name as Term] * countUnits(planned(testDay(change), said))[name as Term]).toBe(points);
  });

test('every score term has a case that costs nothing and a case that costs points', () => {
  expect(Object.keys(CASES).sort()).toEqual([...TERM_NAMES].sort());
  for (const [name, cases] of Object.entries(CASES)) {
    expect(
      cases.some(([, points]) => points === 0),
      name,
    ).toBe(true);
    expect(
      cases.some(([, points]) => points > 0),
      name,
    ).toBe(true);
  }
});
