/** Tests a refresh that begins with what the solve before it knows: it must find and prove just the same. */
import { coverDay, randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { CoverAnswer } from '../answer.ts';
import { buildModel } from '../build-model.ts';
import { unpackDay, type KnownDay } from '../known-day.ts';
import { emptyPlan } from '../model.ts';
import type { CoverProblem, Pin } from '../problem.ts';
import { buildInstance } from '../search/instance.ts';
import { solve, toAnswer } from '../solve.ts';
import { STRATEGIES } from '../strategies.ts';
import { highs } from './engine-under-test.ts';
import { exhaustive } from './exhaustive.ts';
import { judgeAnswer } from './judge-answer.ts';
import { mutate } from './mutate.ts';

/** A solve's answer, what it knows, and how many rounds it took. */
async function solved(problem: CoverProblem, knownDay: KnownDay | null = null) {
  let known: KnownDay | null = null;
  const onKnown = (given: KnownDay) => void (known = structuredClone(given));
  const answer = solve(problem, { highs: await highs(), knownDay: () => structuredClone(knownDay), onKnown });
  const rounds = answer.ok ? answer.efforts.reduce((sum, { effort }) => sum + effort.rounds, 0) : 0;
  return { answer: toAnswer(answer), known: known as KnownDay | null, rounds };
}

/** All of an answer that may not depend on what was known before: plans of equal worth may. */
const worthOf = ({ options, refused }: CoverAnswer) => ({
  options: options
    .filter((o) => o.strategy !== 'alternative')
    .map((o) => [o.strategy, o.proven, o.score.total, o.bound]),
  refused: refused?.code,
});

/** Option 1's points; null without options. */
const first = ({ options }: CoverAnswer) => options[0]?.score.total ?? null;

/** Pins of an option, or of a plan that may break rules. */
function somePins(problem: CoverProblem, answer: CoverAnswer, seed: number): Pin[] {
  const random = randomFrom(seed);
  const { sessions } = random.pick(answer.options);
  if (random.chance(0.5)) return random.sample(sessions, random.int(1, 3));
  const changed = mutate(random, problem, sessions, random.int(1, 3));
  const therapists = new Set([null, ...problem.therapists.map((t) => t.id)]);
  return random
    .sample(
      changed.filter((s, i) => changed.findIndex((x) => x.session === s.session) === i),
      random.int(1, 3),
    )
    .filter((s) => s.pieces.every((p) => p.start < p.end && therapists.has(p.therapist)));
}

test('on tiny days with any pins, knowing the day without them changes no score, proof or refusal', async () => {
  const count = { refused: 0, dearer: 0 };
  for (let seed = 60_000; seed < 60_700; seed++) {
    const day: CoverProblem = { ...tinyDay(seed, seed % 2 === 1), pins: [] };
    const before = await solved(day);
    if (!before.known) continue;
    const problem = { ...day, pins: somePins(day, before.answer, seed) };
    const [plain, handed] = [await solved(problem), await solved(problem, before.known)];
    expect(worthOf(handed.answer), `seed ${seed}`).toEqual(worthOf(plain.answer));
    expect(judgeAnswer(problem, handed.answer), `seed ${seed}`).toEqual([]);
    if (seed % 2 === 0) expect(first(handed.answer), `seed ${seed}`).toBe(exhaustive(problem, 'balanced').total);
    if (handed.answer.refused) count.refused++;
    else if (first(handed.answer)! > first(before.answer)!) count.dearer++;
  }
  expect(Math.min(count.refused, count.dearer)).toBeGreaterThan(20);
});

const days: [string, (seed: number) => CoverProblem, number][] = [
  ['hard days', (seed) => coverDay({ seed, therapists: 14, clients: 18, absent: 0.3, hard: true }), 12],
  [
    'days with the trade’s rules',
    (seed) => coverDay({ seed, therapists: 20, clients: 22, absent: 0.2, trade: true }),
    6,
  ],
];

test.each(days)(
  'on %s, more pins are solved in fewer rounds, and with the same result every time',
  async (_, day, count) => {
    const rounds = { plain: 0, handed: 0 };
    for (let seed = 1; seed <= count; seed++) {
      const free = day(seed);
      const before = await solved(free);
      const pins = somePins(free, before.answer, seed);
      const plain = await solved({ ...free, pins });
      const handed = await solved({ ...free, pins }, before.known);
      expect(worthOf(handed.answer), `seed ${seed}`).toEqual(worthOf(plain.answer));
      expect(judgeAnswer({ ...free, pins }, handed.answer), `seed ${seed}`).toEqual([]);
      await solved({ ...free, pins: pins.slice(1) }, before.known);
      expect((await solved({ ...free, pins }, before.known)).answer, `seed ${seed}`).toEqual(handed.answer);
      rounds.plain += plain.rounds;
      rounds.handed += handed.rounds;
      // What is known of a day with pins serves the day with further pins.
      if (!plain.known) continue;
      const more = [
        ...pins,
        ...somePins(free, plain.answer, seed + 100).filter((p) => pins.every((q) => q.session !== p.session)),
      ];
      const further = [await solved({ ...free, pins: more }), await solved({ ...free, pins: more }, plain.known)];
      expect(worthOf(further[1]!.answer), `seed ${seed}`).toEqual(worthOf(further[0]!.answer));
    }
    expect(rounds.handed).toBeLessThan(rounds.plain);
  },
);

test('a bound within the limits of Option 1 is no floor where another Option 1 allows more', async () => {
  const day = coverDay({ seed: 1, therapists: 14, clients: 18, absent: 0.3, hard: true });
  const { known } = await solved(day);
  const model = buildModel(day);
  const handed = unpackDay(buildInstance(model), known!)!;
  const same = handed.given(known!.searches[0]!.plan);
  const more = handed.given(emptyPlan(model));
  expect(same.size).toBeGreaterThan(3);
  for (const { strategy, bound } of known!.searches.slice(1)) {
    expect(same.get(strategy)?.bound, strategy).toBe(bound);
    expect(more.get(strategy)?.bound, strategy).toBe(STRATEGIES[strategy].held ? -Infinity : bound);
  }
});
