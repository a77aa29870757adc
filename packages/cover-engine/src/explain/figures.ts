/** A plan in minutes, changes and new faces: the figures by which staff compare options. Never points. */
import { viewPlan } from '../constraints/view.ts';
import { countCalls, countUnits, workingDays } from '../count.ts';
import { readPlan } from '../judge.ts';
import { FAMILIARITY, type CoverModel, type Plan } from '../model.ts';
import type { CoverOption } from '../problem.ts';
import { SLOT_MINUTES } from '../slots.ts';
import { freeLoad } from './load.ts';

/** The figures of a plan. All times are in minutes. */
export interface PlanFigures {
  /** Time of affected sessions with a therapist. */
  keptMinutes: number;
  /** Time of affected sessions without a therapist. */
  uncoveredMinutes: number;
  /** Stretches without a therapist in the middle of a session. */
  gaps: number;
  /** How often the person changes within a session; a change from or to no therapist counts too. */
  handovers: number;
  /** Sessions that no absence affects but whose therapist changes. */
  swaps: number;
  /** Pairs of a client and a therapist who have never met. */
  newFaces: number;
  /** Cover by members of the client's care team. */
  teamMinutes: number;
  /** Substitutes' pieces of less than an hour that are not the whole session. */
  shortVisits: number;
  /** Time in which BCBAs give direct care in place of others. */
  bcbaMinutes: number;
  /** Cover outside the therapist's booked day. */
  callInMinutes: number;
  /** Cover that goes beyond a therapist's free load, added up over all therapists. */
  overloadMinutes: number;
  adminMinutes: number;
  lunchMinutes: number;
  /** Time that a substitute takes from a booked therapist who is present. */
  takenMinutes: number;
  /** Minutes of cover, counted once for each of the client's preferences that the substitute does not meet. */
  mismatchMinutes: number;
  /** How many people must be told only because of the plan. */
  calls: number;
  /** How many of those people are not in the building yet. */
  notInYet: number;
  /** How many therapists take over others' work. */
  helpers: number;
}

/** The figures of an option. */
export const optionFigures = (model: CoverModel, { sessions }: Pick<CoverOption, 'sessions'>): PlanFigures =>
  planFigures(model, readPlan(model, sessions).plan);

/** The figures of a legal plan. */
export function planFigures(model: CoverModel, plan: Plan): PlanFigures {
  const view = viewPlan(model, plan);
  const units = countUnits(view);
  const calls = countCalls(view);
  const days = workingDays(view);
  const minutes = (slots: number): number => slots * SLOT_MINUTES;
  const uncovered = view.pieces.reduce((n, p) => n + (p.therapist ? 0 : p.to - p.from), 0);
  const team = view.others.reduce(
    (n, p) => n + (p.part.client.familiarity[p.therapist.index] === FAMILIARITY.team ? p.to - p.from : 0),
    0,
  );
  const over = model.therapists.reduce((n, t) => n + Math.max(0, (days[t.index]?.given ?? 0) - freeLoad(t)), 0);
  return {
    keptMinutes: minutes(model.affectedSlots - uncovered),
    uncoveredMinutes: minutes(uncovered),
    gaps: units.gap,
    handovers: units.change,
    swaps: units.swap,
    newFaces: units.face,
    teamMinutes: minutes(team),
    shortVisits: units.short,
    bcbaMinutes: minutes(units.bcba),
    callInMinutes: minutes(units.callin),
    overloadMinutes: minutes(over),
    adminMinutes: minutes(units.admin),
    lunchMinutes: minutes(units.lunch),
    takenMinutes: minutes(units.taken),
    mismatchMinutes: minutes(units.match),
    calls: calls.people,
    notInYet: calls.notInYet,
    helpers: days.filter((day) => day.given > 0).length,
  };
}
