import type { PlanView } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each point inside a part where the person changes, to or from nobody included. */
export function change(view: PlanView, weights: Weights): number {
  return weights.change * view.pieces.filter((p) => p.index > 0).length;
}
