import type { PlanView } from '../view.ts';
import { piecesOfOthers } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each piece of another under an hour that is not the whole part. */
export function short(view: PlanView, weights: Weights): number {
  return weights.short * piecesOfOthers(view).filter((p) => p.to - p.from < 4 && !p.whole).length;
}
