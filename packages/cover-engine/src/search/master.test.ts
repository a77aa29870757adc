import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { loadHighs } from '../load-highs.ts';
import { NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import { POINTS, TERM_NAMES, type Weights } from '../terms.ts';
import { generateColumns, moveCosts, priceAll } from './column-generation.ts';
import type { Column } from './column.ts';
import { uncoveredColumns } from './columns.ts';
import type { Pricing } from './dual-prices.ts';
import { buildInstance } from './instance.ts';
import { Master } from './master.ts';
import { makeObjective } from './objective.ts';
import { noEffort } from './prove.ts';
import { personPrice, piecePrice } from './prices.ts';
import { PricingGraph } from './pricing-graph.ts';
import { columnCost } from './rows.ts';
import { neverCost } from './dearest.ts';

const highs = await loadHighs();
const noPoints = Object.fromEntries(TERM_NAMES.map((term) => [term, 0])) as Weights;

/** A master program of a large day after some rounds with these weights, and its last solution. */
function relaxed() {
  const problem = coverDay({ seed: 3, therapists: 40, clients: 45, absent: 0.3 });
  const instance = buildInstance(buildModel(problem));
  const objective = makeObjective(instance, POINTS);
  const never = neverCost(instance, POINTS);
  const master = new Master(highs, objective, never);
  const graphs = instance.open.map((part, i) => new PricingGraph(instance, part, i));
  for (const graph of graphs) graph.weigh(objective);
  const limits = { left: () => Infinity, seed: 1, mostListed: 1200 };
  const context = { highs, objective, graphs, master, insertion: null, ...limits };
  const costs = instance.movable.map((m) => new Float64Array(m.targets.length).fill(POINTS.swap));
  master.addColumns(objective, uncoveredColumns(instance));
  for (let round = 0; round < 6; round++) {
    const { pricing, values } = master.solve(objective, Infinity)!;
    master.addRows(objective, master.broken(values));
    master.addColumns(objective, priceAll(context, pricing, costs, 60).added);
  }
  return { instance, objective, never, master, context, before: master.solve(objective, Infinity)! };
}

test('given many known columns, when a new strategy begins, then columns far from the solution are dropped and the solution stays', () => {
  const { objective, never, master, before } = relaxed();
  const all = [...master.columns];
  master.take(objective, never);
  const after = master.solve(objective, Infinity)!;
  const kept = master.columns.length;
  expect(kept).toBeLessThan(all.length - 100);
  expect(after.objective).toBeCloseTo(before.objective, 6);
  // A dropped column can come back, and only a dropped one is new.
  expect(master.addColumns(objective, all)).toBe(all.length - kept);
  expect(master.solve(objective, Infinity)!.objective).toBeCloseTo(before.objective, 6);
  master.dispose();
});

test('given the basis of an earlier solution, when the same objective is solved again, then the program ends with that basis at once', () => {
  const { instance, objective, never, master, before } = relaxed();
  const basis = master.basis(true)!;
  const calls = makeObjective(instance, { ...noPoints, call: 1 });
  const known = new Set(master.columns);
  master.take(calls, never);
  master.solve(calls, Infinity);
  master.take(objective, never, basis);
  const dropped = [...known].filter((column) => !master.columns.includes(column));
  expect(dropped.length).toBeGreaterThan(0);
  expect(master.solve(objective, Infinity)!.objective).toBeCloseTo(before.objective, 6);
  expect([...master.basis(true)!.columns.keys()].sort()).toEqual([...basis.columns.keys()].sort());
  master.dispose();
});

test('a program has a basis once it was solved, though it grows afterwards', () => {
  const instance = buildInstance(buildModel(coverDay({ seed: 3, therapists: 12, clients: 12, absent: 0.2 })));
  const objective = makeObjective(instance, POINTS);
  const master = new Master(highs, objective, neverCost(instance, POINTS));
  expect(master.basis(true)).toBeNull();
  master.addColumns(objective, uncoveredColumns(instance));
  master.solve(objective, Infinity);
  const { columns, rows } = master.basis(true)!;
  expect(columns.size).toBeGreaterThan(0);
  master.addRows(objective, [{ kind: 'cap', therapist: 0 }]);
  const grown = master.basis(true)!;
  expect(grown.columns).toEqual(columns);
  expect(grown.rows.size).toBe(rows.size + 1);
  master.dispose();
});

test('given the basis at which a relaxation ended, a program with other columns and its rows in another order ends there at once', () => {
  const { context, objective, never, master } = relaxed();
  const costs = moveCosts(objective);
  const { best, complete } = generateColumns(context, costs, () => Infinity, noEffort());
  expect(complete).toBe(true);
  const basis = master.basis(false)!;
  expect(basis.columns.size).toBeGreaterThan(master.basis(true)!.columns.size);
  const other = new Master(highs, objective, never);
  other.addRows(objective, [...basis.rows.values()].map(({ row }) => row).reverse());
  other.take(objective, never, basis);
  const effort = noEffort();
  const again = generateColumns({ ...context, master: other }, costs, () => Infinity, effort);
  expect(again.best!.bound).toBeCloseTo(best!.bound, 6);
  expect(effort.rounds).toBe(1);
  master.dispose();
  other.dispose();
});

/** The cost of the cheapest of these patterns for each part. */
function leastCosts({ instance, objective, master }: ReturnType<typeof relaxed>, { prices }: Pricing) {
  const costOf = (pattern: Column): number => {
    let cost = columnCost(objective, pattern, 0) + personPrice(instance, prices, pattern);
    for (const { therapist, from, to } of pattern.pieces) {
      if (therapist === NOBODY) continue;
      if (therapist !== pattern.part!.booked) cost += piecePrice(instance, prices, therapist, from, to);
      else for (let k = from; k < to; k++) cost += prices.slots[therapist * SLOTS + k]!;
    }
    return cost;
  };
  const patterns = master.columns.filter(({ kind }) => kind === 'pattern');
  return instance.open.map((_, owner) => Math.min(...patterns.filter((p) => p.owner === owner).map(costOf)));
}

test('no known pattern costs less than its part’s dual, though patterns have an upper bound of their own', () => {
  const all = relaxed();
  const { partDuals } = all.before.pricing;
  expect(partDuals.length).toBeGreaterThan(5);
  leastCosts(all, all.before.pricing).forEach((least, owner) =>
    expect(least).toBeGreaterThan(partDuals[owner]! - 1e-4),
  );
  all.master.dispose();
});
