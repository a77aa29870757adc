/**
 * The score: every term with its points per unit, what a unit is, and the words for having more units. Search, judge,
 * figures and reasons all read this table. `satisfies` makes sure that no term is incomplete. The file is over 250 lines
 * because the table is one.
 */
import { keysOf } from '@clinic/domain';
import type { ClientModel, Part, TherapistModel } from './model.ts';
import { FAMILIARITY } from './model.ts';
import { HOUR, LUNCH } from './limits.ts';

/**
 * A therapist's day under a plan, for the terms that count days. `search/priced.ts` defines how the search pays for
 * these terms.
 */
export interface WorkingDay {
  /** Slots of other therapists' sessions that the plan gives the therapist. */
  readonly given: number;
  /** Slots of work between 11:00 and 14:30. */
  readonly lunchWork: number;
}

/** What a term counts. `of` returns how many units there are; a term without `of` counts one each time. */
type Counted =
  /** Each slot of a part without a therapist. */
  | { readonly counts: 'open slot'; readonly of: (part: Part) => number }
  /** Each piece without a therapist. */
  | { readonly counts: 'open piece'; readonly of: (part: Part, from: number, to: number) => number }
  /** Each handover within a part; a change from or to no therapist counts too. */
  | { readonly counts: 'handover' }
  /** Each unaffected part that moves. */
  | { readonly counts: 'move' }
  /** Each stretch of a part with therapists, whoever they are; no therapist, or the part's end, is on both sides of it. */
  | { readonly counts: 'stretch'; readonly of: (part: Part, from: number, to: number) => number }
  /** Each piece of a substitute, by its times. */
  | { readonly counts: 'piece'; readonly of: (part: Part, from: number, to: number) => number }
  /** Each piece of a substitute, by who has it. */
  | { readonly counts: 'visit'; readonly of: (part: Part, t: TherapistModel) => number }
  /** Each slot of a substitute's piece. */
  | {
      readonly counts: 'slot';
      readonly of: (part: Part, slot: number, t: TherapistModel, booked: TherapistModel | undefined) => number;
    }
  /** Each pair of a client and a therapist that the plan brings together, counted once a day. */
  | { readonly counts: 'pair'; readonly of: (client: ClientModel, t: TherapistModel) => number }
  /**
   * Each person whose day the plan changes, once: substitutes, and the therapist and client of a session that moves.
   */
  | { readonly counts: 'person'; readonly of: (who: TherapistModel | ClientModel) => number }
  /**
   * Each therapist's day, by one of its figures. As `n` grows, `of` must not fall, and each increase must be at least
   * as large as the previous one.
   */
  | { readonly counts: 'day'; readonly by: keyof WorkingDay; readonly of: (t: TherapistModel, n: number) => number };

type TermDefinition = Counted & {
  /** The points of one unit. */
  readonly points: number;
  /** What a choice with more units would do, as words that fit after “would” and “would not”. */
  readonly would: string;
  /**
   * Which explanations name the term by `would`. `all`: choices and next-best therapists. `next best`: only next-best
   * therapists, since choices leave the term out or use other words. `none`: neither.
   */
  readonly namedBy: 'all' | 'next best' | 'none';
};

/**
 * The points of a slot without a therapist, for direct sessions and for others, before the client's priority and the
 * session's weight.
 */
const UNCOVERED = { direct: 1000, other: 400 } as const;

const isWhole = (part: Part, from: number, to: number): boolean => from === part.from && to === part.to;

const familiarity = (part: Part, t: TherapistModel): number => part.client.familiarity[t.index] ?? FAMILIARITY.new;

export const TERMS = {
  uncovered: {
    points: 1,
    would: 'leave more time without a therapist',
    namedBy: 'next best',
    counts: 'open slot',
    of: ({ session, client }) => {
      const usual = session.service === 'direct' ? (UNCOVERED.direct * client.priority) / 100 : UNCOVERED.other;
      return Math.round((usual * session.weight) / 100);
    },
  },
  gap: {
    points: 4000,
    would: 'leave a gap inside a session',
    namedBy: 'next best',
    counts: 'open piece',
    // A child who is there is not left alone and then covered again.
    of: (part, from, to) => ((from > part.from || part.begun) && to < part.to ? 1 : 0),
  },
  stub: {
    points: 3000,
    would: 'mean under an hour of care beside time without a therapist',
    namedBy: 'next best',
    counts: 'stretch',
    of: (part, from, to) =>
      to - from < HOUR && !isWhole(part, from, to) && !(part.begun && from === part.from) ? 1 : 0,
  },
  change: { points: 300, would: 'add a handover', namedBy: 'next best', counts: 'handover' },
  swap: { points: 2500, would: 'change another child’s session', namedBy: 'next best', counts: 'move' },
  short: {
    points: 150,
    would: 'mean a visit under an hour',
    namedBy: 'next best',
    counts: 'piece',
    of: (part, from, to) => (to - from < HOUR && !isWhole(part, from, to) ? 1 : 0),
  },
  face: {
    points: 200,
    would: 'be new to the child',
    namedBy: 'none',
    counts: 'pair',
    of: (client, t) => (client.familiarity[t.index] === FAMILIARITY.new ? 1 : 0),
  },
  substitute: {
    points: 100,
    would: 'bring the child one more person',
    namedBy: 'next best',
    counts: 'pair',
    of: () => 1,
  },
  unfamiliar: {
    points: 600,
    would: 'supervise a child they have not met',
    namedBy: 'none',
    counts: 'visit',
    of: (part, t) => (part.session.service === 'supervision' && familiarity(part, t) === FAMILIARITY.new ? 1 : 0),
  },
  new: {
    points: 15,
    would: 'mean more time with a new face',
    namedBy: 'none',
    counts: 'slot',
    of: (part, _slot, t) => (familiarity(part, t) === FAMILIARITY.new ? 1 : 0),
  },
  known: {
    points: 8,
    would: 'be from outside the care team',
    namedBy: 'none',
    counts: 'slot',
    of: (part, _slot, t) => (familiarity(part, t) === FAMILIARITY.known ? 1 : 0),
  },
  bcba: {
    points: 60,
    would: 'mean a BCBA running a session',
    namedBy: 'all',
    counts: 'slot',
    of: (part, _slot, t) => (t.credential === 'BCBA' && part.session.service === 'direct' ? 1 : 0),
  },
  admin: {
    points: 20,
    would: 'lose admin time',
    namedBy: 'all',
    counts: 'slot',
    of: (_part, slot, t) => (t.admin[slot] ? 1 : 0),
  },
  taken: {
    points: 60,
    would: 'take time from a therapist who is working',
    namedBy: 'next best',
    counts: 'slot',
    of: (part, slot, _t, booked) => (part.affected && booked && !booked.away[slot] ? 1 : 0),
  },
  callin: {
    points: 10,
    would: 'work outside their booked day',
    namedBy: 'all',
    counts: 'slot',
    of: (_part, slot, t) => (slot < t.dayFrom || slot >= t.dayTo ? 1 : 0),
  },
  added: { points: 2, would: 'take on more cover', namedBy: 'none', counts: 'slot', of: () => 1 },
  overload: {
    points: 1,
    would: 'cover a lot that day',
    namedBy: 'all',
    counts: 'day',
    by: 'given',
    of: (t, given) => t.load.reduce((n, [from, points]) => n + points * Math.max(0, given - from - t.freed), 0),
  },
  lunch: {
    points: 1500,
    would: 'lose part of lunch',
    namedBy: 'all',
    counts: 'day',
    by: 'lunchWork',
    of: (t, lunchWork) => Math.max(0, lunchWork - lunchAllowance(t)),
  },
  call: {
    points: 100,
    would: 'need one more call',
    namedBy: 'next best',
    counts: 'person',
    of: (who) => (who.told ? 0 : who.call),
  },
  match: {
    points: 15,
    would: 'lack what the child does best with',
    namedBy: 'all',
    counts: 'slot',
    of: (part, _slot, t) => part.client.misses[t.index] ?? 0,
  },
} as const satisfies Readonly<Record<string, TermDefinition>>;

/** The terms of the score. */
export type Term = keyof typeof TERMS;

/** The terms that count one of the things in `Thing`. */
export type TermsCounting<Thing extends Counted['counts']> = {
  [T in Term]: (typeof TERMS)[T]['counts'] extends Thing ? T : never;
}[Term];

/** Points for each unit, by term. */
export type Weights = Readonly<Record<Term, number>>;

export const TERM_NAMES = keysOf(TERMS);
export const POINTS = Object.fromEntries(TERM_NAMES.map((term) => [term, TERMS[term].points])) as Weights;

type Counting<Thing extends Counted['counts']> = Extract<Counted, { readonly counts: Thing }>;

/** The terms that count this, in the table's order. */
const counting = <Thing extends Counted['counts']>(counts: Thing): (Counting<Thing> & { readonly term: Term })[] =>
  TERM_NAMES.flatMap((term) => {
    const definition: Counted = TERMS[term];
    const isSo = (each: Counted): each is Counting<Thing> => each.counts === counts;
    return isSo(definition) ? [{ ...definition, term }] : [];
  });

export const SLOT_TERMS = counting('slot');
export const PIECE_TERMS = counting('piece');
export const VISIT_TERMS = counting('visit');
export const STRETCH_TERMS = counting('stretch');
export const PAIR_TERMS = counting('pair');
export const OPEN_SLOT_TERMS = counting('open slot');
export const OPEN_PIECE_TERMS = counting('open piece');
export const HANDOVER_TERMS = TERM_NAMES.filter((term) => TERMS[term].counts === 'handover');
export const MOVE_TERMS = TERM_NAMES.filter((term) => TERMS[term].counts === 'move');

/** The terms that count the slots of other therapists' sessions in each therapist's day. */
export const GIVEN_TERMS = counting('day').filter(({ by }) => by === 'given');

/**
 * How many slots between 11:00 and 14:30 a therapist may work before `lunch` costs points: all but half an hour, or the
 * booked work if that is more.
 */
export function lunchAllowance(t: TherapistModel): number {
  if (t.availableSlots <= LUNCH.availableOver) return LUNCH.to - LUNCH.from;
  let before = 0;
  for (let k = LUNCH.from; k < LUNCH.to; k++) before += t.before[k] ?? 0;
  return Math.max(LUNCH.to - LUNCH.from - LUNCH.free, before);
}
