import { pushTo } from '@clinic/domain';
import { coverDay } from '@clinic/testkit';
import { expect, test, vi } from 'vitest';
import { buildModel } from '../build-model.ts';
import { loadHighs } from '../load-highs.ts';
import type { PlanPiece } from '../model.ts';
import { solve } from '../solve.ts';
import { STRATEGY_ORDER } from '../strategies.ts';
import { POINTS } from '../terms.ts';
import { eachPiece } from './arc-program.ts';
import type { Column } from './column.ts';
import { columnKey, patternColumn } from './columns.ts';
import { eachArc, type Arc } from './enumerate-patterns.ts';
import { buildInstance } from './instance.ts';
import { LIMITED } from './limited.ts';
import { columnUnits, makeObjective } from './objective.ts';
import { noPrices } from './prices.ts';
import { endNode, KIND, nodeOf } from './piece-states.ts';
import { PricingGraph } from './pricing-graph.ts';
import { columnCost } from './rows.ts';

const highs = await loadHighs();

/**
 * The test allows this many points above the cheapest pattern, which is enough for a gap in the middle of a session.
 */
const ROOM = 9000;
/** The test tries about this many patterns of each part. */
const TRIED = 300;

/** All patterns with a reduced cost of at most `limit`, at the prices last passed to the graph's `price`. */
function patternsBelow(graph: PricingGraph, limit: number): PlanPiece[][] {
  const { part, length, width, behind } = graph;
  const arcs = new Map<number, Arc[]>();
  eachArc(graph, limit, (arc) => pushTo(arcs, nodeOf(arc.from, arc.state), arc));
  const found: PlanPiece[][] = [];
  const walk = (node: number, moment: number, spent: number, pattern: readonly PlanPiece[]): void => {
    if (moment === length) found.push([...pattern]);
    for (const { kind, who, from, to, next, cost } of arcs.get(node) ?? []) {
      if (spent + cost + behind[next * width + to]! > limit) continue;
      if (kind === KIND.other && pattern.some(({ therapist }) => therapist === who)) continue;
      const piece = { therapist: who, from: part.from + from, to: part.from + to };
      walk(nodeOf(to, next), to, spent + cost, [...pattern, piece]);
    }
  };
  walk(0, 0, 0, []);
  return found;
}

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
      const patterns = patternsBelow(graph, limit);
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

test('when programs must be small, the same best plans are found and proven', () => {
  const best = (seed: number, mostListed: number) => {
    const problem = coverDay({ seed, therapists: 14, clients: 18, absent: 0.3, hard: true });
    return STRATEGY_ORDER.map((strategy) => {
      const solved = solve(problem, { highs, strategies: [strategy], mostListed });
      return solved.ok && solved.options.map(({ option }) => [option.proven, option.score.total]);
    });
  };
  for (let seed = 1; seed <= 4; seed++) expect(best(seed, 25), `seed ${seed}`).toEqual(best(seed, 100_000));
});

test('given more columns than can be listed, a search without a deadline still ends with a proof', () => {
  const price = vi.spyOn(PricingGraph.prototype, 'price');
  const problem = coverDay({ seed: 5, therapists: 14, clients: 18, absent: 0.3, hard: true });
  const solved = solve(problem, { highs, mostListed: 0, strategies: ['fewest-calls'] });
  expect(solved.ok && solved.options.every(({ option }) => option.proven)).toBe(true);
  // Lowering the limit without end would price the graphs many thousand times.
  expect(price.mock.calls.length).toBeLessThan(5000);
  price.mockRestore();
});
