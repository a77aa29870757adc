import type { PlanView } from '../view.ts';
import { piecesOfOthers } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each slot of a direct session given to a BCBA who was not booked for it. */
export function bcba(view: PlanView, weights: Weights): number {
  let slots = 0;
  for (const p of piecesOfOthers(view))
    if (p.therapist.credential === 'BCBA' && p.part.session.service === 'direct') slots += p.to - p.from;
  return weights.bcba * slots;
}
