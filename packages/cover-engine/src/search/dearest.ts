/** A cost above that of any plan. A search that finds no plan below it knows that there is none. */
import { LUNCH, PIECES } from '../limits.ts';
import type { CoverModel, Part } from '../model.ts';
import { SLOTS } from '../slots.ts';
import {
  GIVEN_TERMS,
  HANDOVER_TERMS,
  MOVE_TERMS,
  OPEN_PIECE_TERMS,
  OPEN_SLOT_TERMS,
  PAIR_TERMS,
  PIECE_TERMS,
  SLOT_TERMS,
  STRETCH_TERMS,
  TERMS,
  type Term,
  VISIT_TERMS,
  type Weights,
} from '../terms.ts';

/** What a program may pay for breaking a limit, even where all plans are cheap. */
const LEAST = 100_000;
/** The most people in one part besides the booked therapist, since each of their pieces counts twice. */
const OTHERS = PIECES.together / 2;

const sumOf = (weights: Weights, terms: readonly Term[]): number => terms.reduce((n, term) => n + weights[term], 0);
const named = (terms: readonly { readonly term: Term }[]): readonly Term[] => terms.map(({ term }) => term);

/** The most points that one part's pieces can cost. A slot counts once in a term, or once for each preference. */
function dearestPart(part: Part, weights: Weights): number {
  const slots = part.to - part.from;
  const served = Math.max(1, ...part.client.misses) * sumOf(weights, named(SLOT_TERMS));
  if (!part.affected) return sumOf(weights, [...MOVE_TERMS, ...named(PAIR_TERMS)]) + slots * served;
  const open = OPEN_SLOT_TERMS.reduce((n, { term, of }) => n + weights[term] * Math.max(1, of(part)), 0);
  const staffed = PIECES.together;
  const counted = named([...OPEN_PIECE_TERMS, ...PIECE_TERMS, ...VISIT_TERMS, ...STRETCH_TERMS]);
  const perPiece = 2 * sumOf(weights, HANDOVER_TERMS) + sumOf(weights, counted);
  return slots * Math.max(open, served) + staffed * perPiece + OTHERS * sumOf(weights, named(PAIR_TERMS));
}

/** Returns a cost above that of any plan at these weights. */
export function dearest({ parts, therapists, clients }: CoverModel, weights: Weights): number {
  let points = LEAST;
  for (const part of parts) points += dearestPart(part, weights);
  for (const t of therapists) {
    points += weights.call * TERMS.call.of(t);
    points += weights.lunch * TERMS.lunch.of(t, LUNCH.to - LUNCH.from);
    for (const { term, of } of GIVEN_TERMS) points += weights[term] * of(t, SLOTS);
  }
  for (const client of clients) points += weights.call * TERMS.call.of(client);
  return points;
}

interface Required {
  readonly model: CoverModel;
  readonly mustCover: Uint8Array | null;
  readonly mustPoints: number;
}

/** Returns a cost above that of any plan at these weights, whatever required time it leaves without a therapist. */
export function neverCost({ model, mustCover, mustPoints }: Required, weights: Weights): number {
  const required = mustCover?.reduce((n, marked) => n + marked, 0) ?? 0;
  return 2 * (dearest(model, weights) + required * mustPoints);
}
