/**
 * The objective of one strategy (*Exactness* in docs/cover-engine.md): what each piece costs. Costs are whole points
 * and add up over the pieces of a plan, except for the terms that belong to a therapist's day as a whole.
 */
import type { Part, Plan, PlanPiece } from '../model.ts';
import { FAMILIARITY, NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import type { Weights } from '../strategies.ts';
import { OVERLOAD_FROM, WEIGHTS } from '../strategies.ts';
import type { Instance } from './instance.ts';

export interface Objective {
  readonly instance: Instance;
  readonly weights: Weights;
  /** Points of the pinned pieces, `overload` and `lunch` apart. */
  readonly fixedCost: number;
}

/** Points of one slot of a part with another therapist than the booked one. */
export function slotCost(instance: Instance, weights: Weights, part: Part, therapist: number, slot: number): number {
  const t = instance.model.therapists[therapist];
  if (!t) return 0;
  const familiarity = part.client.familiarity[therapist];
  let points = weights.added;
  if (familiarity === FAMILIARITY.known) points += weights.known;
  else if (familiarity !== FAMILIARITY.team) points += weights.new;
  if (t.credential === 'BCBA' && part.session.service === 'direct') points += weights.bcba;
  if (t.admin[slot]) points += weights.admin;
  if (slot < t.dayFrom || slot >= t.dayTo) points += weights.callin;
  const booked = instance.model.therapists[part.booked];
  if (part.affected && booked && !booked.away[slot]) points += weights.taken;
  return points;
}

/** Points of one slot of a part with nobody. */
export function uncoveredCost(weights: Weights, part: Part): number {
  return part.session.service === 'direct' ? (weights.uncovered * part.client.priority) / 100 : weights.uncoveredOther;
}

/** What an alternative counts of one slot of a part with nobody, in usual slots: balanced points over those of one. */
export function uncoveredShare(part: Part): number {
  return uncoveredCost(WEIGHTS.alternative, part) / WEIGHTS.alternative.uncovered;
}

/** Points for leaving one slot of a part with nobody where somebody has to be. */
export function mustPoints(instance: Instance, part: Part, slot: number): number {
  return instance.mustCover?.[part.index * SLOTS + slot] ? instance.mustPoints : 0;
}

/** Points of a part's pieces, `overload` and `lunch` apart. */
export function partCost(instance: Instance, weights: Weights, part: Part, pieces: readonly PlanPiece[]): number {
  let points = 0;
  pieces.forEach((p, i) => {
    const whole = p.from === part.from && p.to === part.to;
    if (i > 0) points += weights.change;
    if (p.therapist === NOBODY) {
      points += (p.to - p.from) * uncoveredCost(weights, part);
      if (instance.mustCover) for (let k = p.from; k < p.to; k++) points += mustPoints(instance, part, k);
      if (p.from !== part.from && p.to !== part.to) points += weights.gap;
    } else if (p.therapist !== part.booked) {
      for (let k = p.from; k < p.to; k++) points += slotCost(instance, weights, part, p.therapist, k);
      if (p.to - p.from < 4 && !whole) points += weights.short;
      if (!part.affected) points += weights.swap;
    }
  });
  return points;
}

/** The field of a ground under some weights. */
export function makeObjective(instance: Instance, weights: Weights): Objective {
  const fixedCost = instance.fixed.reduce((n, f) => n + partCost(instance, weights, f.part, f.pieces), 0);
  return { instance, weights, fixedCost };
}

/**
 * Slots of others' work that a therapist takes before it is overload, pinned pieces counted. Below zero: already over.
 */
export function overloadRoom(instance: Instance, therapist: number): number {
  const freed = instance.model.therapists[therapist]?.freed ?? 0;
  return OVERLOAD_FROM + freed - (instance.addedBase[therapist] ?? 0);
}

/** A plan's points, all terms. Exactly what the judge says of it. */
export function planCost(objective: Objective, plan: Plan): number {
  const { instance, weights } = objective;
  const { model } = instance;
  let points = 0;
  const given = new Int32Array(model.therapists.length);
  const work = new Int32Array(model.therapists.length);
  const seen = new Uint8Array(model.therapists.length * SLOTS);
  for (const part of model.parts) {
    const pieces = plan[part.index] ?? [];
    const stays = !part.affected && pieces.length === 1 && pieces[0]?.therapist === part.booked;
    if (!stays) points += partCost(instance, weights, part, pieces);
    for (const p of pieces) {
      if (p.therapist === NOBODY) continue;
      if (p.therapist !== part.booked) given[p.therapist] = (given[p.therapist] ?? 0) + p.to - p.from;
      for (let k = p.from; k < p.to; k++) {
        const at = p.therapist * SLOTS + k;
        if (instance.lunchSlot[at] && !seen[at]) work[p.therapist] = (work[p.therapist] ?? 0) + 1;
        seen[at] = 1;
      }
    }
  }
  for (const t of model.therapists) {
    points += weights.overload * Math.max(0, (given[t.index] ?? 0) - OVERLOAD_FROM - t.freed);
    points +=
      weights.lunch *
      Math.max(0, (work[t.index] ?? 0) + (instance.lunchAdmin[t.index] ?? 0) - (instance.lunchMost[t.index] ?? 0));
  }
  return points;
}
