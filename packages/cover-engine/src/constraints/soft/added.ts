import type { PlanView } from '../view.ts';
import { piecesOfOthers } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each slot given to another therapist. */
export function added(view: PlanView, weights: Weights): number {
  return weights.added * piecesOfOthers(view).reduce((n, p) => n + p.to - p.from, 0);
}
