/**
 * Lists every column that a better plan could hold.
 */
import type { Column } from './columns.ts';
import { moveColumn, wayColumn } from './columns.ts';
import type { Decision } from './decisions.ts';
import { piecePrice } from './prices.ts';
import type { Pricing } from './pricing.ts';
import type { Workshop } from './relax.ts';
import { listWays } from './ways.ts';

/** Columns of a plan better than `cost`: reduced cost at most what is left between the bound and it; null: too many. */
export function listColumns(
  shop: Workshop,
  pricing: Pricing,
  room: number,
  moveBase: readonly Float64Array[],
  most: number,
  decisions: readonly Decision[] = [],
): Column[] | null {
  const goes = new Map(decisions.flatMap((d) => (d.kind === 'move' ? [[d.movable, d.goes] as const] : [])));
  const { ground } = shop.field;
  const columns: Column[] = [];
  for (const [i, graph] of shop.graphs.entries()) {
    const least = graph.price(pricing.prices);
    const ways = listWays(graph, least + room, most - columns.length, shop.caps[i]);
    if (!ways) return null;
    for (const way of ways) columns.push(wayColumn(i, graph.part, way));
  }
  ground.movable.forEach((m, i) => {
    const costs = m.targets.map((target, j) => {
      let cost = (moveBase[i]?.[j] as number) - (pricing.credits[i] as number);
      cost += piecePrice(ground, pricing.prices, target, m.part.from, m.part.to);
      return cost;
    });
    if (goes.get(i) === false) return;
    const least = m.must || goes.get(i) ? Math.min(...costs) : Math.min(0, ...costs);
    m.targets.forEach((target, j) => {
      if ((costs[j] as number) - least <= room) columns.push(moveColumn(ground, i, target));
    });
  });
  return columns;
}
