/** What it would take to cover a stretch that a plan leaves with nobody: the cheapest plan that covers it, as changes. */
import { readPlan } from '../judge.ts';
import { NOBODY, type CoverModel, type Plan } from '../model.ts';
import type { CoverProblem, PlannedSession } from '../problem.ts';
import { timeOf } from '../slots.ts';
import { planChanges, type PlanChange } from './changes.ts';
import { comparePlans } from './compare.ts';
import type { Stretch } from './place.ts';
import { whyNobody, type WhyNobody } from './why-nobody.ts';
import { span } from './words.ts';

/** A stretch that must have somebody, `HH:MM`. */
export interface MustCover {
  session: string;
  start: string;
  end: string;
}

/** Solves a problem under the constraint; null when no plan covers the stretch. Runs wherever solving runs. */
export type SolveCovering = (
  problem: CoverProblem,
  mustCover: readonly MustCover[],
) => Promise<readonly PlannedSession[] | null> | readonly PlannedSession[] | null;

export interface WhatItTakes {
  possible: boolean;
  /** The whole plan that covers it; empty when there is none. */
  sessions: readonly PlannedSession[];
  /** Against the plan asked about. */
  changes: PlanChange[];
  /** `2 sessions of other children change, 1 h less care`; or why nobody can. */
  text: string;
  gains: string[];
  costs: string[];
  /** Why nobody can, where nobody can. */
  why: WhyNobody | null;
}

/** True when a plan has somebody at every moment of a stretch. */
export function isCovered(plan: Plan, stretch: Stretch): boolean {
  const pieces = plan[stretch.part] ?? [];
  return !pieces.some((p) => p.therapist === NOBODY && p.from < stretch.to && stretch.from < p.to);
}

/**
 * The cheapest plan that leaves no moment of the stretch with nobody, told as changes to `plan`; pins of the problem
 * hold. `solve` is the engine's own, so that this module stays free of workers.
 */
export async function whatItWouldTake(
  model: CoverModel,
  plan: Plan,
  stretch: Stretch,
  solve: SolveCovering,
): Promise<WhatItTakes> {
  const part = model.parts[stretch.part];
  if (!part) throw new RangeError(`no part ${stretch.part}`);
  const asked: MustCover = { session: part.session.id, start: timeOf(stretch.from), end: timeOf(stretch.to) };
  const sessions = await solve(model.problem, [asked]);
  const found = sessions ? readPlan(model, sessions).plan : null;
  if (!sessions || !found || !isCovered(found, stretch)) {
    const why = whyNobody(model, plan, stretch);
    const text = `${part.client.name} ${span(stretch.from, stretch.to)} cannot be covered by anyone, whatever else changes.`;
    return { possible: false, sessions: [], changes: [], text, gains: [], costs: [], why };
  }
  const changes = planChanges(model, plan, found);
  const { gains, costs } = comparePlans(model, plan, found);
  const price = costs.length > 0 ? costs.join(', ') : 'nothing else';
  const text = `Covering ${part.client.name} ${span(stretch.from, stretch.to)} would take: ${price}.`;
  return { possible: true, sessions, changes, text, gains, costs, why: null };
}
