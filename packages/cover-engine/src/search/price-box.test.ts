import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { loadHighs } from '../load-highs.ts';
import { POINTS } from '../terms.ts';
import { withoutBoxes } from './basis.ts';
import type { Column } from './column.ts';
import { generateColumns, moveCosts } from './column-generation.ts';
import { plainColumn, uncoveredColumns } from './columns.ts';
import { neverCost } from './dearest.ts';
import { buildInstance } from './instance.ts';
import { Master } from './master.ts';
import { makeObjective } from './objective.ts';
import { PricingGraph } from './pricing-graph.ts';
import { noEffort } from './prove.ts';

const highs = await loadHighs();
const BASIC = 1;

/** Relaxes a day with at least 45 open parts, until it has had so many boxes. */
function relaxed(boxes: number) {
  const therapists = 42;
  const day = coverDay({ seed: 2, therapists, clients: Math.round(therapists * 1.1), absent: 0.15, unassigned: 0.7 });
  const instance = buildInstance(buildModel(day));
  expect(instance.open.length).toBeGreaterThanOrEqual(45);
  const objective = makeObjective(instance, POINTS);
  const master = new Master(highs, objective, neverCost(instance, POINTS));
  const graphs = instance.open.map((part, i) => new PricingGraph(instance, part, i));
  for (const graph of graphs) graph.weigh(objective);
  master.addColumns(objective, uncoveredColumns(instance));
  const effort = noEffort();
  const sizes: number[] = [];
  const left = () => (sizes.length < boxes ? Infinity : 0);
  const limits = { caps: [], seed: 1, mostListed: 1200, fewPatterns: 250, mostNodes: 200 };
  const context = { highs, objective, graphs, master, insertion: null, left, ...limits };
  const setBoxes = master.setBoxes.bind(master);
  master.setBoxes = (all) => {
    sizes.push(Math.max(...all.map(({ most }) => most)));
    setBoxes(all);
  };
  const relaxation = generateColumns(context, moveCosts(objective), [], () => Infinity, effort);
  return { objective, master, relaxation, sizes };
}

const boxesIn = (columns: readonly Column[]): number => columns.filter(({ kind }) => kind === 'box').length;

test('a large relaxation has smaller and smaller boxes, and ends as the program without them', () => {
  const { objective, master, relaxation, sizes } = relaxed(Infinity);
  expect(relaxation.complete).toBe(true);
  expect(sizes.length).toBeGreaterThan(5);
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
  expect(sizes.at(-1)).toBe(0);
  expect(boxesIn(master.columns)).toBe(0);
  expect(relaxation.values.length).toBe(master.columns.length);
  expect(master.solve(objective, Infinity)!.objective).toBeCloseTo(relaxation.best!.bound, 3);
  master.dispose();
});

test('given a large relaxation that runs out of time within a box, its solution and its basis have no boxes', () => {
  const { objective, master, relaxation, sizes } = relaxed(3);
  expect(relaxation.complete).toBe(false);
  expect(sizes.at(-1)).toBeGreaterThan(0);
  expect(boxesIn(master.columns)).toBe(0);
  expect(boxesIn([...master.basis(false)!.columns.values()].map(({ column }) => column))).toBe(0);
  master.columns.forEach((column, j) => {
    if (column.kind === 'charge') expect(relaxation.values[j] ?? 0).toBeLessThanOrEqual(1 + 1e-6);
  });
  const most = master.solve(objective, Infinity)!;
  expect(most.objective).toBeGreaterThanOrEqual(relaxation.best!.bound - 1e-3);
  master.dispose();
});

test('a box that leaves while it is basic leaves its row basic', () => {
  const columns = [plainColumn('charge', 0), plainColumn('box', 2), plainColumn('box', 3), plainColumn('charge', 1)];
  const rows = [0, 1, 2].map((owner) => ({ kind: 'part' as const, owner }));
  const before = { colStatus: Int32Array.of(BASIC, 0, BASIC), rowStatus: Int32Array.of(BASIC, 0) };
  expect(withoutBoxes(columns, rows, before)).toEqual({
    colStatus: Int32Array.of(BASIC, 0),
    rowStatus: Int32Array.of(BASIC, BASIC, BASIC),
  });
});
