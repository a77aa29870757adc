/** Explains why a plan gives a piece to this therapist: the reasons for and against, and who would be next best. */
import { countMarked } from '../constraints/view.ts';
import {
  FAMILIARITY,
  NOBODY,
  type CoverModel,
  type Part,
  type Plan,
  type PlanPiece,
  type TherapistModel,
} from '../model.ts';
import type { Strategy, Term } from '../problem.ts';
import { SLOTS, type SlotRange } from '../slots.ts';
import { LUNCH } from '../limits.ts';
import { TERM_NAMES, TERMS } from '../terms.ts';
import { givenBy, hasDoneMuch, usualLoad } from './load.ts';
import { nextBest, type NextBest, type Placed } from './next-best.ts';
import { withPart, withStretch, type PieceRef } from './place.ts';
import { termDifference } from './terms.ts';
import { clock, listed, slotsAsTime, span } from './words.ts';

export interface Reason {
  /** A short name for the reason, independent of its wording. */
  code: string;
  text: string;
}

export interface WhyTherapist extends SlotRange {
  session: string;
  therapist: { id: string; name: string } | null;
  speaksFor: Reason[];
  speaksAgainst: Reason[];
  /** The points that this piece causes, by term. For the engine; people read the reasons. */
  costs: Partial<Record<Term, number>>;
  /** The next-best therapist; null when no one else can take this piece in the current plan. */
  next: NextBest | null;
  text: string;
}

/** The terms that count as a piece's own costs. Uncovered time and handovers are left out. */
const OWN_TERMS = TERM_NAMES.filter((term) => !['open slot', 'open piece', 'handover'].includes(TERMS[term].counts));

/** A piece of a plan, with everything its reasons depend on. */
interface Scene extends Placed {
  /** How many slots of others' work the therapist has in the whole plan. */
  added: number;
  costs: Partial<Record<Term, number>>;
}

/** The other pieces that the client has with the same therapist that day. */
function sameDay({ model, plan, part, piece, t }: Scene): PlanPiece[] {
  return model.parts
    .filter((p) => p.client === part.client)
    .flatMap((p) => (plan[p.index] ?? []).map((q) => ({ ...q, part: p.index })))
    .filter((q) => q.therapist === t.index && !(q.part === part.index && q.from === piece.from))
    .sort((a, b) => a.from - b.from);
}

/** How many slots of the piece the therapist's own absent clients leave free. */
function freedSlots({ model, part, piece, t }: Scene): number {
  const freed = new Uint8Array(SLOTS);
  for (const s of model.sessions)
    if (s.booked === t.index && s !== part.session)
      for (let k = s.from; k < s.to; k++) if (s.client.away[k] && !t.away[k]) freed[k] = 1;
  return countMarked(freed, piece.from, piece.to);
}

/** The therapist's own parts that others take over during the piece. */
function movedAway({ model, plan, part, piece, t }: Scene): Part[] {
  return model.parts.filter(
    (p) =>
      p.booked === t.index &&
      p !== part &&
      p.from < piece.to &&
      piece.from < p.to &&
      (plan[p.index] ?? []).some((q) => q.therapist !== t.index && q.from < piece.to && piece.from < q.to),
  );
}

function whatSpeaksFor(scene: Scene): Reason[] {
  const { model, part, piece, t } = scene;
  const client = part.client.name;
  const found: Reason[] = [];
  const say = (code: string, text: string): number => found.push({ code, text });
  if (t.index === part.booked) say('booked', `${t.name} is booked for this session and is there.`);
  else if (part.client.familiarity[t.index] === FAMILIARITY.team) say('team', `On ${client}’s care team.`);
  else if (part.client.familiarity[t.index] === FAMILIARITY.known) say('known', `Has worked with ${client} before.`);
  if (t.index !== part.booked) for (const text of whatIsNeeded(scene)) say('needs', text);
  const liked = prefersOf(scene).filter((tag) => t.tags.has(tag));
  if (liked.length > 0) say('match', `Has what ${client} does best with: ${listed(liked)}.`);
  const also = sameDay(scene);
  if (also.length > 0) say('same day', `Also with ${client} ${listed(also.map((p) => span(p.from, p.to)))}.`);
  const freed = freedSlots(scene);
  if (freed > 0) say('free anyway', `Has ${slotsAsTime(freed)} free then because their own client is away.`);
  if (t.dayFrom <= piece.from && piece.to <= t.dayTo) say('inside day', 'Already at work then.');
  const whole = piece.from === part.from && piece.to === part.to;
  if (whole && part.affected) say('whole', 'Takes the whole session, without a handover.');
  if (!part.affected) {
    const booked = model.therapists[part.booked];
    const needed = booked ? movedTo(scene, booked) : [];
    if (booked && needed.length > 0) say('frees', `This frees ${booked.name} for ${listed(needed)}.`);
  }
  return found;
}

/** Says which of the client's needs and the payer's requirements the therapist meets, one sentence each. */
function whatIsNeeded({ part, t }: Scene): string[] {
  const { name, needs, payer } = part.client;
  const wants = needs.filter((tag) => t.tags.has(tag) && payer?.needs.includes(tag) !== true);
  const asked = [...(payer?.needs ?? []), ...(payer?.credentials?.includes(t.credential) ? [t.credential] : [])];
  return [
    ...(wants.length > 0 ? [`Has what ${name} needs: ${listed(wants)}.`] : []),
    ...(payer ? [`Has what ${payer.name} requires: ${listed(asked)}.`] : []),
  ];
}

/** The tags that the client prefers. */
const prefersOf = ({ model, part }: Scene): readonly string[] =>
  model.problem.clients[part.client.index]?.prefers ?? [];

/** The names of the clients whom the booked therapist serves during this piece instead, if it is a swap. */
function movedTo({ model, plan, part, piece }: Scene, booked: TherapistModel): string[] {
  const names = model.parts
    .filter((p) => p !== part)
    .filter((p) =>
      (plan[p.index] ?? []).some((q) => q.therapist === booked.index && q.from < piece.to && piece.from < q.to),
    )
    .map((p) => p.client.name);
  return [...new Set(names)];
}

function whatSpeaksAgainst(scene: Scene): Reason[] {
  const { model, part, piece, t, added, costs } = scene;
  if (t.index === part.booked) return [];
  const found: Reason[] = [];
  const say = (code: Term | 'handover' | 'moves own', text: string): number => found.push({ code, text });
  const n = piece.to - piece.from;
  const client = part.client.name;
  if (!part.affected) say('swap', `${client}’s session was not affected and changes therapist.`);
  if (part.client.familiarity[t.index] === FAMILIARITY.new) say('new', `New to ${client}.`);
  const lacks = prefersOf(scene).filter((tag) => !t.tags.has(tag));
  if (lacks.length > 0) say('match', `Does not have what ${client} does best with: ${listed(lacks)}.`);
  if (costs.call)
    say(
      'call',
      costs.call > TERMS.call.points * t.call
        ? 'More than one person has to be called for this.'
        : t.call > 1
          ? `${t.name} has to be called for this, and is not in yet.`
          : `${t.name} has to be called for this.`,
    );
  if (costs.bcba) say('bcba', `A BCBA gives ${slotsAsTime(n)} of direct care.`);
  if (piece.from > part.from) say('handover', `A handover at ${clock(piece.from)}.`);
  if (piece.to < part.to) say('handover', `A handover at ${clock(piece.to)}.`);
  if (costs.short) say('short', `Only ${slotsAsTime(n)} of the session.`);
  const booked = model.therapists[part.booked];
  if (costs.taken && booked) {
    const there = n - countMarked(booked.away, piece.from, piece.to);
    say('taken', `${booked.name} is there for ${slotsAsTime(there)} of it.`);
  }
  for (const p of movedAway(scene))
    say('moves own', `Their own session with ${p.client.name} (${span(p.from, p.to)}) goes to others.`);
  const outside = n - Math.max(0, Math.min(piece.to, t.dayTo) - Math.max(piece.from, t.dayFrom));
  if (outside > 0) say('callin', `Works ${slotsAsTime(outside)} outside their booked day.`);
  const admin = countMarked(t.admin, piece.from, piece.to);
  if (admin > 0) say('admin', `Gives up ${slotsAsTime(admin)} of admin time.`);
  if (hasDoneMuch(t) && costs.overload) say('overload', 'Covered more than others lately, or has few hours left.');
  const over = added - usualLoad(t);
  if (over > 0) say('overload', `Covers ${slotsAsTime(added)} that day, ${slotsAsTime(over)} more than usual.`);
  if (costs.lunch) say('lunch', `Loses part of lunch (${span(LUNCH.from, LUNCH.to)}).`);
  return found;
}

/**
 * What the piece costs, by term: the plan's points minus those of the same plan with the piece uncovered or, for a
 * swap, as booked. Terms that fall are left out.
 */
function costsOf(
  model: CoverModel,
  plan: Plan,
  part: Part,
  piece: PlanPiece,
  strategy: Strategy,
): Partial<Record<Term, number>> {
  const instead = part.affected ? NOBODY : part.booked;
  const without = withPart(plan, part.index, withStretch(plan[part.index] ?? [], piece.from, piece.to, instead));
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
  const costs = own ? {} : costsOf(model, plan, part, piece, strategy);
  const scene: Scene = { model, plan, part, piece, t, costs, added: givenBy(model, plan)[t.index] ?? 0 };
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
