/** What a plan means in minutes, changes and faces: the figures people use to compare options. Never points. */
import { viewPlan } from '../constraints/view.ts';
import { countUnits, workingDays } from '../count.ts';
import { readPlan } from '../judge.ts';
import { FAMILIARITY, type CoverModel, type Plan } from '../model.ts';
import type { CoverOption } from '../problem.ts';
import { SLOT_MINUTES } from '../slots.ts';
import { freeLoad } from './load.ts';

/** All times in minutes. */
export interface PlanFigures {
  /** Time of affected sessions that a therapist takes. */
  keptMinutes: number;
  /** Time of affected sessions without a therapist. */
  uncoveredMinutes: number;
  /** Stretches without a therapist in the middle of a session. */
  gaps: number;
  /** Points inside a session where the person changes, including to or from no therapist. */
  handovers: number;
  /** Unaffected sessions that change therapist. */
  swaps: number;
  /** Pairs of a client and a therapist who have never met. */
  newFaces: number;
  /** Cover by a client's care team. */
  teamMinutes: number;
  /** Visits of under an hour that are not the whole session. */
  shortVisits: number;
  /** Direct care that BCBAs give in place of others. */
  bcbaMinutes: number;
  /** Cover outside the helper's booked day. */
  callInMinutes: number;
  /** Cover beyond what costs a helper nothing extra, over all helpers. */
  overloadMinutes: number;
  adminMinutes: number;
  lunchMinutes: number;
  /** Time that a therapist who is present gives up to a substitute. */
  takenMinutes: number;
  /** In slots: what the children do best with and the helper does not have. */
  mismatchMinutes: number;
  /** People who must be told only because of the plan; someone not in the building yet counts twice. */
  calls: number;
  /** People who take over others' work. */
  helpers: number;
}

/** The figures of an option. */
export const optionFigures = (model: CoverModel, { sessions }: Pick<CoverOption, 'sessions'>): PlanFigures =>
  planFigures(model, readPlan(model, sessions).plan);

/** The figures of a legal plan. */
export function planFigures(model: CoverModel, plan: Plan): PlanFigures {
  const view = viewPlan(model, plan);
  const units = countUnits(view);
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
    calls: units.call,
    helpers: days.filter((day) => day.given > 0).length,
  };
}
