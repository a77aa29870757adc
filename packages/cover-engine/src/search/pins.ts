/**
 * Whether pins can stand at all: against every rule, and against each other.
 */
import type { Violation } from '../constraints/violation.ts';
import { checkPlan } from '../judge.ts';
import type { CoverModel, PlanPiece } from '../model.ts';
import { emptyPlan } from '../model.ts';
import type { Refusal } from '../problem.ts';
import type { Ground } from './ground.ts';

/** The refusal that lists the clashes (code `pins_clash`). `session` is each conflict's session. */
export function pinRefusal(violations: readonly Violation[]): Refusal {
  return {
    code: 'pins_clash',
    detail: 'What is held fixed cannot stand: it clashes with itself, with a rule, or with a session that cannot move.',
    conflicts: violations.map((v) => ({
      session: v.session,
      start: v.start,
      end: v.end,
      therapist: v.therapist,
      why: v.detail,
    })),
  };
}

/** What is wrong with the pins before anything is searched; empty when they can stand so far. */
export function checkPins(model: CoverModel, ground: Ground): Violation[] {
  const pinned = new Set((model.problem.pins ?? []).map((p) => p.session));
  if (pinned.size === 0) return [];
  const plan: PlanPiece[][] = emptyPlan(model);
  for (const { part, pieces } of ground.fixed) plan[part.index] = [...pieces];
  // What may still move is left out here: the search decides whether it can.
  for (const { part } of ground.movable) plan[part.index] = [];
  return checkPlan(model, plan).filter((v) => v.rule === 6 || pinned.has(v.session));
}
