/**
 * Finds out how a stretch without a therapist could be covered: lists the changes from the current plan to the cheapest
 * plan that covers the stretch.
 */
import { readPlan } from '../judge.ts';
import { NOBODY, type CoverModel, type Plan } from '../model.ts';
import type { CoverOption, PlannedSession, Refusal } from '../answer.ts';
import type { CoverProblem } from '../problem.ts';
import { timeOf } from '../slots.ts';
import { planChanges, type PlanChange } from './changes.ts';
import { comparePlans } from './compare.ts';
import type { PartStretch } from './place.ts';
import { whyNobody, type WhyNobody } from './why-nobody.ts';
import { span } from './words.ts';

/** A stretch of a session that must have a therapist; times are `HH:MM`. */
export interface MustCover {
  session: string;
  start: string;
  end: string;
}

/**
 * The cheapest plan found that covers the stretches, and whether it is proven to be the cheapest. `none`: there is no
 * such plan. `no-time`: none was found before time ran out.
 */
export type Covering = { readonly sessions: readonly PlannedSession[]; readonly proven: boolean } | 'none' | 'no-time';

/** Solves a problem in which these stretches must have a therapist. The caller decides where the solver runs. */
export type SolveCovering = (problem: CoverProblem, mustCover: readonly MustCover[]) => Promise<Covering> | Covering;

/** Reads the engine's result for a problem with `mustCover`. */
export function coveringOf(solved: {
  readonly ok: boolean;
  readonly refusal?: Refusal;
  readonly options?: readonly { readonly option: Pick<CoverOption, 'sessions' | 'proven'> }[];
}): Covering {
  const option = solved.options?.[0]?.option;
  if (option) return { sessions: option.sessions, proven: option.proven };
  return solved.refusal?.code === 'cannot_cover' ? 'none' : 'no-time';
}

export interface WhatItTakes {
  possible: boolean;
  /** Whether it is certain that no cheaper plan exists, or that no plan exists at all. */
  proven: boolean;
  /** The whole plan that covers the stretch; empty when there is none. */
  sessions: readonly PlannedSession[];
  /** How this plan differs from the current one. */
  changes: PlanChange[];
  /** The answer in words: what covering the stretch would take, or that no way was found. */
  text: string;
  gains: string[];
  costs: string[];
  /** Why no therapist takes the stretch in the current plan, if no plan can cover it; otherwise null. */
  why: WhyNobody | null;
}

/** Whether a plan has a therapist at every moment of a stretch. */
export function isCovered(plan: Plan, stretch: PartStretch): boolean {
  const pieces = plan[stretch.part] ?? [];
  return !pieces.some((p) => p.therapist === NOBODY && p.from < stretch.to && stretch.from < p.to);
}

/**
 * Finds the cheapest plan that covers the whole stretch, and lists how it differs from `plan`. Keeps the problem's pins,
 * except on the session itself: it is asked what another choice for that session would take. `solve` is a parameter, so
 * this file needs no workers.
 */
export async function whatItWouldTake(
  model: CoverModel,
  plan: Plan,
  stretch: PartStretch,
  solve: SolveCovering,
): Promise<WhatItTakes> {
  const part = model.parts[stretch.part];
  if (!part) throw new RangeError(`no part ${stretch.part}`);
  const asked: MustCover = { session: part.session.id, start: timeOf(stretch.from), end: timeOf(stretch.to) };
  const pins = model.problem.pins?.filter(({ session }) => session !== asked.session) ?? [];
  const covering = await solve({ ...model.problem, pins }, [asked]);
  const stretchText = `${part.client.name} ${span(stretch.from, stretch.to)}`;
  const impossible = (proven: boolean, text: string): WhatItTakes => ({
    possible: false,
    proven,
    sessions: [],
    changes: [],
    text,
    gains: [],
    costs: [],
    why: whyNobody(model, plan, stretch),
  });
  if (covering === 'none') {
    // The proof is about the whole stretch, with the choices that were kept.
    const kept = pins.length > 0 ? 'While the other choices stay' : 'Whatever else changes';
    const none = impossible(true, '');
    const some = none.why?.groups.some(({ therapists }) => therapists.some(({ could }) => could)) ? 'all of ' : '';
    return { ...none, text: `${kept}, no one who works then can cover ${some}${stretchText}.` };
  }
  const found = covering === 'no-time' ? null : readPlan(model, covering.sessions).plan;
  if (covering === 'no-time' || !found || !isCovered(found, stretch))
    return impossible(false, `No way to cover ${stretchText} was found in time; there may be one.`);
  const { sessions, proven } = covering;
  const changes = planChanges(model, plan, found);
  const { gains, costs } = comparePlans(model, plan, found);
  const price = costs.length > 0 ? `would take: ${costs.join(', ')}` : 'would make nothing else worse';
  const least = proven ? '' : ' There may be a better way: the search ran out of time.';
  const text = `Covering ${stretchText} ${price}.${least}`;
  return { possible: true, proven, sessions, changes, text, gains, costs, why: null };
}
