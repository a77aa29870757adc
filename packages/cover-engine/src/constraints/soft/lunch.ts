import { SLOTS } from '../../slots.ts';
import { LUNCH } from '../../strategies.ts';
import type { PlanView } from '../view.ts';
import { countMarked } from '../view.ts';
import type { Weights } from '../../strategies.ts';

/**
 * For therapists available more than six hours: each slot by which their free time between 11:00 and 14:30 falls
 * under half an hour, beyond what it was before. Work is staying sessions, pieces and admin time, each slot once.
 */
export function lunch(view: PlanView, weights: Weights): number {
  const busy = view.model.therapists.map((t) => t.admin.map((v, k) => (v && !t.away[k] ? 1 : 0)));
  for (const p of view.pieces) if (p.therapist) busy[p.therapist.index]?.fill(1, p.from, Math.min(SLOTS, p.to));
  let slots = 0;
  for (const t of view.model.therapists) {
    if (t.availableSlots <= LUNCH.availableOver) continue;
    const most = Math.max(LUNCH.to - LUNCH.from - LUNCH.free, countMarked(t.before, LUNCH.from, LUNCH.to));
    slots += Math.max(0, countMarked(busy[t.index] ?? t.before, LUNCH.from, LUNCH.to) - most);
  }
  return weights.lunch * slots;
}
