/** Tests that cuts raise the bound and remove no plan, and that listed columns cost the same as in the graphs. */
import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { loadHighs } from '../load-highs.ts';
import type { Plan } from '../model.ts';
import { buildModel } from '../build-model.ts';
import type { Strategy } from '../problem.ts';
import { SLOTS } from '../slots.ts';
import { weightsOf } from '../strategies.ts';
import type { Column, Cut } from './column.ts';
import { columnsOf, uncoveredColumns } from './columns.ts';
import { cutCoefficient, cutSide } from './cover-cuts.ts';
import { separateCuts } from './separate-cuts.ts';
import { Insertion } from './insertion.ts';
import { makeObjective, planCost } from './objective.ts';
import type { Instance } from './instance.ts';
import { neverCost } from './dearest.ts';
import { buildInstance } from './instance.ts';
import { greedy, improve } from './neighbourhood-search.ts';
import { enumerateColumns } from './enumerate-columns.ts';
import { Master } from './master.ts';
import { PricingGraph } from './pricing-graph.ts';
import { ColumnPool } from './column-pool.ts';
import type { Effort, Outcome, SearchContext } from './column-generation.ts';
import { moveCosts, generateColumns } from './column-generation.ts';
import { addCuts } from './cutting-planes.ts';

const highs = await loadHighs();

/** Solves the relaxation of one strategy for a day, and makes four heuristic plans with increasing effort. */
function relaxed(seed: number, strategy: Strategy) {
  const model = buildModel(coverDay({ seed, therapists: 40, clients: 45, absent: 0.2, hard: true }));
  const instance = buildInstance(model);
  const objective = makeObjective(instance, weightsOf(strategy));
  const graphs = instance.open.map((part, i) => new PricingGraph(instance, part, i));
  for (const graph of graphs) graph.weigh(objective);
  const plans: Plan[] = [];
  for (let s = 1; s <= 4; s++) {
    const insertion = new Insertion(objective, graphs);
    insertion.begin();
    plans.push(improve(insertion, greedy(insertion), 5 * s, s, () => false).plan);
  }
  const master = new Master(highs, objective, neverCost(instance, weightsOf(strategy)));
  const context: SearchContext = {
    highs,
    objective,
    graphs,
    insertion: null,
    master,
    caps: [],
    left: () => Infinity,
    seed: 1,
    mostListed: 1200,
    fewPatterns: 250,
    mostNodes: 200,
  };
  master.addColumns(objective, uncoveredColumns(instance));
  const effort: Effort = { rounds: 0, columns: 0, rows: 0, listed: 0, finishes: 0, branches: 0, relaxed: 0 };
  const moveBase = moveCosts(objective);
  const relaxation = generateColumns(context, moveBase, [], () => Infinity, effort);
  if (!relaxation.best) throw new Error('not solved');
  return { instance, objective, context, plans, moveBase, effort, values: relaxation.values, best: relaxation.best };
}

/** How many slots of `lunch` or `over` a plan pays for on a therapist's day. */
function paid(instance: Instance, plan: Plan, { therapist, what, step }: Cut): number {
  const mine = plan.flatMap((pieces, i) =>
    pieces.filter((p) => p.therapist === therapist).map((p) => ({ ...p, booked: instance.model.parts[i]?.booked })),
  );
  if (what === 'over') {
    const given = mine.reduce((n, p) => n + (p.booked === therapist ? 0 : p.to - p.from), 0);
    return Math.max(0, given - (instance.steps[step]?.room ?? 0));
  }
  const slots = new Set(mine.flatMap((p) => Array.from({ length: p.to - p.from }, (_, k) => p.from + k)));
  const work = [...slots].filter((k) => instance.lunchSlot[therapist * SLOTS + k]).length;
  return Math.max(0, work + (instance.lunchAdmin[therapist] ?? 0) - (instance.lunchMost[therapist] ?? 0));
}

const total = (instance: Instance, cut: Cut, columns: readonly Column[]): number =>
  columns.reduce((n, c) => n + cutCoefficient(instance, cut, c), 0);

test('given a cut that the relaxation breaks, no plan breaks the cut', () => {
  const found = { lunch: 0, over: 0 };
  for (let seed = 1; seed <= 8; seed++)
    for (const strategy of ['balanced', 'whole-sessions', 'fewest-faces'] as const) {
      const { instance, context, plans, values } = relaxed(seed, strategy);
      try {
        for (const cut of separateCuts(instance, context.master.columns, values)) {
          found[cut.what]++;
          const mixture = context.master.columns.reduce(
            (n, c, j) => n + cutCoefficient(instance, cut, c) * values[j]!,
            0,
          );
          expect(mixture, `seed ${seed}`).toBeGreaterThan(cutSide(cut));
          for (const plan of plans) {
            const pays = paid(instance, plan, cut);
            expect(total(instance, cut, columnsOf(instance, plan)) - pays, `seed ${seed}`).toBeLessThanOrEqual(
              cutSide(cut),
            );
          }
        }
      } finally {
        context.master.dispose();
      }
    }
  expect(Math.min(found.lunch, found.over), JSON.stringify(found)).toBeGreaterThan(3);
});

test('listed columns cost the same as in the graphs, and cuts raise the bound, but never above the cost of a plan', () => {
  let lifted = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const { objective, instance, context, plans, moveBase, effort, best } = relaxed(seed, 'whole-sessions');
    try {
      const cost = Math.min(...plans.map((plan) => planCost(objective, plan)));
      const plan = plans.find((p) => planCost(objective, p) === cost) ?? null;
      const listed = enumerateColumns(context, best.pricing, cost - best.bound + 1, moveBase, 20_000);
      if (!listed) continue;
      const pool = new ColumnPool(objective, listed, moveBase);
      const reduced = pool.price(best.pricing);
      context.graphs.forEach((graph, i) => {
        const mine = [...reduced].filter((_, j) => pool.group[j] === i);
        expect(Math.min(...mine), `seed ${seed}`).toBeCloseTo(graph.price(best.pricing.prices), 4);
      });
      const out: Outcome = { plan, cost, bound: best.bound, proven: false, effort, basis: null };
      const { bound, excess } = addCuts(context, out, pool, Infinity, []);
      if (bound > best.bound + 1) lifted++;
      expect(bound, `seed ${seed}`).toBeGreaterThan(best.bound - 1e-4);
      expect(bound, `seed ${seed}`).toBeLessThan(out.cost + 1e-4);
      // A plan costs at least the bound plus the excess of any of its columns.
      const at = new Map(listed.map((c, j) => [`${c.kind}${c.owner}${JSON.stringify(c.pieces)}`, j]));
      for (const p of plans)
        for (const c of columnsOf(instance, p)) {
          const j = at.get(`${c.kind}${c.owner}${JSON.stringify(c.pieces)}`);
          if (j !== undefined && excess && planCost(objective, p) <= cost)
            expect(bound + excess[j]!, `seed ${seed}`).toBeLessThan(planCost(objective, p) + 1e-4);
        }
    } finally {
      context.master.dispose();
    }
  }
  expect(lifted).toBeGreaterThan(2);
});

test('when the master is released, its cuts are gone and the relaxation is as it was before the cuts', () => {
  const { objective, instance, context, values } = relaxed(29, 'balanced');
  try {
    const before = context.master.rows.length;
    const relaxedAt = context.master.solve(objective, Infinity)?.objective ?? NaN;
    const cuts = separateCuts(instance, context.master.columns, values);
    context.master.addRows(objective, cuts);
    expect(context.master.solve(objective, Infinity)?.objective).toBeGreaterThan(relaxedAt);
    context.master.release(objective);
    expect(context.master.rows.length).toBe(before);
    expect(context.master.solve(objective, Infinity)?.objective).toBeCloseTo(relaxedAt, 5);
  } finally {
    context.master.dispose();
  }
});
