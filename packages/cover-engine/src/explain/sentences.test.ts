import { expect, test } from 'vitest';
import { readPlan } from '../judge.ts';
import { buildModel } from '../build-model.ts';
import type { PlannedSession } from '../answer.ts';
import type { CoverProblem, Pin, ProblemSession, ProblemTherapist, Strategy } from '../problem.ts';
import { exhaustive } from '../proof/exhaustive.ts';
import { planChanges } from './changes.ts';
import { choicesFor } from './choices.ts';
import { compareOptions } from './compare.ts';
import { optionFigures } from './figures.ts';
import { findPiece } from './place.ts';
import { whatItWouldTake } from './what-it-takes.ts';
import { whyNobody } from './why-nobody.ts';
import { whyThisTherapist } from './why-therapist.ts';
import { count, duration, listed, span } from './words.ts';

const therapist = (id: string, name: string, more: Partial<ProblemTherapist> = {}): ProblemTherapist => ({
  id,
  name,
  credential: 'RBT',
  gender: 'Female',
  available: [['08:00', '16:00']],
  ...more,
});
const session = (id: string, client: string | null, who: string, start: string, end: string): ProblemSession => ({
  id,
  client,
  therapist: who,
  start,
  end,
  service: client === null ? 'admin' : 'direct',
});

/**
 * The therapist Ana is away. Her client Bo accepts only one other therapist, Ben, who is with client Cal. Dee knows Cal
 * and has only admin time booked.
 */
const problem: CoverProblem = {
  format: 'cover-problem/1',
  date: '2026-11-20',
  location: 'altamonte',
  therapists: [
    therapist('T1', 'Ana Ruiz'),
    therapist('T2', 'Ben Okafor'),
    therapist('T3', 'Dee Park', { credential: 'BCBA' }),
    therapist('T4', 'Eli Novak', { gender: 'Male' }),
    therapist('T5', 'Fay Tran', { available: [['13:00', '16:00']] }),
  ],
  clients: [
    { id: 'C1', name: 'Bo Lee', requiresGender: ['Female'], knownOnly: true, knows: { T1: 'team', T2: 'team' } },
    { id: 'C2', name: 'Cal Dee', knows: { T2: 'team', T3: 'known' } },
    { id: 'C3', name: 'Gil Roy', knows: { T4: 'team' } },
  ],
  sessions: [
    session('S1', 'C1', 'T1', '09:00', '11:00'),
    session('S2', 'C2', 'T2', '09:00', '11:00'),
    session('S3', 'C3', 'T1', '12:00', '14:00'),
    session('A1', null, 'T3', '09:00', '10:00'),
  ],
  absences: [{ who: 'T1', start: '00:00', end: '24:00' }],
};
const model = buildModel(problem);
const planned = (id: string, ...pieces: [string | null, string, string][]): PlannedSession => ({
  session: id,
  pieces: pieces.map(([who, start, end]) => ({ therapist: who, start, end })),
});
const noon = planned('S3', ['T4', '12:00', '14:00']);
const left = { sessions: [planned('S1', [null, '09:00', '11:00']), noon] };
const swapped = {
  sessions: [planned('S1', ['T2', '09:00', '11:00']), planned('S2', ['T3', '09:00', '11:00']), noon],
};
const piece = (option: typeof left, id: string, start: string) => {
  const { plan } = readPlan(model, option.sessions);
  const ref = findPiece(model, plan, id, start);
  if (!ref) throw new Error('no such piece');
  return { plan, ref };
};

test.each([
  ['no more than usual', { load: [[8, 4]] }, []],
  [
    'costly from the first slot on',
    {
      load: [
        [0, 6],
        [8, 4],
      ],
    },
    ['Covered more than others lately, or has few hours left.'],
  ],
  ['more than usual that day', { load: [[4, 4]] }, ['Covers 2 h that day, 1 h more than usual.']],
] satisfies [string, Partial<ProblemTherapist>, string[]][])(
  'given cover that is %s, the explanation gives the matching reason against it, if any',
  (_, more, sentences) => {
    const therapists = problem.therapists.map((t) => (t.id === 'T4' ? { ...t, ...more } : t));
    const loaded = buildModel({ ...problem, therapists });
    const { plan, ref } = piece(left, 'S3', '12:00');
    const reasons = whyThisTherapist(loaded, plan, ref).speaksAgainst.filter(({ code }) => code === 'overload');
    expect(reasons.map(({ text }) => text)).toEqual(sentences);
  },
);

test('given a helper who is not in the building yet, the plan counts one call, and the explanation says so', () => {
  const therapists = problem.therapists.map((t) => (t.id === 'T4' ? { ...t, call: 2 } : t));
  const later = buildModel({ ...problem, therapists });
  const callsIn = (of: typeof model) => {
    const { calls, notInYet } = optionFigures(of, left);
    return [calls, notInYet];
  };
  expect([callsIn(model), callsIn(later)]).toEqual([
    [1, 0],
    [1, 1],
  ]);
  const open = { sessions: [planned('S1', [null, '09:00', '11:00']), planned('S3', [null, '12:00', '14:00'])] };
  expect(compareOptions(later, open, left).costs).toEqual(
    expect.arrayContaining(['1 call', '1 more call to someone not in yet']),
  );
  const { plan } = readPlan(later, left.sessions);
  const ref = findPiece(later, plan, 'S3', '12:00');
  if (!ref) throw new Error('no such piece');
  expect(whyThisTherapist(later, plan, ref).speaksAgainst.map((r) => r.text)).toContain(
    'Eli Novak has to be called for this, and is not in yet.',
  );
});

test('given a piece of cover, the explanation lists the reasons for and against its therapist', () => {
  const { plan, ref } = piece(swapped, 'S1', '09:00');
  const why = whyThisTherapist(model, plan, ref);
  expect(why.speaksFor.map((r) => r.text)).toEqual([
    'On Bo Lee’s care team.',
    'Already at work then.',
    'Takes the whole session, without a handover.',
  ]);
  expect(why.speaksAgainst.map((r) => r.text)).toEqual([
    'Their own session with Cal Dee (9:00 AM to 11:00 AM) goes to others.',
  ]);
  expect(why.costs).toEqual({ substitute: 100, added: 16 });
  expect(why.next).toBeNull();
  expect(why.text).toMatch(/No one else could take this in this plan\.$/);
});

test('given a swap, the explanation lists the reasons for and against the new therapist', () => {
  const { plan, ref } = piece(swapped, 'S2', '09:00');
  const why = whyThisTherapist(model, plan, ref);
  expect(why.speaksFor.map((r) => r.text)).toEqual([
    'Has worked with Cal Dee before.',
    'This frees Ben Okafor for Bo Lee.',
  ]);
  expect(why.speaksAgainst.map((r) => r.text)).toEqual([
    'Cal Dee’s session was not affected, but changes therapists.',
    'More than one person has to be called for this.',
    'A BCBA runs the session for 2 h.',
    'Works 1 h outside their booked day.',
    'Gives up 1 h of admin time.',
  ]);
  expect(why.costs).toEqual({
    swap: 2500,
    substitute: 100,
    known: 64,
    bcba: 480,
    admin: 80,
    callin: 40,
    added: 16,
    call: 200,
  });
});

test('given a swap for which only the family is called, since both therapists are called in any case, the explanation names the family', () => {
  const both = { sessions: [...swapped.sessions.slice(0, 2), planned('S3', ['T3', '12:00', '14:00'])] };
  const { plan, ref } = piece(both, 'S2', '09:00');
  expect(whyThisTherapist(model, plan, ref).speaksAgainst.map((r) => r.text)).toContain(
    'The family of Cal Dee has to be called for this.',
  );
});

test('given a session that has begun, its cover takes all that is left, and not the whole session without a handover', () => {
  const today = buildModel({ ...problem, now: '12:30' });
  const { plan } = readPlan(today, [planned('S3', ['T4', '12:30', '14:00'])]);
  const ref = findPiece(today, plan, 'S3', '12:30');
  expect(ref && whyThisTherapist(today, plan, ref).speaksFor.map((r) => r.text)).toContain(
    'Takes all that is left of the session.',
  );
});

test('given another possible therapist, the explanation names the next-best therapist and what choosing that therapist would mean', () => {
  const { plan, ref } = piece(left, 'S3', '12:00');
  const why = whyThisTherapist(model, plan, ref);
  expect(why.next).toMatchObject({ name: 'Ben Okafor', better: [] });
  expect(why.next?.text).toBe('Next best: Ben Okafor. Would be new to the child.');
});

test('given a session that moves although its therapist is free, that therapist is the next best', () => {
  const { plan, ref } = piece({ sessions: [planned('S2', ['T3', '09:00', '11:00']), noon] }, 'S2', '09:00');
  expect(whyThisTherapist(model, plan, ref).next).toMatchObject({
    name: 'Ben Okafor',
    worse: [],
    text: 'Next best: Ben Okafor. Would not be from outside the care team, change another child’s session or mean a BCBA running a session.',
  });
});

test('given a gap, the explanation counts therapists by reason, and the counts add up to all therapists', () => {
  const { plan, ref } = piece(left, 'S1', '09:00');
  const why = whyNobody(model, plan, { part: ref.part, from: 8, to: 16 });
  expect(why.text).toBe(
    'No therapist takes 9:00 AM to 11:00 AM. Of 5 therapists, 1 is away; 1 does not work then; ' +
      '2 are new to Bo Lee, who sees only familiar people; 1 is with their own client.',
  );
});

test('given parent training of a child without a mark, therapists whom the child does not know are not called strangers to a child who sees only familiar people', () => {
  const bcba = { credential: 'BCBA' } as const;
  const of = (marks: { knownOnly?: boolean }, service: 'supervision' | 'parent-training') =>
    buildModel({
      ...problem,
      therapists: [therapist('T1', 'Ana Ruiz', bcba), therapist('T2', 'Ben Okafor', bcba), therapist('T3', 'Dee Park')],
      clients: [{ id: 'C1', name: 'Björn Santos', knows: { T1: 'team' }, ...marks }],
      sessions: [{ ...session('S1', 'C1', 'T1', '09:00', '11:00'), service }],
    });
  const told = (day: ReturnType<typeof of>) => {
    const { plan } = readPlan(day, [planned('S1', [null, '09:00', '11:00'])]);
    const texts = whyNobody(day, plan, { part: 0, from: 8, to: 16 }).groups.map(({ text }) => text);
    return [texts, choicesFor(day, plan, { part: 0, from: 8, to: 16 }, 'balanced').map(({ text }) => text)];
  };
  const others = ['1 is away', '1 does not have the credential'];
  expect(told(of({}, 'parent-training'))).toEqual([
    [...others, '1 has not met Björn Santos; parent training stays with people who know them'],
    [
      'not: away',
      'not: has not met Björn Santos; parent training stays with people who know them',
      'not: RBTs may not run this session',
    ],
  ]);
  expect(told(of({ knownOnly: true }, 'parent-training'))[0]).toEqual([
    ...others,
    '1 is new to Björn Santos, who sees only familiar people',
  ]);
});

test('given a gap that begins too soon for therapists at home, the explanation gives that reason, not that they are free for too short a time', () => {
  const gap = session('S3', 'C3', 'T1', '12:00', '12:30');
  const today = buildModel({ ...problem, now: '11:10', sessions: [...problem.sessions.slice(0, 2), gap] });
  const { plan } = readPlan(today, [planned('S3', [null, '12:00', '12:30'])]);
  const part = today.parts.find(({ session: own }) => own.id === 'S3')?.index ?? -1;
  expect(whyNobody(today, plan, { part, from: 20, to: 22 }).groups.map(({ text }) => text)).toEqual([
    '1 is away',
    '1 does not work then',
    '3 would have to come in on less than an hour’s notice',
  ]);
});

test.each<[string, Partial<ProblemTherapist>, string[], Strategy, string]>([
  ['would make the day worse', { load: [[0, 5000]] }, [], 'balanced', 'but the rest of the day would get worse'],
  ['a pin leaves', {}, ['S3'], 'balanced', 'but the choice for this session leaves it without a therapist'],
  ['no pin of its own leaves', {}, ['S1'], 'balanced', 'so there may be a better plan'],
  ['an alternative leaves', {}, [], 'alternative', 'but this option must differ from the others'],
])(
  'given a gap that a therapist could take and that %s, the explanation says only what is true',
  (_, more, pinned, strategy, words) => {
    const open = [planned('S1', [null, '09:00', '11:00']), planned('S3', [null, '12:00', '14:00'])];
    const of = buildModel({
      ...problem,
      therapists: problem.therapists.map((t) => (t.id === 'T4' ? { ...t, ...more } : t)),
      clients: problem.clients.map((c) => ({ ...c, knownOnly: true })),
      pins: open.filter((each) => pinned.includes(each.session)),
    });
    const { plan } = readPlan(of, open);
    const part = of.parts.find(({ session: own }) => own.id === 'S3')?.index ?? -1;
    const why = whyNobody(of, plan, { part, from: 20, to: 28 }, strategy);
    expect(why.groups.at(-1)?.text).toBe(`1 could take some of this time, ${words}`);
  },
);

test.each([
  ['T4', 'Ben Okafor. Would mean one more new face.'],
  ['T2', 'Eli Novak. Would not mean one more new face.'],
])(
  'given two therapists who are new to a child, the explanation says that only one of them is there already',
  (who, words) => {
    const of = buildModel({
      ...problem,
      therapists: problem.therapists.map((t) => ({ ...t, call: 0, load: [] })),
      clients: problem.clients.map((c) => (c.id === 'C3' ? { ...c, knows: {} } : c)),
      sessions: [...problem.sessions, session('S4', 'C3', 'T1', '14:00', '16:00')],
    });
    const { plan } = readPlan(of, [
      planned('S1', [null, '09:00', '11:00']),
      noon,
      planned('S4', [who, '14:00', '16:00']),
    ]);
    const ref = findPiece(of, plan, 'S4', '14:00');
    expect(ref && whyThisTherapist(of, plan, ref).next?.text).toBe(`Next best: ${words}`);
  },
);

test('given a payer with requirements, therapists who do not meet them form a group of their own, and the explanation names the payer', () => {
  const tagged = problem.therapists.map((t) => ({
    ...t,
    tags: { T2: ['Spanish'], T3: ['Acme'], T4: ['Acme', 'Spanish'] }[t.id] ?? [],
  }));
  const [, , third] = problem.clients;
  const of = buildModel({
    ...problem,
    format: 'cover-problem/2',
    therapists: tagged,
    clients: [
      ...problem.clients.slice(0, 2),
      {
        ...third,
        id: 'C3',
        name: 'Gil Roy',
        needs: ['Acme', 'Spanish'],
        credentials: ['RBT', 'BCBA'],
        payer: { name: 'Acme Health', needs: ['Acme'], credentials: ['RBT', 'BCBA'] },
      },
    ],
  });
  const { plan } = readPlan(of, [planned('S1', [null, '09:00', '11:00']), planned('S3', [null, '12:00', '14:00'])]);
  const part = of.parts.find(({ session: own }) => own.id === 'S3')?.index ?? -1;
  expect(whyNobody(of, plan, { part, from: 20, to: 24 }).groups.map(({ bar, text }) => [bar, text])).toEqual([
    ['away', '1 is away'],
    ['not available', '1 does not work then'],
    ['needs', '1 does not have what Gil Roy needs: Spanish'],
    ['payer', '1 does not have what Acme Health requires'],
    ['could, at a gain', '1 could take some of this time, so there may be a better plan'],
  ]);
  const covered = readPlan(of, [planned('S1', [null, '09:00', '11:00']), noon]).plan;
  const ref = findPiece(of, covered, 'S3', '12:00');
  expect(ref && whyThisTherapist(of, covered, ref).speaksFor.map((r) => r.text)).toEqual([
    'On Gil Roy’s care team.',
    'Has what Gil Roy needs: Spanish.',
    'Has what Acme Health requires: Acme and RBT.',
    'Takes the whole session, without a handover.',
  ]);
});

test('given a gap, the changes that would cover it are listed with their cost, or the gap is reported as impossible to cover', async () => {
  const { plan, ref } = piece(left, 'S1', '09:00');
  const answer = await whatItWouldTake(model, plan, { part: ref.part, from: 8, to: 16 }, (asked, mustCover) => {
    const best = exhaustive(asked, 'balanced', { mustCover });
    return best.total === null ? 'none' : { sessions: best.sessions, proven: true };
  });
  expect(answer.text).toBe(
    'Covering Bo Lee 9:00 AM to 11:00 AM would take: 1 session of another child changes, ' +
      '2 h more of BCBAs running sessions, 1 h more called in on free time, 1 h more admin time given up, ' +
      '3 more calls, 2 more substitutes, 2 more people help.',
  );
  expect(answer.changes.map((c) => c.text)).toEqual([
    'Ben Okafor takes Bo Lee 9:00 AM to 11:00 AM.',
    'Dee Park takes Cal Dee 9:00 AM to 11:00 AM instead of Ben Okafor.',
  ]);
  const never = { ...problem, absences: [...problem.absences, { who: 'T2', start: '00:00', end: '24:00' }] };
  const nobody = await whatItWouldTake(buildModel(never), plan, { part: ref.part, from: 8, to: 16 }, () => 'none');
  expect(nobody).toMatchObject({ possible: false, changes: [], why: { total: 5 } });
  expect(nobody.text).toBe('Whatever else changes, no one who works then can cover Bo Lee 9:00 AM to 11:00 AM.');
});

test('given a gap that a pin keeps, the pin does not make covering it impossible; other pins that stay are named', async () => {
  const { plan, ref } = piece(left, 'S1', '09:00');
  const gap: Pin = { session: 'S1', pieces: [{ therapist: null, start: '09:00', end: '11:00' }] };
  const stays: Pin = { session: 'S2', pieces: [{ therapist: 'T2', start: '09:00', end: '11:00' }] };
  const takes = (pins: Pin[]) =>
    whatItWouldTake(buildModel({ ...problem, pins }), plan, { part: ref.part, from: 8, to: 16 }, (asked, mustCover) => {
      const best = exhaustive(asked, 'balanced', { mustCover });
      return best.total === null ? 'none' : { sessions: best.sessions, proven: true };
    });
  expect((await takes([gap])).text).toBe((await takes([])).text);
  expect((await takes([gap, stays])).text).toBe(
    'While the other choices stay, no one who works then can cover Bo Lee 9:00 AM to 11:00 AM.',
  );
});

test('given two options, the comparison lists what the second one gains and costs', () => {
  expect(compareOptions(model, left, swapped).text).toBe(
    '2 h more care, 2 h more with the care team, 1 session of another child changes, 2 h more of BCBAs running sessions',
  );
  expect(compareOptions(model, swapped, left).text).toBe(
    'no session of another child changes, 2 h less of BCBAs running sessions, 2 h less care, 2 h less with the care team',
  );
});

test('given a session that loses its therapist, the change says that the session would have no therapist', () => {
  const [a, b] = [readPlan(model, swapped.sessions).plan, readPlan(model, left.sessions).plan];
  expect(planChanges(model, a, b)[0]?.text).toBe(
    'Bo Lee would have no therapist 9:00 AM to 11:00 AM (2 h), instead of Ben Okafor.',
  );
});

test('durations, counts, lists and times are worded as people write them', () => {
  expect([15, 60, 90, 0].map(duration)).toEqual(['15 min', '1 h', '1 h 30 min', '0 min']);
  expect([count(1, 'handover'), count(2, 'handover')]).toEqual(['1 handover', '2 handovers']);
  expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
  expect(span(8, 22)).toBe('9:00 AM to 12:30 PM');
});
