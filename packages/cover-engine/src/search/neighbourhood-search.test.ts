import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { checkPlan } from '../judge.ts';
import { POINTS } from '../terms.ts';
import { Insertion } from './insertion.ts';
import { buildInstance } from './instance.ts';
import { greedy, improve } from './neighbourhood-search.ts';
import { makeObjective, planCost } from './objective.ts';
import { PricingGraph } from './pricing-graph.ts';

test('whatever was taken out, inserted and moved, an improved plan is legal, costs what is said and never more than before', () => {
  let improved = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const day = coverDay({
      seed,
      therapists: 16,
      clients: 20,
      absent: 0.4,
      hard: seed % 2 === 0,
      doubleBooked: seed % 3,
    });
    const instance = buildInstance(buildModel(day));
    // Moves and lost lunches cost little here, so that plans have many of them.
    const objective = makeObjective(instance, { ...POINTS, swap: 10, lunch: 50 });
    const graphs = instance.open.map((part, i) => new PricingGraph(instance, part, i));
    for (const graph of graphs) graph.weigh(objective);
    const insertion = new Insertion(objective, graphs);
    insertion.begin();
    let best = greedy(insertion);
    for (let round = 0; round < 20; round++) {
      const next = improve(insertion, best, 1, 100 * seed + round, () => false);
      const which = `seed ${seed}, round ${round}`;
      expect(checkPlan(instance.model, next.plan), which).toEqual([]);
      expect(next.cost, which).toBe(planCost(objective, next.plan));
      expect(next.cost, which).toBeLessThanOrEqual(best.cost);
      if (next.cost < best.cost) improved++;
      best = next;
    }
  }
  expect(improved).toBeGreaterThan(20);
});
