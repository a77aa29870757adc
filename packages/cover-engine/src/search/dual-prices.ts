/**
 * From the duals of the restricted master to prices under which everything can be priced, and to the Lagrangian bound
 * they give (*The bound* in docs/cover-engine.md).
 */
import { SLOTS } from '../slots.ts';
import type { Cut, Row } from './columns.ts';
import { heldTogether, lunchFreed } from './columns.ts';
import type { Objective } from './objective.ts';
import type { Movable } from './instance.ts';
import type { Prices } from './prices.ts';
import { noPrices } from './prices.ts';
import { rightSide } from './rows.ts';

/** Prices, and what they leave of the rest of the bound. */
export interface Pricing {
  prices: Prices;
  /** By movable part: what its going is worth. */
  credits: Float64Array;
  /** By movable part: price of its own row, for reduced costs alone. */
  moveDuals: Float64Array;
  /** By open part: dual of its row, what its cheapest column costs at these prices. */
  partDuals: Float64Array;
  /** Prices of the cuts, for whoever charges them; left uncharged on patterns, the bound still holds. */
  cuts: { readonly cut: Cut; readonly price: number }[];
  /** Everything in the Lagrangian bound that does not depend on patterns and moves. */
  constant: number;
}

/** The prices that duals of these rows stand for, cut to what any prices may be. */
export function pricingOf(
  { instance, weights, fixedCost }: Objective,
  rows: readonly Row[],
  duals: Float64Array,
): Pricing {
  const prices = noPrices(instance);
  const credits = new Float64Array(instance.movable.length);
  const moveDuals = new Float64Array(instance.movable.length);
  const partDuals = new Float64Array(instance.open.length);
  const cuts: Pricing['cuts'] = [];
  const unions = new Map<number, number>();
  let constant = fixedCost;
  const add = (list: Float64Array, at: number, value: number) => (list[at]! += value);
  const paid = new Map<string, number>();
  rows.forEach((row, r) => {
    const dual = duals[r]!;
    if (row.kind === 'part') return (partDuals[row.owner] = dual);
    if (row.kind === 'move') return (moveDuals[row.owner] = dual);
    let price = Math.max(0, -dual);
    if (
      row.kind === 'lunch' ||
      row.kind === 'lunch-free' ||
      row.kind === 'lunch-piece' ||
      row.kind === 'over' ||
      row.kind === 'over-piece' ||
      row.kind === 'cover'
    ) {
      // Together the rows that one column pays for cannot be dearer than it.
      const lunch = row.kind.startsWith('lunch') || (row.kind === 'cover' && row.what === 'lunch');
      const key = `${lunch}:${row.therapist}`;
      const spent = paid.get(key) ?? 0;
      price = Math.min(price, (lunch ? weights.lunch : weights.overload) - spent);
      paid.set(key, spent + price);
    }
    if (price === 0) return 0;
    constant -= price * rightSide(instance, row);
    if (row.kind === 'place') {
      add(prices.slots, row.at, price);
      if (row.stay >= 0) add(credits, row.stay, price);
    } else if (row.kind === 'over') add(prices.over, row.therapist, price);
    else if (row.kind === 'over-piece') add(prices.overExcess, row.therapist, price);
    else if (row.kind === 'cover') cuts.push({ cut: row, price });
    else if (row.kind === 'unlike') prices.likenesses.push({ who: row.who, price });
    else if (row.kind === 'uncovered') prices.uncovered += price;
    else if (row.kind === 'union') {
      add(credits, row.stay, price);
      unions.set(row.at, (unions.get(row.at) ?? 0) + price);
    } else {
      if (row.kind === 'lunch-piece') add(prices.lunchExcess, row.therapist, price);
      const capped = row.kind !== 'lunch';
      const mask = capped ? instance.lunchFree : instance.lunchSlot;
      for (let at = row.therapist * SLOTS; at < (row.therapist + 1) * SLOTS; at++) {
        if (row.kind !== 'lunch-piece' && mask[at]) add(prices.slots, at, price);
        if (!capped && instance.lunchSlot[at] && heldTogether(instance, at))
          unions.set(at, (unions.get(at) ?? 0) - price);
      }
      for (const stay of instance.staysOf[row.therapist] ?? [])
        add(credits, stay, price * lunchFreed(instance, (instance.movable[stay] as Movable).part, capped));
    }
    return 0;
  });
  for (const reduced of unions.values()) constant += Math.min(0, reduced);
  return { prices, credits, moveDuals, partDuals, cuts, constant };
}
