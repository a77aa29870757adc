import type { PlanView } from '../view.ts';
import { piecesOfOthers } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each slot given to another outside their booked day; with nothing booked, every slot. */
export function callin(view: PlanView, weights: Weights): number {
  let slots = 0;
  for (const p of piecesOfOthers(view))
    slots += p.to - p.from - Math.max(0, Math.min(p.to, p.therapist.dayTo) - Math.max(p.from, p.therapist.dayFrom));
  return weights.callin * slots;
}
