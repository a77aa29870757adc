/** Prepares a plan for the rules and terms: a list of all pieces, each with its relation to its part. */
import type { CoverModel, Part, Plan, TherapistModel } from '../model.ts';
import { staysAsBooked } from '../model.ts';
import type { SlotRange } from '../slots.ts';

export interface ViewPiece extends SlotRange {
  readonly part: Part;
  readonly index: number;
  readonly therapist: TherapistModel | null;
  /** Whether the piece is the whole part. */
  readonly whole: boolean;
  /** Whether the piece has a therapist other than the booked one. */
  readonly other: boolean;
  /** Whether the piece has the booked therapist. */
  readonly own: boolean;
  /** Whether the part stays exactly as booked. */
  readonly stays: boolean;
}

export interface ViewPart {
  readonly part: Part;
  readonly pieces: readonly ViewPiece[];
  readonly stays: boolean;
  /** Whether the part changes although it is not affected by an absence. */
  readonly moved: boolean;
}

/** A substitute's piece. */
export interface OthersPiece extends ViewPiece {
  readonly therapist: TherapistModel;
}

export interface PlanView {
  readonly model: CoverModel;
  readonly parts: readonly ViewPart[];
  readonly pieces: readonly ViewPiece[];
  /** The substitutes' pieces, which most terms look at. */
  readonly others: readonly OthersPiece[];
}

/** Builds the view of a plan. Expects each part's pieces in chronological order. */
export function viewPlan(model: CoverModel, plan: Plan): PlanView {
  const parts = model.parts.map((part): ViewPart => {
    const pieces = plan[part.index] ?? [];
    const stays = staysAsBooked(part, pieces);
    return {
      part,
      stays,
      moved: !part.affected && !stays,
      pieces: pieces.map((p, index) => {
        const therapist = model.therapists[p.therapist] ?? null;
        const own = therapist !== null && p.therapist === part.booked;
        const whole = p.from === part.from && p.to === part.to;
        return { part, index, therapist, from: p.from, to: p.to, whole, own, other: therapist !== null && !own, stays };
      }),
    };
  });
  const pieces = parts.flatMap((p) => p.pieces);
  const others = pieces.filter((p): p is OthersPiece => p.other && p.therapist !== null);
  return { model, parts, pieces, others };
}

/** How many slots of [from, to) are marked. */
export function countMarked(marks: Uint8Array, from: number, to: number): number {
  let n = 0;
  for (let k = Math.max(0, from); k < to; k++) n += marks[k] ?? 0;
  return n;
}
