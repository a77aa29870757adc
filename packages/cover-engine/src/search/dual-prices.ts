/**
 * Turns the duals of the restricted master into prices for all patterns and moves, and computes the Lagrangian bound
 * (*The bound* in docs/cover-engine.md).
 */
import { SLOTS } from '../slots.ts';
import type { Column, Row } from './column.ts';
import { heldTogether, lunchFreed, plainColumn } from './columns.ts';
import { isShared, type Instance } from './instance.ts';
import { chargeCost, columnUnits, type Objective } from './objective.ts';
import { LIMITED, scaleOf } from './limited.ts';
import type { Prices } from './prices.ts';
import { LENGTHS, noPrices } from './prices.ts';
import { columnCost, leftSide, payingColumn, rightSide } from './rows.ts';

/** Prices, and the other numbers from which the bound is computed. */
export interface Pricing {
  prices: Prices;
  /** What it is worth, at these prices, to move each movable part away from its therapist; by index in `movable`. */
  credits: Float64Array;
  /** The dual of each movable part's own `move` row, by index in `movable`; needed only for reduced costs. */
  moveDuals: Float64Array;
  /**
   * The dual of each open part's row, by index in `open`. At these prices, this is the cost of the part's cheapest
   * known column.
   */
  partDuals: Float64Array;
  /**
   * For each charge: a plan that pays the charge costs at least this much more than the bound, beside what its patterns
   * and moves add.
   */
  dues: Float64Array;
  /** The part of the bound that does not depend on patterns and moves. */
  constant: number;
}

/** Sums of the rows' prices, which grow while rows are added. */
interface Sums extends Pick<Pricing, 'prices' | 'credits'> {
  /** For each slot, the reduced cost of the column that pays for the slot's `union` row. */
  readonly unions: Map<number, number>;
}

const add = (list: Float64Array, at: number, value: number): number => (list[at]! += value);
const addTo = (map: Map<number, number>, at: number, value: number): void => {
  map.set(at, (map.get(at) ?? 0) + value);
};

/** Derives prices from these duals, clipped to the range in which the bound is valid. */
export function pricingOf(objective: Objective, rows: readonly Row[], duals: Float64Array): Pricing {
  const { instance, weights, fixedCost } = objective;
  const prices = noPrices(instance);
  const credits = new Float64Array(instance.movable.length);
  const moveDuals = new Float64Array(instance.movable.length);
  const partDuals = new Float64Array(instance.open.length);
  const sums: Sums = { prices, credits, unions: new Map() };
  const charges = new Map<number, number>();
  let constant = fixedCost;
  rows.forEach((row, r) => {
    if (row.kind !== 'limit') return;
    const least = leftSide(objective, row);
    const price = Math.max(least > -Infinity ? -Infinity : 0, -duals[r]!);
    if (price === 0) return;
    constant -= price * (price > 0 ? rightSide(objective, row) : least);
    prices.limits[row.what] = price * scaleOf(row.what);
  });
  const limitsOn = (column: Column): number =>
    LIMITED.reduce((sum, what) => {
      const price = prices.limits[what];
      return price === 0 ? sum : sum + price * columnUnits(instance, what, column);
    }, 0);
  const paid = new Map<string, number>();
  rows.forEach((row, r) => {
    const dual = duals[r]!;
    if (row.kind === 'part') return (partDuals[row.owner] = dual);
    if (row.kind === 'move') return (moveDuals[row.owner] = dual);
    let price = Math.max(0, -dual);
    if (price === 0 || row.kind === 'limit') return 0;
    const payer = payingColumn(instance, row);
    if (payer && (payer.kind === 'lunch' || payer.kind === 'over')) {
      // Several rows may be paid for by one column. Together, their prices cannot exceed that column's cost.
      const key = `${payer.kind}:${payer.owner}`;
      const spent = paid.get(key) ?? 0;
      price = Math.min(price, columnCost(objective, payer, 0) + limitsOn(payer) - spent);
      if (price <= 0) return 0;
      paid.set(key, spent + price);
    }
    constant -= price * rightSide(objective, row);
    if (payer?.kind === 'charge') addTo(charges, payer.owner, price);
    priceRow(instance, sums, row, price);
    return 0;
  });
  for (const reduced of sums.unions.values()) constant += Math.min(0, reduced);
  // A charge is paid or not, whichever is cheaper at these prices.
  const dues = new Float64Array(instance.charges.length);
  instance.charges.forEach((_, id) => {
    const column = plainColumn('charge', id);
    const reduced = chargeCost(instance, weights, id) + limitsOn(column) - (charges.get(id) ?? 0);
    if (reduced < 0) constant += reduced;
    else dues[id] = reduced;
  });
  return { prices, credits, moveDuals, partDuals, dues, constant };
}

/**
 * The prices with every due added to the patterns and moves that cause the charge. The reduced cost of a single pattern
 * or move at these prices says how much more than the bound a plan with it costs. They give no bound by themselves, since
 * several patterns may cause one charge.
 */
export function withDues(instance: Instance, pricing: Pricing): Pick<Pricing, 'prices' | 'credits'> {
  const { dues } = pricing;
  const persons = pricing.prices.persons.slice();
  const credits = pricing.credits.slice();
  const sharedDue = (n: number, id: number): number => n + (isShared(instance.charges[id]!) ? dues[id]! : 0);
  instance.chargesOf.forEach((ids, at) => (persons[at]! += (ids ?? []).reduce(sharedDue, 0)));
  instance.chargesOfMove.forEach((ids, i) => (credits[i]! -= ids.reduce(sharedDue, 0)));
  return { prices: { ...pricing.prices, persons }, credits };
}

/** Spreads a row's price over everything that the row's columns use, such as slots or charges. */
function priceRow(
  instance: Instance,
  sums: Sums,
  row: Exclude<Row, { kind: 'part' | 'move' | 'limit' }>,
  price: number,
): void {
  const { prices, credits } = sums;
  const { length } = instance.model.therapists;
  switch (row.kind) {
    case 'place':
      add(prices.slots, row.at, price);
      if (row.stay >= 0) add(credits, row.stay, price);
      break;
    case 'over':
    case 'cap':
      for (let n = 1; n < LENGTHS; n++) add(prices.lengths, row.therapist * LENGTHS + n, price * n);
      break;
    case 'over-piece':
      for (let n = row.room + 1; n < LENGTHS; n++)
        add(prices.lengths, row.therapist * LENGTHS + n, price * (n - row.room));
      break;
    case 'charge':
      for (let t = 0; t < length; t++)
        if (instance.chargesOf[row.group * length + t]?.includes(row.charge))
          add(prices.persons, row.group * length + t, price);
      if (instance.chargesOfMove[row.group - instance.open.length]?.includes(row.charge))
        add(credits, row.group - instance.open.length, -price);
      break;
    case 'flow':
    case 'once':
      break;
    case 'unlike':
      prices.likenesses.push({ who: row.who, price });
      break;
    case 'union':
      add(credits, row.stay, price);
      addTo(sums.unions, row.at, price);
      break;
    default:
      priceLunch(instance, sums, row, price);
  }
}

function priceLunch(
  instance: Instance,
  sums: Sums,
  row: Extract<Row, { kind: 'lunch' | 'lunch-free' | 'lunch-piece' }>,
  price: number,
): void {
  if (row.kind === 'lunch-piece') add(sums.prices.lunchExcess, row.therapist, price);
  const capped = row.kind !== 'lunch';
  const mask = capped ? instance.lunchFree : instance.lunchSlot;
  for (let at = row.therapist * SLOTS; at < (row.therapist + 1) * SLOTS; at++) {
    if (row.kind !== 'lunch-piece' && mask[at]) add(sums.prices.slots, at, price);
    if (!capped && instance.lunchSlot[at] && heldTogether(instance, at)) addTo(sums.unions, at, -price);
  }
  for (const stay of instance.staysOf[row.therapist] ?? [])
    add(sums.credits, stay, price * lunchFreed(instance, instance.movable[stay]!.part, capped));
}

/**
 * Lowers the duals of parts to the cost of their cheapest column: one that is chosen whole, at its upper bound, costs
 * less than the row's dual.
 */
export function lowerDuals(
  { partDuals, moveDuals }: Pricing,
  columns: readonly Column[],
  reducedCosts: Float64Array,
  values: Float64Array,
): void {
  const least = { pattern: new Map<number, number>(), move: new Map<number, number>() };
  columns.forEach(({ kind, owner }, j) => {
    const reduced = reducedCosts[j]!;
    if (reduced >= 0 || values[j]! <= 0 || (kind !== 'pattern' && kind !== 'move')) return;
    least[kind].set(owner, Math.min(least[kind].get(owner) ?? 0, reduced));
  });
  for (const [owner, reduced] of least.pattern) partDuals[owner]! += reduced;
  for (const [owner, reduced] of least.move) moveDuals[owner]! += reduced;
}
