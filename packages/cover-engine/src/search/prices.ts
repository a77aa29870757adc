/**
 * Lagrange multipliers (*The bound* in docs/cover-engine.md): prices that a relaxation puts on what plans share. Any
 * prices that are not negative give a true lower bound; those of the linear program give the best one.
 */
import { SLOTS } from '../slots.ts';
import { overloadRoom } from './objective.ts';
import type { Instance } from './instance.ts';

export interface Prices {
  /** [therapist × 48 + slot]: of a changed piece standing there (one place at a time, `lunch`). */
  readonly slots: Float64Array;
  /** By therapist: of each slot of others' work (`overload`). */
  readonly over: Float64Array;
  /** By therapist: of each free lunch slot by which one piece alone goes beyond `lunchRoom`. */
  readonly lunchExcess: Float64Array;
  readonly lunchRoom: Int32Array;
  /** By therapist: of each slot of others' work by which one piece alone goes beyond `overRoom`. */
  readonly overExcess: Float64Array;
  readonly overRoom: Int32Array;
  /** Of each point left uncovered, where a plan may not leave more than another. */
  uncovered: number;
  /** Of each slot with the same person as an earlier option: [part × 48 + slot] → therapist. */
  readonly likenesses: { readonly who: Int32Array; price: number }[];
}

/** Lunch slots that a therapist may work before `lunch` costs, with nothing moved. */
export const lunchRoom = (instance: Instance, therapist: number): number =>
  instance.lunchMost[therapist]! - instance.lunchBase[therapist]!;

/** No prices at all. */
export function noPrices(instance: Instance): Prices {
  const { therapists } = instance.model;
  return {
    slots: new Float64Array(therapists.length * SLOTS),
    over: new Float64Array(therapists.length),
    lunchExcess: new Float64Array(therapists.length),
    lunchRoom: Int32Array.from(therapists, (t) => Math.max(0, lunchRoom(instance, t.index))),
    overExcess: new Float64Array(therapists.length),
    overRoom: Int32Array.from(therapists, (t) => Math.max(0, overloadRoom(instance, t.index))),
    uncovered: 0,
    likenesses: [],
  };
}

/** Prices of one piece of another therapist than the booked one, points apart. */
export function piecePrice(instance: Instance, prices: Prices, therapist: number, from: number, to: number): number {
  let sum = (to - from) * prices.over[therapist]!;
  let lunch = 0;
  for (let at = therapist * SLOTS + from; at < therapist * SLOTS + to; at++) {
    sum += prices.slots[at]!;
    lunch += instance.lunchFree[at]!;
  }
  sum += prices.lunchExcess[therapist]! * Math.max(0, lunch - prices.lunchRoom[therapist]!);
  return sum + prices.overExcess[therapist]! * Math.max(0, to - from - prices.overRoom[therapist]!);
}
