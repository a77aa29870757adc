import { OVERLOAD_FROM } from '../../strategies.ts';
import type { PlanView } from '../view.ts';
import { piecesOfOthers } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/** Each slot given to another beyond eight and the time that their own absent clients leave free. */
export function overload(view: PlanView, weights: Weights): number {
  const given = new Float64Array(view.model.therapists.length);
  for (const p of piecesOfOthers(view)) given[p.therapist.index] = (given[p.therapist.index] ?? 0) + p.to - p.from;
  let slots = 0;
  for (const t of view.model.therapists) slots += Math.max(0, (given[t.index] ?? 0) - OVERLOAD_FROM - t.freed);
  return weights.overload * slots;
}
