/** What one part's pieces cost at one set of weights, laid out for dynamic programming. */
import { HOUR } from '../limits.ts';
import type { Part } from '../model.ts';
import type { Weights } from '../terms.ts';
import type { Instance } from './instance.ts';
import {
  chargeCost,
  handoverCost,
  openPieceCost,
  openSlotCost,
  pieceCost,
  slotCost,
  stretchCost,
  visitCost,
} from './objective.ts';

/** Times are offsets from the part's start; `width` is one more than the part's length. */
export interface PartPoints {
  /** At [candidate × length + slot]: the points if the candidate has that slot. */
  readonly slots: Float64Array;
  /** For each candidate: the points of their piece, whatever its times, with the charges that only this part causes. */
  readonly persons: Float64Array;
  /** At [from × width + to]: the points of a piece as a whole, with a substitute and without a therapist. */
  readonly pieces: Float64Array;
  readonly openPieces: Float64Array;
  /** At [length × width + end]: the points of a stretch of care of less than an hour. */
  readonly stretches: Float64Array;
  readonly uncovered: number;
  readonly handover: number;
}

/** Lays out the points at these weights. `chargesOf` lists the charges that only this part's candidate causes. */
export function layPoints(
  instance: Instance,
  part: Part,
  candidates: readonly number[],
  chargesOf: (therapist: number) => readonly number[],
  weights: Weights,
): PartPoints {
  const length = part.to - part.from;
  const width = length + 1;
  const slots = new Float64Array(candidates.length * length);
  const persons = new Float64Array(candidates.length);
  const pieces = new Float64Array(width * width);
  const openPieces = new Float64Array(width * width);
  const stretches = new Float64Array(HOUR * width);
  candidates.forEach((t, c) => {
    persons[c] =
      visitCost(instance, weights, part, t) + chargesOf(t).reduce((n, id) => n + chargeCost(instance, weights, id), 0);
    for (let k = 0; k < length; k++) slots[c * length + k] = slotCost(instance, weights, part, t, part.from + k);
  });
  for (let from = 0; from < length; from++)
    for (let to = from + 1; to <= length; to++) {
      const [start, end] = [part.from + from, part.from + to];
      pieces[from * width + to] = pieceCost(weights, part, start, end);
      openPieces[from * width + to] = openPieceCost(weights, part, start, end);
      if (to - from < HOUR) stretches[(to - from) * width + to] = stretchCost(weights, part, start, end);
    }
  return {
    slots,
    persons,
    pieces,
    openPieces,
    stretches,
    uncovered: openSlotCost(weights, part),
    handover: handoverCost(weights),
  };
}

const plus = (a: Float64Array, b: Float64Array, times: number): Float64Array =>
  a.map((value, i) => value + times * b[i]!);

/** The points of `a`, plus those of `b` so many times. */
export const mixed = (a: PartPoints, b: PartPoints, times: number): PartPoints => ({
  slots: plus(a.slots, b.slots, times),
  persons: plus(a.persons, b.persons, times),
  pieces: plus(a.pieces, b.pieces, times),
  openPieces: plus(a.openPieces, b.openPieces, times),
  stretches: plus(a.stretches, b.stretches, times),
  uncovered: a.uncovered + times * b.uncovered,
  handover: a.handover + times * b.handover,
});

/** The points before any weights are set. */
export const NO_POINTS: PartPoints = {
  slots: new Float64Array(0),
  persons: new Float64Array(0),
  pieces: new Float64Array(0),
  openPieces: new Float64Array(0),
  stretches: new Float64Array(0),
  uncovered: 0,
  handover: 0,
};
