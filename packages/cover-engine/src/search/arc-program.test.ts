import { coverDay } from '@clinic/testkit';
import { expect, test } from 'vitest';
import { buildModel } from '../build-model.ts';
import type { PlanPiece } from '../model.ts';
import { POINTS } from '../terms.ts';
import { eachPiece } from './arc-program.ts';
import type { Column } from './column.ts';
import { columnKey, patternColumn } from './columns.ts';
import { enumeratePatterns } from './enumerate-patterns.ts';
import { buildInstance } from './instance.ts';
import { LIMITED } from './limited.ts';
import { columnUnits, makeObjective } from './objective.ts';
import { noPrices } from './prices.ts';
import { endNode } from './piece-states.ts';
import { PricingGraph } from './pricing-graph.ts';
import { columnCost } from './rows.ts';

/**
 * The test allows this many points above the cheapest pattern, which is enough for a gap in the middle of a session.
 */
const ROOM = 9000;
/** The test tries about this many patterns of each part. */
const TRIED = 300;

/** The arcs that make up a pattern, from the part's first node to its last; null if an arc is missing. */
function pathOf(arcs: readonly Column[], pieces: readonly PlanPiece[], end: number): Column[] | null {
  const path: Column[] = [];
  let node = 0;
  for (const piece of pieces) {
    const next = arcs.find(
      ({ ends, pieces: [p] }) => ends?.tail === node && p?.therapist === piece.therapist && p.to === piece.to,
    );
    if (!next?.ends) return null;
    path.push(next);
    node = next.ends.head;
  }
  return node === end ? path : null;
}

test('given a limit, every pattern below it is a path of arcs with the same cost and units', () => {
  let [paths, stubs] = [0, 0];
  for (let seed = 1; seed <= 12; seed++) {
    const problem = coverDay({ seed, therapists: 8, clients: 9, absent: 0.3, hard: seed % 2 === 0, trade: true });
    const instance = buildInstance(buildModel(problem));
    const objective = makeObjective(instance, POINTS);
    instance.open.forEach((part, i) => {
      const graph = new PricingGraph(instance, part, i);
      graph.weigh(objective);
      const limit = graph.price(noPrices(instance)) + ROOM;
      const columns: Column[] = [];
      eachPiece(instance, graph, i, limit, (_, column) => columns.push(column()));
      const patterns = enumeratePatterns(graph, limit, 200_000) ?? [];
      const every = Math.ceil(patterns.length / TRIED);
      for (const pieces of patterns.filter((_, n) => n % every === 0)) {
        const pattern = patternColumn(instance, i, pieces);
        const path = pathOf(columns, pieces, endNode(part));
        expect(path, `seed ${seed}: ${columnKey(pattern)}`).not.toBeNull();
        const sum = (of: (c: Column) => number): number => (path ?? []).reduce((n, c) => n + of(c), 0);
        expect(sum((c) => columnCost(objective, c, 0))).toBe(columnCost(objective, pattern, 0));
        for (const what of LIMITED)
          expect(sum((c) => columnUnits(instance, what, c))).toBe(columnUnits(instance, what, pattern));
        paths++;
        if (columnUnits(instance, 'stub', pattern) > 0) stubs++;
      }
    });
  }
  expect(paths).toBeGreaterThan(1000);
  expect(stubs).toBeGreaterThan(20);
});
