/** Explains why a plan gives a piece to this therapist: the reasons for and against, and who would be next best. */
import { viewPlan } from '../constraints/view.ts';
import { calledFor } from '../count.ts';
import { NOBODY, type CoverModel, type Part, type Plan, type PlanPiece } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { TERM_NAMES, TERMS, type Term } from '../terms.ts';
import { termDifference } from './term-difference.ts';
import type { SlotRange } from '../slots.ts';
import { givenBy } from './load.ts';
import { nextBest, type NextBest } from './next-best.ts';
import { withPart, withStretch, type PieceRef } from './place.ts';
import type { Reason, Scene } from './scene.ts';
import { whatSpeaksAgainst } from './speaks-against.ts';
import { whatSpeaksFor } from './speaks-for.ts';

export interface WhyTherapist extends SlotRange {
  session: string;
  therapist: { id: string; name: string } | null;
  speaksFor: Reason[];
  speaksAgainst: Reason[];
  /** The points that this piece causes, by term. For the engine; users see the reasons instead. */
  costs: Partial<Record<Term, number>>;
  /** The next-best therapist; null when no one else can take this piece in the current plan. */
  next: NextBest | null;
  text: string;
}

/**
 * For each kind of unit that a term counts: whether a single piece can cause it. No single piece causes uncovered time
 * or a handover.
 */
const OWN = {
  'open slot': false,
  'open piece': false,
  handover: false,
  move: true,
  stretch: true,
  piece: true,
  visit: true,
  slot: true,
  pair: true,
  person: true,
  day: true,
} satisfies Readonly<Record<(typeof TERMS)[Term]['counts'], boolean>>;

const OWN_TERMS = TERM_NAMES.filter((term) => OWN[TERMS[term].counts]);

/** The plan without a piece: its time is uncovered or, for a swap, goes back to the booked therapist. */
function planWithout(plan: Plan, part: Part, piece: PlanPiece): Plan {
  const instead = part.affected ? NOBODY : part.booked;
  return withPart(plan, part.index, withStretch(plan[part.index] ?? [], piece.from, piece.to, instead));
}

/**
 * The cost of a piece, by term: the plan's points minus the points of the plan without the piece. Terms that the piece
 * lowers are left out.
 */
function costsOf(model: CoverModel, plan: Plan, without: Plan, strategy: Strategy): Partial<Record<Term, number>> {
  const { terms } = termDifference(model, without, plan, strategy);
  const costs: Partial<Record<Term, number>> = {};
  for (const term of OWN_TERMS) if (terms[term] !== undefined && terms[term] > 0) costs[term] = terms[term];
  return costs;
}

/**
 * Explains one piece of a legal plan; `strategy` must be the strategy that made the plan. Throws a RangeError for a
 * piece without a therapist; `whyNobody` explains those.
 */
export function whyThisTherapist(
  model: CoverModel,
  plan: Plan,
  ref: PieceRef,
  strategy: Strategy = 'balanced',
): WhyTherapist {
  const part = model.parts[ref.part];
  const piece = plan[ref.part]?.[ref.piece];
  const t = piece && model.therapists[piece.therapist];
  if (!part || !piece || !t) throw new RangeError(`no piece with a therapist at ${ref.part}/${ref.piece}`);
  const own = t.index === part.booked;
  const without = planWithout(plan, part, piece);
  const costs = own ? {} : costsOf(model, plan, without, strategy);
  const called = calledFor(viewPlan(model, without), viewPlan(model, plan));
  const scene: Scene = { model, plan, part, piece, t, costs, called, added: givenBy(model, plan)[t.index] ?? 0 };
  const speaksFor = whatSpeaksFor(scene);
  const speaksAgainst = whatSpeaksAgainst(scene);
  const next = nextBest(scene, strategy);
  const lines = [
    ...speaksFor.map((r) => r.text),
    ...speaksAgainst.map((r) => r.text),
    next ? next.text : own ? '' : 'No one else could take this in this plan.',
  ];
  return {
    session: part.session.id,
    therapist: { id: t.id, name: t.name },
    from: piece.from,
    to: piece.to,
    speaksFor,
    speaksAgainst,
    costs,
    next,
    text: lines.filter((line) => line !== '').join(' '),
  };
}
