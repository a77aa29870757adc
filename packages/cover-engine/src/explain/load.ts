/** How much extra work a therapist may take and does take, for the reasons. */
import { viewPlan } from '../constraints/view.ts';
import { workingDays } from '../count.ts';
import type { CoverModel, Plan, TherapistModel } from '../model.ts';

/** Slots of others' sessions that cost a therapist nothing extra. */
export const freeLoad = (t: TherapistModel): number => Math.min(Infinity, ...t.load.map(([from]) => from)) + t.freed;

/** By therapist: slots of others' sessions that a plan gives them. */
export const givenBy = (model: CoverModel, plan: Plan): number[] =>
  workingDays(viewPlan(model, plan)).map((day) => day.given);

/** Slots of others' sessions that a therapist may still take; Infinity without a cap. */
export const capLeft = (t: TherapistModel, given: number): number =>
  t.cap === null ? Infinity : t.cap + t.freed - given;
