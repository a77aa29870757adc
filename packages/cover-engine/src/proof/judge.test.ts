/**
 * This file is over 250 lines because it breaks every rule on purpose, so that a rule without a test is easy to see.
 */
import { expect, test } from 'vitest';
import type { CoverAnswer, CoverOption, PlannedSession } from '../answer.ts';
import type { CoverProblem, Pin } from '../problem.ts';
import { judge } from './judge.ts';
import { difference, judgeAnswer, planText } from './judge-answer.ts';
import { judgeModel } from './judge-model.ts';

/**
 * T1 is away, so C1 needs cover in the morning and C2 in the afternoon; C3's session with T2 stays; T4 is a BCBA with
 * admin time.
 */
function morning(alter: (problem: CoverProblem) => void = () => {}): CoverProblem {
  const therapist = (
    id: string,
    credential: 'RBT' | 'BT' | 'BCBA',
    gender: 'Female' | 'Male',
    windows = '08:00-16:00',
  ) => ({
    id,
    name: id,
    credential,
    gender,
    available: windows.split(' ').map((w): [string, string] => [w.slice(0, 5), w.slice(6)]),
  });
  const session = (id: string, client: string | null, therapist: string | null, start: string, end: string) => ({
    id,
    client,
    therapist,
    start,
    end,
    service: client === null ? ('admin' as const) : ('direct' as const),
  });
  const problem: CoverProblem = {
    format: 'cover-problem/1',
    date: '2026-11-20',
    location: 'altamonte',
    therapists: [
      therapist('T1', 'RBT', 'Female'),
      therapist('T2', 'RBT', 'Female', '08:00-16:00'),
      therapist('T3', 'BT', 'Male', '08:00-11:15 12:00-16:00'),
      therapist('T4', 'BCBA', 'Female', '09:00-17:00'),
    ],
    clients: [
      { id: 'C1', name: 'C1', knows: { T1: 'team', T2: 'team', T3: 'known' } },
      { id: 'C2', name: 'C2', priority: 150, knows: { T1: 'team', T4: 'known' } },
      { id: 'C3', name: 'C3', knows: { T2: 'team', T3: 'known' } },
    ],
    sessions: [
      session('S1', 'C1', 'T1', '09:00', '12:00'),
      session('S2', 'C2', 'T1', '13:00', '15:00'),
      session('S3', 'C3', 'T2', '13:00', '15:00'),
      { ...session('S4', 'C3', 'T4', '10:00', '11:00'), service: 'supervision' },
      session('A1', null, 'T4', '12:30', '14:00'),
    ],
    absences: [{ who: 'T1', start: '00:00', end: '24:00' }],
    pins: [],
  };
  alter(problem);
  return problem;
}
const planned = (session: string, ...pieces: string[]): PlannedSession => ({
  session,
  pieces: pieces.map((p) => {
    const [therapist, start, end] = p.split(' ') as [string, string, string];
    return { therapist: therapist === '-' ? null : therapist, start, end };
  }),
});
const rest = planned('S2', '- 13:00 15:00');
const broken = (problem: CoverProblem, ...sessions: PlannedSession[]): string[] =>
  judge(problem, { sessions }, 'balanced').broken;
const score = (problem: CoverProblem, ...sessions: PlannedSession[]) => judge(problem, { sessions }, 'balanced').score;

test('given a legal plan, the checker finds no broken rule and scores it by the table of points', () => {
  const verdict = judge(
    morning(),
    { sessions: [planned('S1', 'T2 09:00 12:00'), planned('S2', 'T4 13:00 15:00')] },
    'balanced',
  );
  expect(verdict.broken).toEqual([]);
  // T2: 12 slots of `added`, 4 of `overload`, 12 of `callin` (their booked day starts at 13:00). T4: 8 slots of
  // `added`, `known` and `bcba`, 4 of `admin` (until 14:00), 4 of `callin`.
  expect(verdict.score).toMatchObject({ added: 40, overload: 16, known: 64, bcba: 480, admin: 80, uncovered: 0 });
  expect(verdict.score.callin).toBe(12 * 10 + 4 * 10);
  expect(verdict.score).toMatchObject({ call: 200, face: 0, substitute: 200 });
  expect(verdict.score.total).toBe(40 + 16 + 64 + 480 + 80 + 160 + 200 + 200);
  expect(verdict.units.price).toBe(verdict.score.total);
});

test.each<[string, RegExp, CoverProblem, PlannedSession[]]>([
  ['an affected session left out', /^rule 1: affected S2/, morning(), [planned('S1', 'T2 09:00 12:00')]],
  [
    'a hole',
    /^rule 1: .* hole at 10:30/,
    morning(),
    [planned('S1', 'T2 09:00 10:00', 'T3 10:30 11:00', '- 11:00 12:00'), rest],
  ],
  ['an overlap', /^rule 1: .* hole at 10:00/, morning(), [planned('S1', 'T2 09:00 10:30', '- 10:00 12:00'), rest]],
  ['a piece outside its part', /^rule 1: piece .* no part/, morning(), [planned('S1', 'T2 08:30 12:00'), rest]],
  ['an end too early', /^rule 1: .* ends at 11:30/, morning(), [planned('S1', 'T2 09:00 11:30'), rest]],
  [
    'a session twice',
    /session twice/,
    morning(),
    [planned('S1', '- 09:00 12:00'), planned('S1', '- 09:00 12:00'), rest],
  ],
  [
    'an unknown session',
    /no such session/,
    morning(),
    [planned('S1', '- 09:00 12:00'), rest, planned('S9', '- 09:00 10:00')],
  ],
  [
    'admin time planned',
    /no such session/,
    morning(),
    [planned('S1', '- 09:00 12:00'), rest, planned('A1', 'T4 12:30 14:00')],
  ],
  [
    'an unaffected session cancelled',
    /^rule 2: .* cancelled/,
    morning(),
    [planned('S1', '- 09:00 12:00'), rest, planned('S3', '- 13:00 15:00')],
  ],
  [
    'an unaffected session split',
    /^rule 2: .* split/,
    morning(),
    [planned('S1', '- 09:00 12:00'), rest, planned('S3', 'T2 13:00 14:00', 'T3 14:00 15:00')],
  ],
  [
    'a supervision moved',
    /^rule 2: .* not direct/,
    morning((p) => ((p.clients[2] as { knows: object }).knows = { T4: 'team', T2: 'team' })),
    [planned('S1', '- 09:00 12:00'), rest, planned('S4', 'T2 10:00 11:00')],
  ],
  [
    'a move to a stranger',
    /^rule 2: .* does not know/,
    morning(),
    [planned('S1', '- 09:00 12:00'), rest, planned('S3', 'T4 13:00 15:00')],
  ],
  [
    'a move of what has begun',
    /^rule 2: .* has begun/,
    morning((p) => (p.now = '13:20')),
    [planned('S2', '- 13:30 15:00'), planned('S3', 'T3 13:30 15:00')],
  ],
  [
    'someone who is absent',
    /^rule 3: T2 absent/,
    morning((p) => p.absences.push({ who: 'T2', start: '09:00', end: '09:30' })),
    [planned('S1', 'T2 09:00 12:00'), rest],
  ],
  ['the booked one while absent', /^rule 3: T1 absent/, morning(), [planned('S1', 'T1 09:00 12:00'), rest]],
  ['someone outside availability', /^rule 3: T3 not available/, morning(), [planned('S1', 'T3 09:00 12:00'), rest]],
  [
    'a credential',
    /^rule 3: .* credential/,
    morning((p) => (p.clients[0]!.credentials = ['BT'])),
    [planned('S1', 'T2 09:00 12:00'), rest],
  ],
  [
    'a gender',
    /^rule 3: .* gender/,
    morning((p) => (p.clients[0]!.requiresGender = ['Male'])),
    [planned('S1', 'T2 09:00 12:00'), rest],
  ],
  [
    'an exclusion',
    /^rule 3: .* excluded/,
    morning((p) => (p.clients[0]!.excludes = ['T2'])),
    [planned('S1', 'T2 09:00 12:00'), rest],
  ],
  [
    'a stranger of a known-only client',
    /^rule 3: .* not known/,
    morning((p) => (p.clients[0]!.knownOnly = true)),
    [planned('S1', 'T4 09:00 12:00'), rest],
  ],
  ['a supervision in parts', /^rule 3: .* whole/, supervised(), [planned('S4', 'T4 09:00 10:00', '- 10:00 11:00')]],
  ['a supervision by no BCBA', /^rule 3: .* credential/, supervised(), [planned('S4', 'T2 09:00 11:00')]],
  [
    'a piece of 15 minutes',
    /^rule 4: .* under 30 minutes/,
    morning(),
    [planned('S1', 'T3 09:00 11:00', 'T3 11:00 11:15', '- 11:15 12:00'), rest],
  ],
  [
    'three people',
    /^rule 4: .* 3 pieces of others/,
    morning(),
    [planned('S1', 'T2 09:00 10:00', 'T3 10:00 11:00', 'T4 11:00 12:00'), rest],
  ],
  ['neighbours alike', /^rule 4: .* alike/, morning(), [planned('S1', 'T2 09:00 10:00', 'T2 10:00 12:00'), rest]],
  [
    'a change on the quarter',
    /^rule 5: .* changes at 10:15/,
    morning(),
    [planned('S1', 'T2 09:00 10:15', '- 10:15 12:00'), rest],
  ],
  [
    'two places at once',
    /^rule 6: T2 in 2 places/,
    morning(),
    [planned('S1', '- 09:00 12:00'), planned('S2', 'T2 13:00 15:00')],
  ],
  [
    'a substitute who comes twice',
    /^rule 4: T2 has two pieces/,
    morning(),
    [planned('S1', 'T2 09:00 10:00', '- 10:00 11:00', 'T2 11:00 12:00'), rest],
  ],
  [
    'another than the pinned',
    /^rule 7: S1/,
    morning((p) => (p.pins = [pin('T2')])),
    [planned('S1', 'T3 09:00 11:00', '- 11:00 12:00'), rest],
  ],
  ['a call without notice', /^rule 8: T2/, morning((p) => (p.now = '08:10')), [planned('S1', 'T2 09:00 12:00'), rest]],
  ['nobody of that name', /no such therapist/, morning(), [planned('S1', 'T9 09:00 12:00'), rest]],
])('the independent checker reports a plan with this error: %s', (_, fault, problem, sessions) => {
  expect(broken(problem, ...sessions).some((b) => fault.test(b))).toBe(true);
});

function pin(therapist: string): Pin {
  return { session: 'S1', pieces: [{ therapist, start: '09:00', end: '12:00' }] };
}

function supervised(): CoverProblem {
  return morning((p) => {
    p.sessions = [
      { ...(p.sessions[3] as CoverProblem['sessions'][number]), therapist: 'T1', start: '09:00', end: '11:00' },
    ];
    (p.clients[2] as CoverProblem['clients'][number]).knows = { T1: 'team', T2: 'team', T4: 'team' };
  });
}

test('given a handover when a therapist’s hours begin or end, short notice within the booked day, or sessions booked at overlapping times, the checker reports nothing', () => {
  expect(broken(morning(), planned('S1', 'T3 09:00 11:15', '- 11:15 12:00'), rest)).toEqual([]);
  expect(
    broken(
      morning((p) => (p.now = '12:30')),
      planned('S2', 'T4 13:00 15:00'),
    ),
  ).toEqual([]);
  const twice = morning((p) => p.sessions.push({ ...(p.sessions[2] as CoverProblem['sessions'][number]), id: 'S5' }));
  expect(broken(twice, planned('S1', '- 09:00 12:00'), rest)).toEqual([]);
});

test('given plans worked out by hand, the checker counts each term by slot or by piece', () => {
  expect(score(morning(), planned('S1', '- 09:00 12:00'), rest)).toMatchObject({
    uncovered: 12_000 + 8 * 1500,
    change: 0,
  });
  expect(
    score(morning(), planned('S1', 'T2 09:00 10:00', '- 10:00 10:30', 'T3 10:30 11:00', '- 11:00 12:00'), rest),
  ).toMatchObject({ gap: 4000, stub: 3000, short: 150, change: 900, substitute: 200 });
  expect(score(morning(), planned('S1', 'T2 09:00 09:30', '- 09:30 12:00'), rest)).toMatchObject({
    short: 150,
    stub: 3000,
    gap: 0,
  });
  const begun = morning((p) => (p.now = '10:00'));
  expect(score(begun, planned('S1', '- 10:00 11:00', 'T2 11:00 12:00'), rest)).toMatchObject({ gap: 4000, stub: 0 });
  expect(score(begun, planned('S1', 'T2 10:00 10:30', '- 10:30 12:00'), rest)).toMatchObject({ gap: 0, stub: 0 });
  const strange = supervised();
  strange.clients[2]!.knows = {};
  expect(score(strange, planned('S4', 'T4 09:00 11:00'))).toMatchObject({ unfamiliar: 600, face: 200 });
  expect(score(morning(), planned('S1', '- 09:00 12:00'), rest, planned('S3', 'T3 13:00 15:00'))).toMatchObject({
    swap: 2500,
    known: 64,
  });
  const present = morning((p) => (p.absences = [{ who: 'T1', start: '10:00', end: '24:00' }]));
  expect(score(present, planned('S1', 'T2 09:00 12:00'), rest)).toMatchObject({ taken: 4 * 60 });
  expect(score(supervised(), planned('S4', '- 09:00 11:00'))).toMatchObject({ uncovered: 8 * 400 });
  const lunch = morning((p) =>
    p.sessions.push({
      ...(p.sessions[4] as CoverProblem['sessions'][number]),
      id: 'A2',
      therapist: 'T2',
      start: '11:00',
      end: '13:00',
    }),
  );
  // T2 already works from 11:00 to 14:30 (admin until 13:00, then S3), so there is no lunch to lose.
  expect(score(lunch, planned('S1', 'T2 09:00 12:00'), rest)).toMatchObject({ lunch: 0, admin: 80 });
  const tight = morning((p) =>
    p.sessions.push({
      ...(p.sessions[4] as CoverProblem['sessions'][number]),
      id: 'A2',
      therapist: 'T2',
      start: '12:00',
      end: '13:00',
    }),
  );
  expect(score(tight, planned('S1', 'T2 09:00 12:00'), rest)).toMatchObject({ lunch: 2 * 1500 });
});

test('given a result with wrong scores, false proofs, a wrong order or duplicates, the checker reports each error', () => {
  const problem = morning();
  const sessions = [planned('S1', 'T2 09:00 12:00'), planned('S2', 'T4 13:00 15:00')];
  const { total } = judge(problem, { sessions }, 'balanced').score;
  const option = (change: Partial<CoverOption>): CoverOption => ({
    strategy: 'balanced',
    proven: true,
    bound: total,
    score: { total },
    sessions,
    ...change,
  });
  const faults = (...options: CoverOption[]): string[] =>
    judgeAnswer(problem, { format: 'cover-options/1', options } satisfies CoverAnswer);
  const other = [planned('S1', '- 09:00 12:00'), planned('S2', 'T4 13:00 15:00')];
  const dear = judge(problem, { sessions: other }, 'balanced').score.total;
  expect(faults(option({}))).toEqual([]);
  expect(faults(option({ score: { total: total + 1 } }))[0]).toMatch(/states total/);
  expect(faults(option({ score: { total, swap: 5 } }))[0]).toMatch(/states swap 5, is 0/);
  expect(faults(option({ bound: total + 1, proven: false }))[0]).toMatch(/bound .* above/);
  expect(faults(option({ bound: total - 1 }))[0]).toMatch(/called proven/);
  expect(faults(option({}), option({ strategy: 'whole-sessions', bound: null, proven: false }))[0]).toMatch(
    /too like option 1/,
  );
  expect(faults(option({ strategy: 'alternative', bound: null, proven: false })).join()).toMatch(/stands first/);
  const alternative = option({
    strategy: 'alternative',
    sessions: other,
    score: { total: dear },
    bound: null,
    proven: false,
  });
  expect(faults(option({}), alternative).join()).toMatch(/leaves more uncovered/);
  expect(
    faults(
      option({}),
      {
        ...alternative,
        strategy: 'whole-sessions',
        score: { total: judge(problem, { sessions: other }, 'whole-sessions').score.total },
      },
      {
        ...alternative,
        strategy: 'balanced',
        sessions: [planned('S1', 'T3 09:00 11:00', '- 11:00 12:00'), rest],
        score: { total: 0 },
      },
    ).join(),
  ).toMatch(/out of order/);
});

test('the same plan written in two ways gives the same text, and the difference between two plans is a share of the affected slots', () => {
  const model = judgeModel(morning());
  const a = { sessions: [planned('S1', 'T2 09:00 12:00'), rest] };
  const b = { sessions: [planned('S3', 'T2 13:00 15:00'), rest, planned('S1', 'T2 09:00 10:00', 'T2 10:00 12:00')] };
  expect(planText(model, a)).toBe(planText(model, b));
  expect(difference(model, a, { sessions: [planned('S1', 'T2 09:00 11:00', '- 11:00 12:00'), rest] })).toBe(4 / 20);
});
