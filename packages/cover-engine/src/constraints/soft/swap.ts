import type { PlanView } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each unaffected part that moves. */
export function swap(view: PlanView, weights: Weights): number {
  return weights.swap * view.parts.filter((p) => p.moved).length;
}
