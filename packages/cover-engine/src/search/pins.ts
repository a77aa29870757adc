/** Checks whether pins are possible (*Pins* in docs/cover-engine.md): each pin by every rule, and all pins together. */
import type { Violation } from '../constraints/violation.ts';
import { checkPlan } from '../judge.ts';
import type { CoverModel, PlanPiece } from '../model.ts';
import { emptyPlan } from '../model.ts';
import type { Refusal } from '../answer.ts';
import type { Instance } from './instance.ts';

/** A refusal that lists the clashes of the pins, each with its session (code `pins_clash`). */
export function pinRefusal(violations: readonly Violation[]): Refusal {
  return {
    code: 'pins_clash',
    detail: 'The pins cannot be kept: they clash with each other, with a rule, or with a session that cannot move.',
    conflicts: violations.map((v) => ({
      session: v.session,
      start: v.start,
      end: v.end,
      therapist: v.therapist,
      why: v.detail,
    })),
  };
}

/**
 * Lists what is wrong with the pins. With `mayMove`, a session that might still move does not count as a clash; the
 * search decides whether it can move.
 */
export function checkPins(model: CoverModel, instance: Instance, mayMove = true): Violation[] {
  const pinned = new Set((model.problem.pins ?? []).map((p) => p.session));
  if (pinned.size === 0) return [];
  const plan: PlanPiece[][] = emptyPlan(model);
  for (const { part, pieces } of instance.fixed) plan[part.index] = [...pieces];
  if (mayMove) for (const { part } of instance.movable) plan[part.index] = [];
  return checkPlan(model, plan).filter((v) => v.rule === 6 || pinned.has(v.session));
}
