import type { PlanView } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each piece with nobody that touches neither end of its part: someone leaves and someone comes back. */
export function gap(view: PlanView, weights: Weights): number {
  return weights.gap * view.pieces.filter((p) => !p.therapist && p.from !== p.part.from && p.to !== p.part.to).length;
}
