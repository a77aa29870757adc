/** Finds who else could take a piece if nothing else changed, and what would then be worse or better. */
import { choiceWords } from '@clinic/domain';
import { FAMILIARITY, type CoverModel, type Part, type Plan, type PlanPiece, type TherapistModel } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { TERMS, type Term } from '../terms.ts';
import { isNamedByNextBest, largestFirst, termDifference } from './term-difference.ts';
import { SLOTS } from '../slots.ts';
import { isPartLegal, occupancy, withPart, withStretch } from './place.ts';
import { capLeft, givenBy } from './load.ts';
import { listed } from './words.ts';

/** One piece of a plan, with the therapist who has it. */
export interface Placed {
  model: CoverModel;
  plan: Plan;
  part: Part;
  piece: PlanPiece;
  /** The therapist who has the piece. */
  t: TherapistModel;
}

export interface NextBest {
  id: string;
  name: string;
  /** What would be worse with this therapist, in words that fit after “would”, the costliest first. */
  worse: string[];
  /** What would be worse with the planned therapist, in the same form. */
  better: string[];
  text: string;
  /** For each term, the points with this therapist minus the points as planned. Only for the engine. */
  terms: Partial<Record<Term, number>>;
  total: number;
}

/** The maximum number of reasons in one sentence. */
const MOST_TOLD = 3;

/** Words after “would”, for a therapist who is new to a client who would otherwise meet fewer new people that day. */
const ANOTHER_FACE = 'mean one more new face';

/** Lists in words what would be worse and better with another therapist, the costliest first. */
function inWords(
  { part, t }: Placed,
  who: TherapistModel,
  terms: Partial<Record<Term, number>>,
): { worse: string[]; better: string[] } {
  // All terms for familiarity share one phrase. `added` is mentioned only if nothing else is worse.
  // A new face is one more person in any case.
  const isFace = (terms.face ?? 0) !== 0;
  const sorted = largestFirst(terms).filter(([term]) => isNamedByNextBest(term) && !(isFace && term === 'substitute'));
  const worse: string[] = sorted.filter(([, points]) => points > 0).map(([term]) => TERMS[term].would);
  const better: string[] = sorted.filter(([, points]) => points < 0).map(([term]) => TERMS[term].would);
  // The booked therapist counts as fully known to the client, whatever the records say.
  const levelOf = (x: TherapistModel): number =>
    x.index === part.booked ? FAMILIARITY.team : (part.client.familiarity[x.index] ?? FAMILIARITY.new);
  const [theirs, ours] = [levelOf(who), levelOf(t)];
  const stranger = Math.min(theirs, ours) === FAMILIARITY.new ? TERMS.face.would : TERMS.known.would;
  if (theirs < ours) worse.unshift(stranger);
  if (theirs > ours) better.unshift(stranger);
  // Two people who are new to the client can differ too: one of them is there that day in any case.
  if (theirs === ours && isFace) (terms.face! > 0 ? worse : better).unshift(ANOTHER_FACE);
  if ((terms.added ?? 0) > 0 && worse.length === 0) worse.push(TERMS.added.would);
  return { worse, better };
}

/**
 * Returns the best other therapist for exactly this piece, with everything else unchanged; null if there is none.
 * Ignores pins, since a pin is a person's choice and not a rule.
 */
export function nextBest(scene: Placed, strategy: Strategy): NextBest | null {
  const { model, plan, part, piece, t } = scene;
  const where = occupancy(model, plan, SLOTS, part.index);
  const given = givenBy(model, plan);
  let best: { who: TherapistModel; total: number; terms: Partial<Record<Term, number>> } | null = null;
  for (const who of model.therapists) {
    if (who === t) continue;
    // The booked therapist's own session is not extra work.
    const left = who.index === part.booked ? Infinity : capLeft(who, given[who.index]!);
    if (left < piece.to - piece.from) continue;
    const row = where.subarray(who.index * SLOTS + piece.from, who.index * SLOTS + piece.to);
    if (row.some((at) => at >= 0)) continue;
    const pieces = withStretch(plan[part.index] ?? [], piece.from, piece.to, who.index);
    if (!isPartLegal(model, part, pieces)) continue;
    const tried = withPart(plan, part.index, pieces);
    const { total, terms } = termDifference(model, plan, tried, strategy);
    if (best === null || total < best.total) best = { who, total, terms };
  }
  if (!best) return null;
  const { worse, better } = inWords(scene, best.who, best.terms);
  const { id, name } = best.who;
  const saves = better.length > 0 ? `not ${choiceWords(better.slice(0, MOST_TOLD))}` : null;
  const costs = worse.length > 0 ? listed(worse.slice(0, MOST_TOLD)) : (saves ?? 'be just as good');
  const text = `Next best: ${name}. Would ${costs}${worse.length > 0 && saves ? `, but would ${saves}` : ''}.`;
  return { id, name, worse, better, text, terms: best.terms, total: best.total };
}
