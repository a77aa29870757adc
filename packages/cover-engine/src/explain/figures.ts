/**
 * The figures by which staff compare options, such as minutes, changes and new faces, but never points. `FIGURES`
 * defines for each term how its figures are counted and how a comparison words them.
 */
import { viewPlan, type PlanView } from '../constraints/view.ts';
import { countCalls, countUnits, workingDays, type Units } from '../count.ts';
import { readPlan } from '../judge.ts';
import { FAMILIARITY, type CoverModel, type Plan } from '../model.ts';
import type { CoverOption } from '../answer.ts';
import type { Term, WorkingDay } from '../terms.ts';
import { SLOT_MINUTES } from '../slots.ts';
import { freeLoad } from './load.ts';
import { count, duration } from './words.ts';

/** A plan, with the counts from which its figures are computed. */
interface CountedPlan {
  readonly view: PlanView;
  readonly units: Units;
  readonly days: readonly WorkingDay[];
  readonly calls: ReturnType<typeof countCalls>;
}

export interface Figure {
  readonly of: (plan: CountedPlan) => number;
  /** Whether a higher or a lower figure is better. */
  readonly better: 'more' | 'less';
  /**
   * The words for a second plan with `n` more or `n` less (`n` > 0). `from` is the first plan's figure, `to` the
   * second's.
   */
  readonly more: (n: number, from: number) => string;
  readonly less: (n: number, to: number) => string;
}

const minutes = (slots: number): number => slots * SLOT_MINUTES;

type Words = Pick<Figure, 'more' | 'less'>;

/** A figure that is better the lower it is. */
const low = (of: Figure['of'], words: Words): Figure => ({ of, better: 'less', ...words });

/** Words for a time: `30 min more lunch lost`. */
const time = (what: string): Words => ({
  more: (n) => `${duration(n)} more ${what}`,
  less: (n) => `${duration(n)} less ${what}`,
});

/** Words for a number: `2 more gaps inside sessions`. */
const number = (one: string, after = '', many = `${one}s`): Words => ({
  more: (n) => count(n, `more ${one}`, `more ${many}`) + after,
  less: (n) => count(n, `fewer ${one}`, `fewer ${many}`) + after,
});

/** Words for a number that is none in most plans: `1 handover`, and `no handovers`. */
const few = (one: string): Words => ({
  more: (n, from) => count(n, from === 0 ? one : `more ${one}`),
  less: (n, to) => (to === 0 ? `no ${one}s` : count(n, `fewer ${one}`)),
});

const otherChildren = (n: number, more: string): string =>
  n === 1 ? `1 ${more}session of another child changes` : `${n} ${more}sessions of other children change`;

/**
 * The figures of each term, in order of importance: care, familiar people, unaffected people, and staff's load. The
 * code compiles only if every term has an entry; null stands for a term without a figure. All times are in minutes.
 */
const FIGURES = {
  uncovered: {
    /** Affected session time without a therapist. */
    uncoveredMinutes: low(
      ({ view }) => minutes(view.pieces.reduce((n, p) => n + (p.therapist ? 0 : p.to - p.from), 0)),
      { more: (n) => `${duration(n)} less care`, less: (n) => `${duration(n)} more care` },
    ),
  },
  gap: {
    /** Stretches in which a child who is there is left alone and then covered again. */
    gaps: low(({ units }) => units.gap, number('gap', ' inside sessions')),
  },
  stub: {
    /** Stretches of care under an hour beside time without a therapist. */
    stubs: low(({ units }) => units.stub, number('stretch', ' of care under an hour', 'stretches')),
  },
  face: {
    /** Pairs of a client and a therapist who have never met. */
    newFaces: low(({ units }) => units.face, few('new face')),
  },
  // No figure: `newFaces` already counts these people.
  new: null,
  unfamiliar: {
    /** Supervisions by a BCBA whom the child has not met. */
    unfamiliarSupervisions: low(
      ({ units }) => units.unfamiliar,
      number('supervision', ' by someone the child has not met'),
    ),
  },
  known: {
    /** Cover by members of the client's care team, which costs neither `known` nor `new`. */
    teamMinutes: {
      of: ({ view }) =>
        minutes(
          view.others
            .filter((p) => p.part.client.familiarity[p.therapist.index] === FAMILIARITY.team)
            .reduce((n, p) => n + p.to - p.from, 0),
        ),
      better: 'more',
      ...time('with the care team'),
    },
  },
  swap: {
    /** Sessions whose therapist changes although no absence affects them. */
    swaps: low(({ units }) => units.swap, {
      more: (n, from) => otherChildren(n, from === 0 ? '' : 'more '),
      less: (n, to) => (to === 0 ? 'no session of another child changes' : otherChildren(n, 'fewer ')),
    }),
  },
  change: {
    /** How many times the therapist changes within a session; a change from or to no therapist counts too. */
    handovers: low(({ units }) => units.change, few('handover')),
  },
  short: {
    /** Substitutes' pieces of less than an hour that are not the whole session. */
    shortVisits: low(({ units }) => units.short, number('visit', ' under an hour')),
  },
  bcba: {
    /** Time in which BCBAs give direct care in place of others. */
    bcbaMinutes: low(({ units }) => minutes(units.bcba), time('of BCBAs running sessions')),
  },
  lunch: { lunchMinutes: low(({ units }) => minutes(units.lunch), time('lunch lost')) },
  taken: {
    /** Time that a substitute takes from a booked therapist who is present. */
    takenMinutes: low(({ units }) => minutes(units.taken), time('taken from therapists who are working')),
  },
  callin: {
    /** Cover outside the therapist's booked day. */
    callInMinutes: low(({ units }) => minutes(units.callin), time('called in on free time')),
  },
  admin: { adminMinutes: low(({ units }) => minutes(units.admin), time('admin time given up')) },
  overload: {
    /** Cover that goes beyond a therapist's free load, added up over all therapists. */
    overloadMinutes: low(
      ({ view, days }) =>
        minutes(view.model.therapists.reduce((n, t) => n + Math.max(0, days[t.index]!.given - freeLoad(t)), 0)),
      time('on people who cover a lot'),
    ),
  },
  match: {
    /** Minutes of cover, counted once for each of the client's preferences that the substitute does not meet. */
    mismatchMinutes: low(({ units }) => minutes(units.match), time('with a therapist who is a weaker match')),
  },
  call: {
    /** How many people must be told only because of the plan. */
    calls: low(({ calls }) => calls.people, few('call')),
    /** How many of the people in `calls` are not in the building yet. */
    notInYet: low(({ calls }) => calls.notInYet, {
      more: (n) => `${count(n, 'more call')} to ${n === 1 ? 'someone' : 'people'} not in yet`,
      less: (n) => `${count(n, 'fewer call')} to ${n === 1 ? 'someone' : 'people'} not in yet`,
    }),
  },
  substitute: {
    /** Pairs of a client and a therapist who is with the client only because of the plan. */
    substitutes: low(({ units }) => units.substitute, number('substitute')),
  },
  added: {
    /** How many therapists take over others' work. */
    helpers: low(({ days }) => days.filter((day) => day.given > 0).length, {
      more: (n) => count(n, 'more person helps', 'more people help'),
      less: (n) => count(n, 'fewer person helps', 'fewer people help'),
    }),
  },
} satisfies Readonly<Record<Term, Readonly<Record<string, Figure>> | null>>;

/** The name of a figure. */
type FigureName = { [T in Term]: keyof (typeof FIGURES)[T] }[Term];
export type PlanFigures = Readonly<Record<FigureName, number>>;

/** All figures by name, in order of importance. */
const NAMED = Object.values(FIGURES).flatMap((figures) => (figures ? Object.entries<Figure>(figures) : []));

/** All figures, in order of importance. */
export const COMPARED: readonly Figure[] = NAMED.map(([, figure]) => figure);

/** Counts the units from which a legal plan's figures are computed. */
export function countPlan(model: CoverModel, plan: Plan): CountedPlan {
  const view = viewPlan(model, plan);
  return { view, units: countUnits(view), days: workingDays(view), calls: countCalls(view) };
}

/** The figures of a legal plan. */
export function planFigures(model: CoverModel, plan: Plan): PlanFigures {
  const counted = countPlan(model, plan);
  return Object.fromEntries(NAMED.map(([name, { of }]) => [name, of(counted)])) as PlanFigures;
}

/** The figures of an option. */
export const optionFigures = (model: CoverModel, { sessions }: Pick<CoverOption, 'sessions'>): PlanFigures =>
  planFigures(model, readPlan(model, sessions).plan);
