/** Finds pieces in a plan, and checks small changes to it against the engine's own rules. */
import { keysOf } from '@clinic/domain';
import { HARD_RULES, type HardRuleName } from '../constraints/hard.ts';
import { viewPlan } from '../constraints/view.ts';
import { NOBODY, type CoverModel, type Part, type Plan, type PlanPiece } from '../model.ts';
import { exactSlotOf, type SlotRange } from '../slots.ts';

/** A piece of a plan: the index of its part, and its position within the part. */
export interface PieceRef {
  part: number;
  piece: number;
}

/** A stretch of one part, in slots; `to` is not included. */
export interface PartStretch extends SlotRange {
  part: number;
}

/** The piece of a session that begins at `start` (`HH:MM`); null when there is none. */
export function findPiece(model: CoverModel, plan: Plan, session: string, start: string): PieceRef | null {
  const from = exactSlotOf(start);
  for (const part of model.sessionById.get(session)?.parts ?? []) {
    const piece = (plan[part.index] ?? []).findIndex((p) => p.from === from);
    if (piece >= 0) return { part: part.index, piece };
  }
  return null;
}

/** Every stretch without a therapist, in the order of the parts. */
export function uncoveredStretches(model: CoverModel, plan: Plan): PartStretch[] {
  return model.parts.flatMap((part) =>
    (plan[part.index] ?? [])
      .filter((p) => p.therapist === NOBODY)
      .map((p) => ({ part: part.index, from: p.from, to: p.to })),
  );
}

/** Gives slots [from, to) of a part to a therapist, or to none, and joins neighboring pieces of the same person. */
export function withStretch(pieces: readonly PlanPiece[], from: number, to: number, therapist: number): PlanPiece[] {
  const cut = pieces.flatMap((p) => [
    { therapist: p.therapist, from: p.from, to: Math.min(p.to, from) },
    { therapist: p.therapist, from: Math.max(p.from, to), to: p.to },
  ]);
  const all = [...cut, { therapist, from, to }].filter((p) => p.from < p.to).sort((a, b) => a.from - b.from);
  const merged: PlanPiece[] = [];
  for (const p of all) {
    const last = merged.at(-1);
    if (last && last.therapist === p.therapist) merged[merged.length - 1] = { ...last, to: p.to };
    else merged.push(p);
  }
  return merged;
}

/** Returns the plan with one part's pieces replaced. */
export function withPart(plan: Plan, part: number, pieces: readonly PlanPiece[]): Plan {
  return plan.map((old, i) => (i === part ? pieces : old));
}

const WHOLE_PLAN: readonly HardRuleName[] = ['onePlace', 'cap', 'pins'];

/**
 * Whether one part's pieces, by themselves, break no rule. The rules about one place at a time, caps and pins need the
 * whole plan and are not checked.
 */
export function isPartLegal(model: CoverModel, part: Part, pieces: readonly PlanPiece[]): boolean {
  const plan: (readonly PlanPiece[])[] = [];
  plan[part.index] = pieces;
  const view = viewPlan({ ...model, parts: [part] }, plan);
  return keysOf(HARD_RULES).every((name) => WHOLE_PLAN.includes(name) || HARD_RULES[name](view).length === 0);
}

/**
 * Where each therapist is under a plan: the part's index at [therapist × slots + slot], or -1 when free. The part with
 * the index `except` is left out.
 */
export function occupancy(model: CoverModel, plan: Plan, slots: number, except = -1): Int32Array {
  const where = new Int32Array(model.therapists.length * slots).fill(-1);
  for (const part of model.parts) {
    if (part.index === except) continue;
    for (const p of plan[part.index] ?? [])
      if (p.therapist !== NOBODY) where.fill(part.index, p.therapist * slots + p.from, p.therapist * slots + p.to);
  }
  return where;
}
