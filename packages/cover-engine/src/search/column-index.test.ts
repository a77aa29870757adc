import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import { loadHighs } from '../load-highs.ts';
import { POINTS } from '../terms.ts';
import type { Row } from './column.ts';
import { generateColumns, moveCosts } from './column-generation.ts';
import { ColumnIndex } from './column-index.ts';
import { coefficient, uncoveredColumns } from './columns.ts';
import { buildInstance } from './instance.ts';
import { Master } from './master.ts';
import { makeObjective } from './objective.ts';
import { PricingGraph } from './pricing-graph.ts';
import { noEffort } from './prove.ts';
import { neverCost } from './dearest.ts';

const highs = await loadHighs();

test('given any row, every column with a coefficient in it is found, and few others', () => {
  const instance = buildInstance(
    buildModel(coverDay({ seed: 3, therapists: 30, clients: 34, absent: 0.3, trade: true, doubleBooked: 4 })),
  );
  const objective = makeObjective(instance, POINTS);
  const master = new Master(highs, objective, neverCost(instance, POINTS));
  const graphs = instance.open.map((part, i) => new PricingGraph(instance, part, i));
  for (const graph of graphs) graph.weigh(objective);
  const limits = { left: () => Infinity, seed: 1, mostListed: 1200 };
  const context = { highs, objective, graphs, master, insertion: null, ...limits };
  master.addColumns(objective, uncoveredColumns(instance));
  generateColumns(context, moveCosts(objective), () => Infinity, noEffort());
  const index = new ColumnIndex(instance);
  for (const column of master.columns) index.add(column);
  const rows: Row[] = [
    ...master.rows,
    ...instance.model.therapists.flatMap(({ index: therapist }): Row[] => [
      { kind: 'cap', therapist },
      { kind: 'lunch', therapist },
      { kind: 'lunch-free', therapist },
    ]),
    { kind: 'limit', what: 'swap' },
  ];
  expect(new Set(rows.map((row) => row.kind)).size).toBeGreaterThan(8);
  let asked = 0;
  for (const row of rows) {
    const touching = index.touching(row);
    asked += touching.length;
    const counted = [...master.columns.keys()].filter((j) => coefficient(instance, row, master.columns[j]!) !== 0);
    const found = touching.filter((j) => coefficient(instance, row, master.columns[j]!) !== 0);
    expect(found, JSON.stringify(row)).toEqual(counted);
  }
  expect(asked).toBeLessThan((rows.length * master.columns.length) / 2);
  master.dispose();
});
