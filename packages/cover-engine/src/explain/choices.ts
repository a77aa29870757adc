/**
 * Lists the therapists who might take over a stretch of a session: what each would cost, or why they cannot take it.
 */
import { checkPlan } from '../judge.ts';
import { FAMILIARITY, NOBODY, type CoverModel, type Part, type Plan, type TherapistModel } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { TERMS, type Term } from '../terms.ts';
import type { Bar } from './bars.ts';
import { isNamedByChoices, largestFirst, termDifference } from './term-difference.ts';
import { slotOf, SLOTS, type SlotRange } from '../slots.ts';
import { occupancy, withPart, withStretch, type PartStretch } from './place.ts';
import { barsBySlot, mainBar } from './why-nobody.ts';
import { listed, serviceWords, span } from './words.ts';

export interface Choice {
  id: string;
  name: string;
  /** Whether the rules allow this therapist, even if that would leave another session without a therapist. */
  possible: boolean;
  /**
   * What choosing the therapist means: `free, on the team`; `would leave Luca without a therapist 9:00 AM to 10:00
   * AM`; `not: needs Spanish`.
   */
  text: string;
  /**
   * How many more points the plan would cost with this therapist, for sorting; null if they cannot take the stretch.
   */
  cost: number | null;
  /** The reason that keeps the therapist from taking the stretch; null if there is none, or several together. */
  bar: Bar | null;
}

const MOST_COSTS = 2;

/**
 * Lists everyone who works or is available that day, except the therapist who has the stretch. Those who can take it
 * come first, by cost. A cost assumes that nothing else in the plan changes; solving again may find a cheaper plan.
 */
export function choicesFor(model: CoverModel, plan: Plan, stretch: PartStretch, strategy: Strategy): Choice[] {
  const asked = askedOf(model, plan, stretch, strategy);
  const pieces = plan[stretch.part] ?? [];
  const holder = pieces.find((p) => p.from <= stretch.from && stretch.from < p.to)?.therapist;
  return model.therapists
    .filter((t) => t.index !== holder && isAround(t))
    .map((t) => choiceOf(asked, t))
    .toSorted(byCost);
}

/** Sorts by cost, with the therapists who cannot take the stretch last. */
export const byCost = (a: Choice, b: Choice): number =>
  (a.cost ?? Infinity) - (b.cost ?? Infinity) || (a.name < b.name ? -1 : 1);

/** Windows, `HH:MM`, in which a therapist would be available beyond their own hours. */
type Wider = readonly (readonly [start: string, end: string])[];

/** Returns the choice for one therapist as if they were available longer that day; null if the id is unknown. */
export function choiceIfWider(
  model: CoverModel,
  plan: Plan,
  stretch: PartStretch,
  strategy: Strategy,
  { id, wider }: { readonly id: string; readonly wider: Wider },
): Choice | null {
  const t = model.therapistById.get(id);
  if (!t) return null;
  const [free, events] = [t.free.slice(), t.events.slice()];
  for (const [start, end] of wider) {
    free.fill(1, slotOf(start), slotOf(end));
    events[slotOf(start)] = events[slotOf(end)] = 1;
  }
  const longer: TherapistModel = { ...t, free, events, availableSlots: free.reduce((n, v) => n + v, 0) };
  const therapists = model.therapists.with(t.index, longer);
  const therapistById = new Map(therapists.map((each) => [each.id, each]));
  return choiceOf(
    { ...askedOf({ ...model, therapists, therapistById }, plan, stretch, strategy), longer: true },
    longer,
  );
}

function askedOf(model: CoverModel, plan: Plan, stretch: PartStretch, strategy: Strategy): Asked {
  const part = model.parts[stretch.part];
  if (!part) throw new RangeError(`no part ${stretch.part}`);
  const { from, to } = part.session.service === 'direct' ? stretch : part;
  return { model, plan, part, from, to, where: occupancy(model, plan, SLOTS, part.index), strategy };
}

const isAround = (t: TherapistModel): boolean => t.dayFrom < t.dayTo || t.free.includes(1);

interface Asked extends SlotRange {
  readonly model: CoverModel;
  readonly plan: Plan;
  readonly part: Part;
  /** The part that each therapist serves in each slot, as `occupancy` returns it; the part in question is left out. */
  readonly where: Int32Array;
  readonly strategy: Strategy;
  /** Whether the therapist would be free only by coming early or staying late. */
  readonly longer?: boolean;
}

/** A stretch of another part at the same time, which the therapist would have to give up. */
interface Left extends SlotRange {
  readonly part: Part;
}

function choiceOf(asked: Asked, t: TherapistModel): Choice {
  const { model, plan, part, from, to, where, strategy } = asked;
  const not = (why: string, bar: Bar | null = null): Choice => {
    return { id: t.id, name: t.name, possible: false, text: `not: ${why}`, cost: null, bar };
  };
  const bars = barsBySlot(model, part, t, { part: part.index, from, to }, where);
  const main = mainBar(bars.filter((bar) => bar !== 'with own client' && bar !== 'covering elsewhere'));
  if (main !== null) return not(barWords(main, asked, t), main);
  const left = leftBy(asked, t);
  const pinned = left.find((each) => model.problem.pins?.some((pin) => pin.session === each.part.session.id));
  if (pinned) return not(`pinned to ${pinned.part.client.name}`);
  const freed = left.reduce(
    (now, each) => withPart(now, each.part.index, withStretch(now[each.part.index] ?? [], each.from, each.to, NOBODY)),
    withPart(plan, part.index, withStretch(plan[part.index] ?? [], from, to, t.index)),
  );
  const { tried, moves } = withMoves(model, freed, left, strategy);
  const broken = breaksOf(model, tried, part, t);
  if (broken.length > 0) return not(barWords(broken.includes('cap') ? 'at their cap' : 'fragment too short', asked, t));
  const { total, terms } = termDifference(model, plan, tried, strategy);
  const stays = left.some((each) => !each.part.affected && !moves.has(each.part));
  const text = textOf(asked, t, left, moves, terms);
  return {
    id: t.id,
    name: t.name,
    possible: !stays,
    text: stays ? `not: ${text}` : text,
    cost: stays ? null : total,
    bar: null,
  };
}

/** The names of the rules that a plan breaks for a part or a therapist. */
const breaksOf = (model: CoverModel, plan: Plan, part: Part, t: TherapistModel): string[] =>
  checkPlan(model, plan)
    .filter((v) => v.session === part.session.id || v.therapist === t.id)
    .map((v) => v.name);

/**
 * An unaffected session must not be left without a therapist. If one would lose its therapist, the whole session moves
 * to the cheapest therapist who can take it, if any can.
 */
function withMoves(
  model: CoverModel,
  freed: Plan,
  left: readonly Left[],
  strategy: Strategy,
): { tried: Plan; moves: ReadonlyMap<Part, TherapistModel> } {
  const moves = new Map<Part, TherapistModel>();
  let tried = freed;
  for (const { part } of left) {
    if (part.affected) continue;
    const where = occupancy(model, tried, SLOTS, part.index);
    const able = model.therapists
      .filter((u) => u.index !== part.booked)
      .filter((u) => where.subarray(u.index * SLOTS + part.from, u.index * SLOTS + part.to).every((at) => at < 0))
      .map((u) => ({ u, plan: withPart(tried, part.index, [{ therapist: u.index, from: part.from, to: part.to }]) }))
      .filter(({ u, plan }) => breaksOf(model, plan, part, u).length === 0)
      .map((move) => ({ ...move, cost: termDifference(model, tried, move.plan, strategy).total }))
      .toSorted((a, b) => a.cost - b.cost);
    const [best] = able;
    if (!best) continue;
    moves.set(part, best.u);
    tried = best.plan;
  }
  return { tried, moves };
}

function leftBy({ model, plan, part, from, to, where }: Asked, t: TherapistModel): Left[] {
  const others = new Set(where.subarray(t.index * SLOTS + from, t.index * SLOTS + to));
  return [...others].flatMap((index) => {
    const other = model.parts[index];
    if (!other || other === part) return [];
    // A session that is not direct is covered as a whole or not at all.
    if (other.session.service !== 'direct') return [{ part: other, from: other.from, to: other.to }];
    return (plan[index] ?? [])
      .filter((p) => p.therapist === t.index && p.from < to && from < p.to)
      .map((p) => ({ part: other, from: Math.max(p.from, from), to: Math.min(p.to, to) }));
  });
}

function textOf(
  { part, longer }: Asked,
  t: TherapistModel,
  left: readonly Left[],
  moves: ReadonlyMap<Part, TherapistModel>,
  terms: Partial<Record<Term, number>>,
): string {
  const leaves = left
    .filter((each) => !moves.has(each.part))
    .map((each) => `${each.part.client.name} without a therapist ${span(each.from, each.to)}`);
  const moved = [...moves].map(([other, u]) => `${other.client.name} would move to ${u.name}`);
  const costs = largestFirst(terms)
    .filter(([term, points]) => points > 0 && isNamedByChoices(term))
    .map(([term]) => TERMS[term].would);
  return [
    ...(left.length === 0 && longer !== true ? ['free'] : []),
    ...(leaves.length === 0 ? [] : [`would leave ${listed(leaves)}`]),
    ...moved,
    familiarityWords(part, t),
    ...(costs.length === 0 ? [] : [`would ${listed(costs.slice(0, MOST_COSTS))}`]),
  ].join(', ');
}

function familiarityWords(part: Part, t: TherapistModel): string {
  if (t.index === part.booked) return 'booked for it';
  const level = part.client.familiarity[t.index];
  if (level === FAMILIARITY.team) return 'on the team';
  if (level === FAMILIARITY.known) return 'known';
  return TERMS.unfamiliar.of(part, t) > 0 ? `has not met ${part.client.name}` : `new to ${part.client.name}`;
}

type BarWords = string | ((part: Part, t: TherapistModel) => string);

const TOO_SHORT = 'too short for a handover';

/** The words after `not: ` that explain why a therapist cannot take the stretch. */
const BAR_WORDS = {
  away: 'away',
  'not available': 'does not work then',
  credential: (_, t) => `${t.credential}s may not run this session`,
  gender: ({ client }, t) => `${client.name} needs a ${t.gender === 'Female' ? 'male' : 'female'} therapist`,
  excluded: ({ client }) => `may not see ${client.name}`,
  'not known': ({ client }) => `new to ${client.name}, who sees only familiar people`,
  'has not met': (part) => `has not met ${part.client.name}; ${serviceWords(part)} stays with people who know them`,
  'new here': ({ client }) => `new here, and does not know ${client.name}`,
  needs: ({ client }, t) => `needs ${listed(client.needs.filter((tag) => !t.tags.has(tag)))}`,
  payer: ({ client }) => `does not have what ${client.payer?.name ?? 'the payer'} requires`,
  declined: 'said no to this session',
  'no notice': 'would have to come in on less than an hour’s notice',
  'at their cap': 'may not take on more that day',
  'fragment too short': TOO_SHORT,
  // A choice may take a therapist away from other work at any cost, so a list of choices never gives these four
  // reasons.
  'with own client': TOO_SHORT,
  'covering elsewhere': TOO_SHORT,
  'could, at a price': TOO_SHORT,
  'could, at a gain': TOO_SHORT,
} satisfies Readonly<Record<Bar, BarWords>>;

function barWords(bar: Bar, { part }: Asked, t: TherapistModel): string {
  const words: BarWords = BAR_WORDS[bar];
  return typeof words === 'string' ? words : words(part, t);
}
