import type { PlanView } from '../view.ts';
import { countMarked, piecesOfOthers } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each slot of an affected part given to another while its booked therapist is present. */
export function taken(view: PlanView, weights: Weights): number {
  let slots = 0;
  for (const p of piecesOfOthers(view)) {
    const booked = view.model.therapists[p.part.booked];
    if (p.part.affected && booked) slots += p.to - p.from - countMarked(booked.away, p.from, p.to);
  }
  return weights.taken * slots;
}
