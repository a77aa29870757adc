import { FAMILIARITY } from '../../model.ts';
import type { PlanView } from '../view.ts';
import { piecesOfOthers } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each slot with somebody whom the client knows, but who is not of the team. */
export function known(view: PlanView, weights: Weights): number {
  let slots = 0;
  for (const p of piecesOfOthers(view))
    if (p.part.client.familiarity[p.therapist.index] === FAMILIARITY.known) slots += p.to - p.from;
  return weights.known * slots;
}
