/** Mixes the options of different clients, and compares what the page says with the engine's own rules. */
import { buildModel, checkSessions, loadHighs, solve, toAnswer } from '@clinic/cover-engine';
import type { CoverModel, CoverOption, CoverProblem, PlannedSession } from '@clinic/cover-engine';
import { DAY_START, findFaults, isoDate, SLOT_MINUTES, type MixHours } from '@clinic/domain';
import { coverDay, randomFrom, tinyDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import type { PlannedDay } from '../problem/planned-day.ts';
import { dayOptions } from './day-options.ts';
import { repeats } from '../../reliability/testing/doses.ts';

const highs = await loadHighs();
const minute = (slot: number): number => DAY_START + slot * SLOT_MINUTES;

/** A planned day for a problem, with clients listed by their ids. */
function plannedDay(problem: CoverProblem, model: CoverModel): PlannedDay {
  return {
    location: 'altamonte',
    date: isoDate(problem.date),
    version: 1,
    now: null,
    problem,
    sessions: model.sessions.map((s) => {
      const therapistId = model.therapists[s.booked]?.id ?? null;
      const grid = { start: minute(s.from), end: minute(s.to) };
      const client = s.client.id;
      return {
        id: s.id,
        listedAs: client,
        problemClient: client,
        service: s.service,
        therapistId,
        grid,
        ...grid,
        rows: [{ key: s.id, wireId: s.id, clientId: client, therapistId, subject: s.service, seat: 1, ...grid }],
        parts: s.parts.map((p) => ({ start: minute(p.from), end: minute(p.to), affected: p.affected })),
        fixed: [],
      };
    }),
    names: Object.fromEntries(model.therapists.map((t) => [t.id, t.id])),
  };
}

/** The plan that gives each client the sessions of the option chosen for that client. */
function mixed(
  problem: CoverProblem,
  options: readonly CoverOption[],
  choice: Record<string, number>,
): PlannedSession[] {
  const clientOf = new Map(problem.sessions.map((s) => [s.id, s.client]));
  return Object.entries(choice).flatMap(([client, i]) =>
    (options[i]?.sessions ?? []).filter((s) => clientOf.get(s.session) === client),
  );
}

/** The hours that leave each therapist of a problem exactly their cap. */
const hoursIn = (model: CoverModel): Record<string, MixHours> =>
  Object.fromEntries(
    model.therapists.flatMap(({ id, cap, freed }) => {
      const own = { week: 0, day: 0, day_limit: null, freed: freed * SLOT_MINUTES, before: 0, rest: [] };
      return cap === null ? [] : [[id, { ...own, week_limit: cap * SLOT_MINUTES }]];
    }),
  );

type Seen = Record<'clash' | 'hours', number>;

/** Where the page and the rules disagree about random mixes; counts in `seen` the mixes that break a rule. */
function disagreements(problem: CoverProblem, seed: number, tries: number, seen: Seen): string[] {
  const answer = toAnswer(solve(problem, { highs, options: 6 }));
  const { options } = answer;
  const faults: string[] = [];
  if (options.length < 2) return faults;
  const random = randomFrom(seed);
  const model = buildModel(problem);
  const { claims } = dayOptions(plannedDay(problem, model), answer, 'proposal', 1);
  const facts = { claims: { [problem.date]: claims }, hours: { [problem.date]: hoursIn(model) } };
  for (let i = 0; i < tries; i++) {
    const choice = Object.fromEntries(problem.clients.map((c) => [c.id, random.int(0, options.length - 1)]));
    const named = Object.fromEntries(Object.entries(choice).map(([c, o]) => [c, `Option ${o + 1}`]));
    const found = findFaults(facts, { [problem.date]: named });
    const broken = checkSessions(model, mixed(problem, options, choice));
    for (const [rule, kind] of [[6, 'clash'] as const, [9, 'hours'] as const]) {
      const judged = broken.some((v) => v.rule === rule);
      if (judged) seen[kind]++;
      const said = found.some((fault) => fault.kind === kind);
      if (judged !== said) faults.push(`${JSON.stringify(choice)}: the rules say ${kind} ${judged}, the page ${said}`);
    }
    const others = broken.filter((v) => v.rule !== 6 && v.rule !== 9);
    if (others.length > 0) faults.push(`${JSON.stringify(choice)}: ${others.map((v) => v.detail).join('; ')}`);
  }
  return faults;
}

test('a mix of options breaks no rule exactly when the page calls the mix consistent', () => {
  const seen = { clash: 0, hours: 0 };
  for (let seed = 70_000; seed < 70_000 + repeats(300); seed++) {
    const day = tinyDay(seed, seed % 2 === 0);
    expect(disagreements({ ...day, pins: [], now: null }, seed, 30, seen), `seed ${seed}`).toEqual([]);
  }
  for (const seed of [1, 2]) {
    const problem = coverDay({ seed, therapists: 30, clients: 34, absent: 0.2, hard: true, doubleBooked: seed });
    const therapists = problem.therapists.map((t, i) => (i % 3 === 0 ? { ...t, cap: 8 } : t));
    expect(disagreements({ ...problem, therapists }, seed, 100, seen), `seed ${seed}`).toEqual([]);
  }
  expect(seen.clash).toBeGreaterThan(100);
  expect(seen.hours).toBeGreaterThan(10);
});

test('an option that differs from an earlier one in less than 10% of the affected time names the earlier option, and says in what', () => {
  const problem = coverDay({ seed: 5103, therapists: 24, clients: 26, absent: 6 });
  const { options, format } = toAnswer(solve(problem, { highs, options: 2 }));
  const [first, second] = options;
  if (!first || !second) throw new Error('a day with two options is needed');
  const planned = plannedDay(problem, buildModel(problem));
  const near = (of: readonly CoverOption[]) =>
    Object.values(dayOptions(planned, { format, options: [...of] }, 'proposal', 1).figures).map(
      (figures) => figures.nearly_the_same_as,
    );
  expect(near([first, second])).toEqual([undefined, undefined]);
  expect(near([first, second, second])).toEqual([undefined, undefined, 'Option 2']);

  // A short session left open is nearly the same, and the difference is said.
  const left = first.sessions.map((_, open) =>
    first.sessions.map((session, i) =>
      i === open ? { ...session, pieces: session.pieces.map((piece) => ({ ...piece, therapist: null })) } : session,
    ),
  );
  const said = left.flatMap((sessions) => {
    const options = [first, { ...first, strategy: 'fewest-calls' as const, sessions }];
    const own = dayOptions(planned, { format, options }, 'proposal', 1).figures['Option 2'];
    return own?.nearly_the_same_as === undefined ? [] : [own.nearly_the_same_in ?? ''];
  });
  expect(said.filter((words) => /less care/.test(words)).length).toBeGreaterThan(0);
});
