/** For explanations: how much work a therapist may take from others, and how much a plan gives them. */
import { viewPlan } from '../constraints/view.ts';
import { workingDays } from '../count.ts';
import type { CoverModel, Plan, TherapistModel } from '../model.ts';

/** How many slots of other therapists' sessions this therapist can take at no extra cost. */
export const freeLoad = (t: TherapistModel): number => Math.min(Infinity, ...t.load.map(([from]) => from)) + t.freed;

/** How many slots of other therapists' sessions this therapist usually takes in one day. */
export const usualLoad = (t: TherapistModel): number =>
  Math.min(Infinity, ...t.load.flatMap(([from]) => (from > 0 ? [from] : []))) + t.freed;

/**
 * Whether even the first slot of other therapists' sessions costs extra, because of cover on earlier days or few hours
 * left in the week.
 */
export const hasDoneMuch = (t: TherapistModel): boolean => t.load.some(([from, points]) => from === 0 && points > 0);

/** How many slots of other therapists' sessions a plan gives each therapist, by index. */
export const givenBy = (model: CoverModel, plan: Plan): number[] =>
  workingDays(viewPlan(model, plan)).map((day) => day.given);

/** How many more slots of other therapists' sessions this therapist may take; Infinity without a cap. */
export const capLeft = (t: TherapistModel, given: number): number =>
  t.cap === null ? Infinity : t.cap + t.freed - given;
