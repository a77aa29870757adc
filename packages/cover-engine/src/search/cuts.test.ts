/** Cuts lift the bound and take no plan away; what is listed is priced as the graphs price it. */
import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { loadHighs } from '../load-highs.ts';
import type { Plan } from '../model.ts';
import { buildModel } from '../build-model.ts';
import { NOBODY } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { SLOTS } from '../slots.ts';
import { OVERLOAD_FROM, WEIGHTS } from '../strategies.ts';
import type { Column, Cut } from './columns.ts';
import { columnsOf, restColumns } from './columns.ts';
import { cutCoefficient, cutSide } from './cut-rows.ts';
import { brokenCuts } from './cuts.ts';
import { Draft } from './draft.ts';
import { makeField, planCost } from './field.ts';
import type { Ground } from './ground.ts';
import { dearest, layGround } from './ground.ts';
import { greedy, improve } from './improve.ts';
import { listColumns } from './list.ts';
import { Master } from './master.ts';
import { PartGraph } from './part-graph.ts';
import { Pool } from './pool.ts';
import type { Effort, Outcome, Workshop } from './relax.ts';
import { moveCosts, relax } from './relax.ts';
import { strengthen } from './strengthen.ts';

const highs = await loadHighs();

/** A relaxation of one strategy of a day, and plans of all kinds. */
function relaxed(seed: number, strategy: Strategy) {
  const model = buildModel(coverDay({ seed, therapists: 40, clients: 45, absent: 0.2, hard: true }));
  const ground = layGround(model);
  const field = makeField(ground, WEIGHTS[strategy]);
  const graphs = ground.open.map((part) => new PartGraph(ground, part));
  for (const graph of graphs) graph.weigh(field);
  const plans: Plan[] = [];
  for (let s = 1; s <= 4; s++) {
    const draft = new Draft(field, graphs);
    draft.begin();
    plans.push(improve(draft, greedy(draft), 5 * s, s, () => false).plan);
  }
  const master = new Master(highs, field, 4 * dearest(model.parts, WEIGHTS[strategy]));
  const shop: Workshop = {
    ...{ highs, field, graphs, draft: null, master, caps: [], left: () => Infinity, seed: 1 },
    ...{ mostListed: 1200, mostNodes: 200 },
  };
  master.addColumns(field, restColumns(ground));
  const effort: Effort = { rounds: 0, columns: 0, rows: 0, listed: 0, finishes: 0, branches: 0, relaxed: 0 };
  const moveBase = moveCosts(field);
  const relaxation = relax(shop, moveBase, [], () => Infinity, effort);
  if (!relaxation.best) throw new Error('not solved');
  return { ground, field, shop, plans, moveBase, effort, values: relaxation.values, best: relaxation.best };
}

/** What a plan pays for on a therapist's day: slots of `lunch` or `over`. */
function paid(ground: Ground, plan: Plan, { therapist, what }: Cut): number {
  const t = ground.model.therapists[therapist];
  const mine = plan.flatMap((pieces, i) =>
    pieces.filter((p) => p.therapist === therapist).map((p) => ({ ...p, booked: ground.model.parts[i]?.booked })),
  );
  if (what === 'over') {
    const given = mine.reduce((n, p) => n + (p.booked === therapist ? 0 : p.to - p.from), 0);
    return Math.max(0, given - OVERLOAD_FROM - (t?.freed ?? 0));
  }
  const slots = new Set(mine.flatMap((p) => Array.from({ length: p.to - p.from }, (_, k) => p.from + k)));
  const work = [...slots].filter((k) => ground.lunchSlot[therapist * SLOTS + k]).length;
  return Math.max(0, work + (ground.lunchAdmin[therapist] ?? 0) - (ground.lunchMost[therapist] ?? 0));
}

const total = (ground: Ground, cut: Cut, columns: readonly Column[]): number =>
  columns.reduce((n, c) => n + cutCoefficient(ground, cut, c), 0);

test('no plan breaks a cut, though the relaxation does', () => {
  const found = { lunch: 0, over: 0 };
  for (let seed = 1; seed <= 8; seed++)
    for (const strategy of ['balanced', 'whole-sessions', 'fewest-changes'] as const) {
      const { ground, shop, plans, values } = relaxed(seed, strategy);
      try {
        for (const cut of brokenCuts(ground, shop.master.columns, values)) {
          found[cut.what]++;
          const mixture = shop.master.columns.reduce(
            (n, c, j) => n + cutCoefficient(ground, cut, c) * (values[j] as number),
            0,
          );
          expect(mixture, `seed ${seed}`).toBeGreaterThan(cutSide(cut));
          for (const plan of plans) {
            const pays = paid(ground, plan, cut);
            expect(total(ground, cut, columnsOf(ground, plan)) - pays, `seed ${seed}`).toBeLessThanOrEqual(
              cutSide(cut),
            );
          }
        }
      } finally {
        shop.master.dispose();
      }
    }
  expect(Math.min(found.lunch, found.over), JSON.stringify(found)).toBeGreaterThan(3);
});

test('what is listed is priced as the graphs price it, and cutting lifts the bound, never over a plan', () => {
  let lifted = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const { field, ground, shop, plans, moveBase, effort, best } = relaxed(seed, 'whole-sessions');
    try {
      const cost = Math.min(...plans.map((plan) => planCost(field, plan)));
      const plan = plans.find((p) => planCost(field, p) === cost) ?? null;
      const listed = listColumns(shop, best.pricing, cost - best.bound + 1, moveBase, 20_000);
      if (!listed) continue;
      const pool = new Pool(field, listed, moveBase);
      const reduced = pool.price(best.pricing);
      shop.graphs.forEach((graph, i) => {
        const mine = [...reduced].filter((_, j) => pool.group[j] === i);
        expect(Math.min(...mine), `seed ${seed}`).toBeCloseTo(graph.price(best.pricing.prices), 4);
      });
      const out: Outcome = { plan, cost, bound: best.bound, proven: false, effort };
      const { bound, excess } = strengthen(shop, out, pool, Infinity, []);
      if (bound > best.bound + 1) lifted++;
      expect(bound, `seed ${seed}`).toBeGreaterThan(best.bound - 1e-4);
      expect(bound, `seed ${seed}`).toBeLessThan(out.cost + 1e-4);
      // A plan costs at least the bound and what its dearest column takes it over that.
      const at = new Map(listed.map((c, j) => [`${c.kind}${c.owner}${JSON.stringify(c.pieces)}`, j]));
      for (const p of plans)
        for (const c of columnsOf(ground, p)) {
          const j = at.get(`${c.kind}${c.owner}${JSON.stringify(c.pieces)}`);
          if (j !== undefined && excess && planCost(field, p) <= cost)
            expect(bound + (excess[j] as number), `seed ${seed}`).toBeLessThan(planCost(field, p) + 1e-4);
        }
    } finally {
      shop.master.dispose();
    }
  }
  expect(lifted).toBeGreaterThan(2);
});

test('cuts are gone from the program when they have done their work', () => {
  const { field, ground, shop, values } = relaxed(29, 'balanced');
  try {
    const before = shop.master.rows.length;
    const objective = shop.master.solve(field, Infinity)?.objective ?? NOBODY;
    const cuts = brokenCuts(ground, shop.master.columns, values);
    shop.master.addRows(field, cuts);
    expect(shop.master.solve(field, Infinity)?.objective).toBeGreaterThan(objective);
    shop.master.release(field);
    expect(shop.master.rows.length).toBe(before);
    expect(shop.master.solve(field, Infinity)?.objective).toBeCloseTo(objective, 5);
  } finally {
    shop.master.dispose();
  }
});
