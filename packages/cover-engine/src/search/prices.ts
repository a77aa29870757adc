/**
 * Lagrange multipliers (*The bound* in docs/cover-engine.md): the relaxation's prices for what patterns and moves
 * share. Any prices that are not negative give a true lower bound; the linear program's prices give the best one.
 */
import { SLOTS } from '../slots.ts';
import type { Weights } from '../terms.ts';
import type { Column } from './column.ts';
import { groupOf } from './columns.ts';
import type { Limited } from './limited.ts';
import { LIMITED } from './limited.ts';
import { columnUnits } from './objective.ts';
import type { Instance } from './instance.ts';

export interface Prices {
  /** At [therapist × 48 + slot]: the price of a changed piece there (from `place` and `lunch` rows). */
  readonly slots: Float64Array;
  /** At [therapist × 49 + slots]: the price of a piece of others' work of this length (from `over` and `cap` rows). */
  readonly lengths: Float64Array;
  /** For each therapist: the maximum number of slots that a single pattern may give them. */
  readonly mostGiven: Int32Array;
  /** For each therapist: the price of each free lunch slot that a single piece takes in excess of `lunchRoom`. */
  readonly lunchExcess: Float64Array;
  readonly lunchRoom: Int32Array;
  /**
   * At [group × therapists + therapist]: the price of giving the therapist a piece in the group (`Charge`).
   */
  readonly persons: Float64Array;
  /** The price of each unit of a limited term; negative if a plan has to have more of it. */
  readonly limits: Record<Limited, number>;
  /**
   * The price of each slot with the same person as in an earlier option. `who` holds that person's index, at [part × 48
   * + slot].
   */
  readonly likenesses: { readonly who: Int32Array; price: number }[];
}

/** How many more lunch slots a therapist may work before `lunch` costs points, if nothing moves. */
export const lunchRoom = (instance: Instance, therapist: number): number =>
  instance.lunchMost[therapist]! - instance.lunchBase[therapist]!;

/** Returns prices that are all zero. */
export function noPrices(instance: Instance): Prices {
  const { therapists } = instance.model;
  return {
    slots: new Float64Array(therapists.length * SLOTS),
    lengths: new Float64Array(therapists.length * LENGTHS),
    mostGiven: instance.capRoom.slice(),
    lunchExcess: new Float64Array(therapists.length),
    lunchRoom: Int32Array.from(therapists, (t) => Math.max(0, lunchRoom(instance, t.index))),
    persons: new Float64Array((instance.open.length + instance.movable.length) * therapists.length),
    limits: { uncovered: 0, swap: 0, lunch: 0, gap: 0, stub: 0, call: 0, face: 0, change: 0, bcba: 0, price: 0 },
    likenesses: [],
  };
}

/** A price above the cost of any pattern. It marks a piece that is not possible. */
export const FAR = 1e15;

/** A piece has between 0 and 48 slots, so there are this many possible lengths. */
export const LENGTHS = SLOTS + 1;

/** Sets what a piece costs by its length if its therapist has this many slots of others' work besides. */
export function layLengths(
  { steps, stepsOf }: Instance,
  weights: Weights,
  lengths: Float64Array,
  therapist: number,
  given: number,
): void {
  const row = therapist * LENGTHS;
  lengths.fill(0, row, row + LENGTHS);
  for (const s of stepsOf[therapist] ?? []) {
    const { term, points, room } = steps[s]!;
    const free = Math.max(0, room - given);
    for (let n = free + 1; n < LENGTHS; n++) lengths[row + n]! += weights[term] * points * (n - free);
  }
}

/** The price of the time that a substitute's piece takes, without the points of the piece. */
export function piecePrice(instance: Instance, prices: Prices, therapist: number, from: number, to: number): number {
  let sum = prices.lengths[therapist * LENGTHS + to - from]!;
  let lunch = 0;
  for (let at = therapist * SLOTS + from; at < therapist * SLOTS + to; at++) {
    sum += prices.slots[at]!;
    lunch += instance.lunchFree[at]!;
  }
  return sum + prices.lunchExcess[therapist]! * Math.max(0, lunch - prices.lunchRoom[therapist]!);
}

/** The price that a column pays for its units of limited terms, apart from lunch. */
export function limitPrice(instance: Instance, { limits }: Prices, column: Column): number {
  let sum = 0;
  for (const what of LIMITED)
    if (limits[what] !== 0 && what !== 'lunch') sum += limits[what] * columnUnits(instance, what, column);
  return sum;
}

/** The price that a pattern or move pays for giving work to people. */
export function personPrice(instance: Instance, { persons }: Prices, column: Column): number {
  const row = groupOf(instance, column) * instance.model.therapists.length;
  let sum = 0;
  for (const p of column.pieces)
    if (p.therapist >= 0 && p.therapist !== column.part?.booked) sum += persons[row + p.therapist]!;
  return sum;
}
