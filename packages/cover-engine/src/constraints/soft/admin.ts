import type { PlanView } from '../view.ts';
import { countMarked, piecesOfOthers } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each slot of a therapist's admin time that a piece of another's session takes. */
export function admin(view: PlanView, weights: Weights): number {
  let slots = 0;
  for (const p of piecesOfOthers(view)) slots += countMarked(p.therapist.admin, p.from, p.to);
  return weights.admin * slots;
}
