import type { PlanView } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each slot with nobody; direct time by the client's priority in percent. */
export function uncovered(view: PlanView, weights: Weights): number {
  let points = 0;
  for (const { part, therapist, from, to } of view.pieces) {
    if (therapist) continue;
    const slot =
      part.session.service === 'direct' ? (weights.uncovered * part.client.priority) / 100 : weights.uncoveredOther;
    points += (to - from) * slot;
  }
  return points;
}
