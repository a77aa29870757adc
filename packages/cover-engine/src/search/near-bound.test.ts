import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { loadHighs } from '../load-highs.ts';
import type { Plan, PlanPiece } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { solve } from '../solve.ts';
import { weightsOf } from '../strategies.ts';
import { listNear } from './arc-program.ts';
import { uncoveredColumns } from './columns.ts';
import { generateColumns, moveCosts, type SearchContext } from './column-generation.ts';
import type { Pricing } from './dual-prices.ts';
import { neverCost } from './dearest.ts';
import { buildInstance } from './instance.ts';
import { Master } from './master.ts';
import { makeObjective, planCost } from './objective.ts';
import { PricingGraph } from './pricing-graph.ts';
import { noEffort } from './prove.ts';

const highs = await loadHighs();

/** For each plan: the pieces and moves listed up to its cost, with the dues of charges and without them. */
function listed(seed: number, strategy: Strategy, plans: readonly Plan[]) {
  const instance = buildInstance(buildModel(dayOf(seed)));
  const weights = weightsOf(strategy);
  const objective = makeObjective(instance, weights);
  const graphs = instance.open.map((part, i) => new PricingGraph(instance, part, i));
  for (const graph of graphs) graph.weigh(objective);
  const master = new Master(highs, objective, neverCost(instance, weights));
  const shared = { highs, objective, graphs, insertion: null, master, seed: 1, left: () => Infinity };
  const context: SearchContext = { ...shared, mostListed: 1200 };
  try {
    master.addColumns(objective, uncoveredColumns(instance));
    const moveBase = moveCosts(objective);
    const { best } = generateColumns(context, moveBase, () => Infinity, noEffort());
    if (!best) throw new Error('not solved');
    const free: Pricing = { ...best.pricing, dues: new Float64Array(instance.charges.length) };
    return plans.map((plan) => {
      const room = planCost(objective, plan) - best.bound + 1e-4;
      const list = (pricing: Pricing) =>
        listNear(context, pricing, room, moveBase, Infinity)!.map(({ column }) => {
          const { part, pieces } = column();
          return keyOf(part!.index, pieces[0]!);
        });
      const own = instance.model.parts.flatMap(({ index, affected, booked }) =>
        plan[index]!.filter((piece) => affected || piece.therapist !== booked).map((piece) => keyOf(index, piece)),
      );
      return { list: list(best.pricing), longer: list(free), own };
    });
  } finally {
    master.dispose();
  }
}

const keyOf = (part: number, { therapist, from, to }: PlanPiece) => `${part}: ${therapist}, ${from}, ${to}`;

const dayOf = (seed: number) => coverDay({ seed, therapists: 14, clients: 18, absent: 0.3, hard: seed % 2 === 0 });

test('every plan consists of listed pieces and moves, and the dues of charges make the list shorter', () => {
  let [all, without] = [0, 0];
  for (let seed = 1; seed <= 5; seed++) {
    const solved = solve(dayOf(seed), { highs });
    if (!solved.ok) throw new Error(solved.refusal.detail);
    const plans = solved.options.map((o) => o.plan);
    for (const strategy of ['balanced', 'fewest-calls', 'fewest-faces'] as const)
      for (const { list, longer, own } of listed(seed, strategy, plans)) {
        const keys = new Set(list);
        for (const key of own) expect(keys.has(key), `seed ${seed}, ${strategy}: ${key}`).toBe(true);
        all += list.length;
        without += longer.length;
      }
  }
  expect(without).toBeGreaterThan(1.05 * all);
});
