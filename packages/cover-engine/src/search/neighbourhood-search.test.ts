import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { viewPlan } from '../constraints/view.ts';
import { workingDays } from '../count.ts';
import { checkPlan } from '../judge.ts';
import { emptyPlan, NOBODY } from '../model.ts';
import type { CoverProblem } from '../problem.ts';
import { SLOTS } from '../slots.ts';
import { TERM_NAMES, type Weights } from '../terms.ts';
import { Insertion } from './insertion.ts';
import { buildInstance } from './instance.ts';
import { makeObjective, type Objective } from './objective.ts';
import { PricingGraph } from './pricing-graph.ts';

const instanceOf = (problem: CoverProblem) => buildInstance(buildModel(problem));

function insertionFor(objective: Objective): Insertion {
  const graphs = objective.instance.open.map((part, i) => new PricingGraph(objective.instance, part, i));
  for (const graph of graphs) graph.weigh(objective);
  return new Insertion(objective, graphs);
}

test('a lunch slot that two sessions leave is free once, not twice', () => {
  let compared = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const day = instanceOf(coverDay({ seed, therapists: 16, clients: 20, absent: 0.1, doubleBooked: 8 }));
    // All work at lunch counts as lost here, where a lunch is due at all.
    const instance = { ...day, lunchMost: day.lunchMost.map((most) => (most === SLOTS ? most : 0)) };
    const { model, movable, lunchSlot } = instance;
    const none = Object.fromEntries(TERM_NAMES.map((term) => [term, 0])) as Weights;
    const objective = makeObjective(instance, { ...none, lunch: 1 });
    const insertion = insertionFor(objective);
    const pairs = movable.flatMap((a) =>
      movable.filter((b) => a.part.index < b.part.index).map((b) => [a, b] as const),
    );
    for (const [a, b] of pairs) {
      if (a.part.booked !== b.part.booked) continue;
      const [from, to] = [Math.max(a.part.from, b.part.from), Math.min(a.part.to, b.part.to)];
      if (!lunchSlot.subarray(a.part.booked * SLOTS + from, a.part.booked * SLOTS + Math.max(from, to)).includes(1))
        continue;
      for (const s of a.targets)
        for (const t of b.targets) {
          const plan = emptyPlan(model);
          plan[a.part.index] = [{ therapist: s, from: a.part.from, to: a.part.to }];
          plan[b.part.index] = [{ therapist: t, from: b.part.from, to: b.part.to }];
          if (checkPlan(model, plan).length > 0) continue;
          const moves = Int32Array.from(movable, ({ part }) => (part === a.part ? s : part === b.part ? t : NOBODY));
          insertion.restore(
            instance.open.map((part) => plan[part.index]!),
            moves,
          );
          compared++;
          const days = workingDays(viewPlan(model, plan));
          const work = days.reduce((n, { lunchWork }, i) => n + (instance.lunchMost[i] === 0 ? lunchWork : 0), 0);
          expect(insertion.cost()).toBe(work);
        }
    }
  }
  expect(compared).toBeGreaterThan(10);
});
