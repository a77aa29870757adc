/**
 * Explains why a stretch has no therapist. Each therapist gets exactly one reason, so the counts add up to the number
 * of therapists.
 */
import { serveFault, type CoverModel, type Part, type Plan, type TherapistModel } from '../model.ts';
import type { Strategy } from '../problem.ts';
import { SLOTS, type SlotRange } from '../slots.ts';
import { HALF_HOUR, NOTICE } from '../limits.ts';
import { TERMS } from '../terms.ts';
import { BAR_SENTENCES, BARS, whyLeft, type Bar } from './bars.ts';
import { capLeft, givenBy } from './load.ts';
import { isPartLegal, occupancy, withPart, withStretch, type PartStretch } from './place.ts';
import { risingTerms, termDifference } from './term-difference.ts';
import { count, serviceWords, span } from './words.ts';

export interface BarredTherapist {
  id: string;
  name: string;
  /**
   * The longest stretch that the rules would let this therapist take, and what it would cost; undefined if there is
   * none.
   */
  could?: SlotRange & { because: string[] };
}

export interface BarGroup {
  bar: Bar;
  therapists: BarredTherapist[];
  /** The group in words: `5 are with their own clients`. */
  text: string;
}

export interface WhyNobody extends SlotRange {
  session: string;
  total: number;
  /** The groups that are not empty; their sizes add up to `total`. */
  groups: BarGroup[];
  text: string;
}

/**
 * Returns, for each slot of the stretch, the reason that excludes a therapist; null for a slot without such a reason.
 */
export function barsBySlot(
  model: CoverModel,
  part: Part,
  t: TherapistModel,
  stretch: PartStretch,
  where: Int32Array,
): (Bar | null)[] {
  const fault = t.index === part.booked ? null : serveFault(t, part.session);
  return Array.from({ length: stretch.to - stretch.from }, (_, i) => {
    const k = stretch.from + i;
    const at = where[t.index * SLOTS + k] ?? -1;
    const other = at < 0 ? undefined : model.parts[at];
    if (t.away[k]) return 'away';
    if (!t.free[k] && t.index !== part.booked) return 'not available';
    if (fault !== null) return fault;
    if (model.today && k < model.now + NOTICE && t.index !== part.booked && !(t.dayFrom <= k && k < t.dayTo))
      return 'no notice';
    if (other) return other.booked === t.index ? 'with own client' : 'covering elsewhere';
    return null;
  });
}

/**
 * The reason that applies in the most slots; of equally frequent reasons, the one checked first. Null if none applies.
 */
export function mainBar(bars: readonly (Bar | null)[]): Bar | null {
  let best: Bar | null = null;
  const size = (bar: Bar | null): number => bars.filter((b) => b === bar).length;
  for (const bar of BARS) if (size(bar) > 0 && (best === null || size(bar) > size(best))) best = bar;
  return best;
}

/**
 * Finds the longest piece of the stretch, up to `most` slots, that a therapist could take in the current plan without
 * breaking a rule; null when there is none.
 */
function couldTake(
  { model, plan, part }: Asked,
  t: TherapistModel,
  stretch: PartStretch,
  bars: readonly (Bar | null)[],
  most: number,
): SlotRange | null {
  for (let length = Math.min(bars.length, most); length > 0; length--) {
    for (let i = 0; i + length <= bars.length; i++) {
      if (bars.slice(i, i + length).some((b) => b !== null)) continue;
      const [from, to] = [stretch.from + i, stretch.from + i + length];
      const pieces = withStretch(plan[part.index] ?? [], from, to, t.index);
      if (isPartLegal(model, part, pieces)) return { from, to };
    }
  }
  return null;
}

/** The uncovered stretch in question, with its plan. */
interface Asked {
  readonly model: CoverModel;
  readonly plan: Plan;
  readonly part: Part;
  readonly stretch: PartStretch;
  /** The index of the part that each therapist serves, at [therapist × 48 + slot]; -1 when free. */
  readonly where: Int32Array;
  /** How many slots of others' work each therapist has, by index. */
  readonly given: readonly number[];
}

/** Finds the one reason that applies to a therapist, and the piece they could take, if any. */
function classOf(asked: Asked, t: TherapistModel): { bar: Bar; could: SlotRange | null } {
  const { model, part, where } = asked;
  // A session that is not direct is covered as a whole, so the whole part counts.
  const direct = part.session.service === 'direct' || t.index === part.booked;
  const stretch = direct ? asked.stretch : { part: part.index, from: part.from, to: part.to };
  const bars = barsBySlot(model, part, t, stretch, where);
  const main = mainBar(bars);
  if (!bars.includes(null)) return { bar: main ?? 'not available', could: null };
  if (!direct && main !== null) return { bar: main, could: null };
  const left = t.index === part.booked ? Infinity : capLeft(t, asked.given[t.index] ?? 0);
  const could = couldTake(asked, t, stretch, bars, left);
  if (could) return { bar: 'could, at a price', could };
  const capped = left < bars.length && couldTake(asked, t, stretch, bars, bars.length) !== null;
  if (capped) return { bar: 'at their cap', could: null };
  return { bar: freeWithNotice(bars) ? 'no notice' : 'fragment too short', could: null };
}

/** Whether the therapist is free for long enough, but too little of that time is left after the required notice. */
function freeWithNotice(bars: readonly (Bar | null)[]): boolean {
  return bars.some((bar, i) => {
    const rest = bars.slice(i);
    const end = rest.findIndex((each) => each !== null && each !== 'no notice');
    const length = end < 0 ? rest.length : end;
    return bar === 'no notice' && (length >= HALF_HOUR || length === bars.length);
  });
}

/**
 * Groups every therapist of the day under exactly one reason for an uncovered stretch. `strategy` must be the one that
 * made the plan, because it decides what counts as a cost.
 */
export function whyNobody(
  model: CoverModel,
  plan: Plan,
  stretch: PartStretch,
  strategy: Strategy = 'balanced',
): WhyNobody {
  const part = model.parts[stretch.part];
  if (!part) throw new RangeError(`no part ${stretch.part}`);
  const asked: Asked = {
    model,
    plan,
    part,
    stretch,
    where: occupancy(model, plan, SLOTS),
    given: givenBy(model, plan),
  };
  const groups = new Map<Bar, BarredTherapist[]>(BARS.map((bar) => [bar, []]));
  for (const t of model.therapists) {
    const { bar, could } = classOf(asked, t);
    const entry: BarredTherapist = { id: t.id, name: t.name };
    let gains = false;
    if (could) {
      const pieces = withStretch(plan[part.index] ?? [], could.from, could.to, t.index);
      const { total, terms } = termDifference(model, plan, withPart(plan, part.index, pieces), strategy);
      entry.could = { ...could, because: risingTerms(terms).map((term) => TERMS[term].would) };
      gains = total < 0;
    }
    groups.get(gains ? 'could, at a gain' : bar)?.push(entry);
  }
  const left = whyLeft(model, part, strategy);
  const { name, payer, needs } = part.client;
  const lackingOf = (therapists: readonly BarredTherapist[]): string[] =>
    needs
      .filter((tag) => payer?.needs.includes(tag) !== true)
      .filter((tag) => therapists.some(({ id }) => model.therapistById.get(id)?.tags.has(tag) === false));
  const told = [...groups]
    .filter(([, therapists]) => therapists.length > 0)
    .map(([bar, therapists]): BarGroup => {
      const service = serviceWords(part);
      const named = { client: name, service, payer: payer?.name ?? 'the payer', lacking: lackingOf(therapists), left };
      const text = BAR_SENTENCES[bar](therapists.length, named);
      return { bar, therapists, text };
    });
  const total = told.reduce((n, g) => n + g.therapists.length, 0);
  if (total !== model.therapists.length) throw new Error('the classes do not add up to all therapists');
  const all = told.map((g) => g.text).join('; ');
  const text = `No therapist takes ${span(stretch.from, stretch.to)}. Of ${count(total, 'therapist')}, ${all}.`;
  return { session: part.session.id, from: stretch.from, to: stretch.to, total, groups: told, text };
}
