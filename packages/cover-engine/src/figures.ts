/**
 * What people read of a plan: minutes, changes and faces, never points.
 */
import { viewPlan } from './constraints/view.ts';
import type { CoverModel, Plan } from './model.ts';
import { FAMILIARITY, NOBODY } from './model.ts';
import { SLOT_MINUTES, SLOTS, timeOf } from './slots.ts';

export interface Figures {
  /** Minutes of affected sessions that need somebody. */
  minutesNeeding: number;
  /** Of these: given to somebody; left with nobody. */
  minutesKept: number;
  minutesUncovered: number;
  /** Appointments, or pieces of them, that get another therapist; sessions that move to free theirs included. */
  changes: number;
  /** Unaffected sessions that move. */
  swaps: number;
  /** Therapists whom a client meets for the first time, each pair once. */
  newFaces: number;
}

/** The figures of a plan. */
export function figuresOf(model: CoverModel, plan: Plan): Figures {
  const view = viewPlan(model, plan);
  let kept = 0;
  let uncovered = 0;
  let changes = 0;
  const faces = new Set<string>();
  for (const p of view.pieces) {
    if (p.part.affected && p.therapist) kept += p.to - p.from;
    if (!p.therapist) uncovered += p.to - p.from;
    if (!p.other || !p.therapist) continue;
    changes++;
    if (p.part.client.familiarity[p.therapist.index] === FAMILIARITY.new)
      faces.add(`${p.part.client.index}:${p.therapist.index}`);
  }
  return {
    minutesNeeding: model.affectedSlots * SLOT_MINUTES,
    minutesKept: kept * SLOT_MINUTES,
    minutesUncovered: uncovered * SLOT_MINUTES,
    changes,
    swaps: view.parts.filter((p) => p.moved).length,
    newFaces: faces.size,
  };
}

/** Windows, `HH:MM`, in which a therapist is available, present and has nothing to do under a plan. */
export interface Reserve {
  therapist: string;
  free: { start: string; end: string }[];
}

/** The day's reserve under a plan, from the present on; therapists without free time are left out. */
export function reserveOf(model: CoverModel, plan: Plan): Reserve[] {
  const busy = model.therapists.map((t) =>
    Uint8Array.from({ length: SLOTS }, (_, k) => (t.away[k] || t.admin[k] || !t.free[k] || k < model.now ? 1 : 0)),
  );
  for (const pieces of plan)
    for (const p of pieces) if (p.therapist !== NOBODY) busy[p.therapist]?.fill(1, p.from, p.to);
  return model.therapists.flatMap((t) => {
    const free: Reserve['free'] = [];
    const taken = busy[t.index];
    for (let from = 0; taken && from < SLOTS; from++) {
      if (taken[from]) continue;
      let to = from;
      while (to < SLOTS && !taken[to]) to++;
      free.push({ start: timeOf(from), end: timeOf(to) });
      from = to;
    }
    return free.length > 0 ? [{ therapist: t.id, free }] : [];
  });
}
