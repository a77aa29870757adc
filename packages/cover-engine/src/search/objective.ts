/**
 * The objective of a search (*Exactness* in docs/cover-engine.md): the points to minimize, and limits for the whole
 * plan. Points are whole numbers and add up over a plan's pieces, except for terms that count a person's whole day. The
 * file is over 250 lines because points and units are counted in the same ways.
 */
import { viewPlan } from '../constraints/view.ts';
import { countUnits } from '../count.ts';
import type { Part, Plan, PlanPiece } from '../model.ts';
import { NOBODY, stretchesOf } from '../model.ts';
import { SLOTS, type SlotRange } from '../slots.ts';
import { isWithin } from '../strategies.ts';
import {
  HANDOVER_TERMS,
  MOVE_TERMS,
  OPEN_PIECE_TERMS,
  OPEN_SLOT_TERMS,
  PIECE_TERMS,
  POINTS,
  SLOT_TERMS,
  STRETCH_TERMS,
  TERM_NAMES,
  TERMS,
  VISIT_TERMS,
  type Weights,
} from '../terms.ts';
import type { Column } from './column.ts';
import type { Instance } from './instance.ts';
import { isShared } from './instance.ts';
import { CHARGED_TERMS } from './priced.ts';
import { LIMITED, type Limited, type Limits } from './limited.ts';

export interface Objective {
  readonly instance: Instance;
  readonly weights: Weights;
  /** Limits for the whole plan, pinned pieces included. */
  readonly limits: Limits;
  /** Units of limited terms that every plan within the limits is known to have at least. */
  readonly atLeast: Limits;
  /** How many units of each limited term the pinned pieces have; 0 for `lunch`, which belongs to a whole day. */
  readonly fixedUnits: Readonly<Record<Limited, number>>;
  /** The points of pinned pieces, without the terms that count whole days (`overload`, `lunch`). */
  readonly fixedCost: number;
}

/** The weights of a plan's price. */
export const PRICE_WEIGHTS: Weights = { ...POINTS, uncovered: 0 };

/** The points of one slot of a part when a substitute has the slot. */
export function slotCost(instance: Instance, weights: Weights, part: Part, therapist: number, slot: number): number {
  const t = instance.model.therapists[therapist];
  if (!t) return 0;
  const booked = instance.model.therapists[part.booked];
  let points = 0;
  for (const { term, of } of SLOT_TERMS) points += weights[term] * of(part, slot, t, booked);
  return points;
}

/** The points of a substitute's piece by its times, without the points of its slots. */
export function pieceCost(weights: Weights, part: Part, from: number, to: number): number {
  let points = 0;
  for (const { term, of } of PIECE_TERMS) points += weights[term] * of(part, from, to);
  return points;
}

/** The points of a substitute's piece by who has it, whatever its times. */
export function visitCost(instance: Instance, weights: Weights, part: Part, therapist: number): number {
  const t = instance.model.therapists[therapist];
  if (!t) return 0;
  let points = 0;
  for (const { term, of } of VISIT_TERMS) points += weights[term] * of(part, t);
  return points;
}

/** The points of a stretch of care. */
export function stretchCost(weights: Weights, part: Part, from: number, to: number): number {
  let points = 0;
  for (const { term, of } of STRETCH_TERMS) points += weights[term] * of(part, from, to);
  return points;
}

/** The points of one slot of a part when no therapist has the slot. */
export function openSlotCost(weights: Weights, part: Part): number {
  let points = 0;
  for (const { term, of } of OPEN_SLOT_TERMS) points += weights[term] * of(part);
  return points;
}

/** How many points a piece without a therapist costs, before the points of its slots are added. */
export function openPieceCost(weights: Weights, part: Part, from: number, to: number): number {
  let points = 0;
  for (const { term, of } of OPEN_PIECE_TERMS) points += weights[term] * of(part, from, to);
  return points;
}

/** The points of one handover. */
export const handoverCost = (weights: Weights): number => HANDOVER_TERMS.reduce((n, term) => n + weights[term], 0);

/** The points of moving an unaffected part. */
const moveCost = (weights: Weights): number => MOVE_TERMS.reduce((n, term) => n + weights[term], 0);

/**
 * How many extra points it costs to leave a slot uncovered if a therapist is required in the slot; 0 for any other
 * slot.
 */
export function mustPoints(instance: Instance, part: Part, slot: number): number {
  return instance.mustCover?.[part.index * SLOTS + slot] ? instance.mustPoints : 0;
}

/** The points of a part's pieces, without those of its stretches of care and of a person's whole day. */
function piecesCost(instance: Instance, weights: Weights, part: Part, pieces: readonly PlanPiece[]): number {
  let points = 0;
  pieces.forEach((p, i) => {
    if (i > 0) points += handoverCost(weights);
    if (p.therapist === NOBODY) {
      points += (p.to - p.from) * openSlotCost(weights, part);
      if (instance.mustCover) for (let k = p.from; k < p.to; k++) points += mustPoints(instance, part, k);
      points += openPieceCost(weights, part, p.from, p.to);
    } else if (p.therapist !== part.booked) {
      for (let k = p.from; k < p.to; k++) points += slotCost(instance, weights, part, p.therapist, k);
      points += pieceCost(weights, part, p.from, p.to) + visitCost(instance, weights, part, p.therapist);
      if (!part.affected) points += moveCost(weights);
    }
  });
  return points;
}

/** The points of a part's pieces, without the terms that count a person's whole day. */
function partCost(instance: Instance, weights: Weights, part: Part, pieces: readonly PlanPiece[]): number {
  const care = stretchesOf(pieces).reduce((n, { from, to }) => n + stretchCost(weights, part, from, to), 0);
  return piecesCost(instance, weights, part, pieces) + care;
}

/** How many units of a limited term a part's pieces have by themselves, and these stretches of care. */
function partUnits(
  instance: Instance,
  what: Limited,
  part: Part,
  pieces: readonly PlanPiece[],
  care: readonly SlotRange[],
): number {
  const others = pieces.filter((p) => p.therapist !== NOBODY && p.therapist !== part.booked);
  switch (what) {
    case 'uncovered':
      return pieces.reduce((n, p) => n + (p.therapist === NOBODY ? (p.to - p.from) * TERMS.uncovered.of(part) : 0), 0);
    case 'change':
      return pieces.length - 1;
    case 'swap':
      return !part.affected && others.length > 0 ? 1 : 0;
    case 'bcba':
      return others.reduce((n, p) => n + (p.to - p.from) * bcbaUnits(instance, part, p.therapist), 0);
    case 'gap':
      return pieces.reduce((n, p) => n + (p.therapist === NOBODY ? TERMS.gap.of(part, p.from, p.to) : 0), 0);
    case 'stub':
      return care.reduce((n, { from, to }) => n + TERMS.stub.of(part, from, to), 0);
    case 'price':
      return partCost(instance, PRICE_WEIGHTS, part, pieces);
    case 'call':
    case 'face':
    case 'lunch':
      return 0;
  }
}

/**
 * The units of `bcba` in each slot: 1 if this therapist is a BCBA who would give the part's direct care in place of
 * another therapist, otherwise 0.
 */
export function bcbaUnits(instance: Instance, part: Part, therapist: number): number {
  const t = instance.model.therapists[therapist];
  return t ? TERMS.bcba.of(part, part.from, t) : 0;
}

/**
 * Lists the charges that a column causes, each once. With `shared`, these are only the charges that other groups can
 * cause too; otherwise only the charges that no other group can cause.
 */
export function chargesIn(instance: Instance, column: Column, shared: boolean): number[] {
  const { length } = instance.model.therapists;
  const { part, kind, owner } = column;
  if (!part || (kind !== 'pattern' && kind !== 'arc' && kind !== 'move')) return [];
  const group = kind === 'move' ? instance.open.length + owner : owner;
  const found = kind === 'move' ? [...(instance.chargesOfMove[owner] ?? [])] : [];
  for (const p of column.pieces)
    if (p.therapist >= 0 && p.therapist !== part.booked)
      for (const id of instance.chargesOf[group * length + p.therapist] ?? []) if (!found.includes(id)) found.push(id);
  return found.filter((id) => isShared(instance.charges[id]!) === shared);
}

/** Whether a column is an arc that begins inside its part, which means a handover. */
const isLater = ({ kind, part, pieces }: Column): boolean =>
  kind === 'arc' && part !== null && pieces[0]!.from > part.from;

/** The points of a charge at these weights. */
export function chargeCost(instance: Instance, weights: Weights, id: number): number {
  const { call, face, substitute } = instance.charges[id]!.units;
  return weights.call * (call ?? 0) + weights.face * (face ?? 0) + weights.substitute * (substitute ?? 0);
}

/** The points of a column that a plan can have, at these weights. */
export function columnPoints(instance: Instance, weights: Weights, column: Column): number {
  const { kind, owner, part, pieces, direct, ends } = column;
  switch (kind) {
    case 'lunch':
      return weights.lunch;
    case 'over': {
      const { term, points } = instance.steps[owner]!;
      return weights[term] * points;
    }
    case 'charge':
      return chargeCost(instance, weights, owner);
    case 'union':
    case 'unmoved':
    case 'slack':
      return 0;
    case 'pattern':
    case 'arc':
    case 'move': {
      if (!part) return 0;
      let points = direct.reduce((n, id) => n + chargeCost(instance, weights, id), 0);
      if (kind !== 'arc') return points + partCost(instance, weights, part, pieces);
      points += piecesCost(instance, weights, part, pieces);
      if (isLater(column)) points += handoverCost(weights);
      return ends?.care ? points + stretchCost(weights, part, ends.care.from, ends.care.to) : points;
    }
  }
}

/** How many units of a limited term a column has. */
export function columnUnits(instance: Instance, what: Limited, column: Column): number {
  const { kind, part, pieces, direct, ends } = column;
  if (what === 'price') return columnPoints(instance, PRICE_WEIGHTS, column);
  if (kind === 'lunch') return what === 'lunch' ? 1 : 0;
  const isCharged = what === 'call' || what === 'face';
  if (kind === 'charge') return isCharged ? (instance.charges[column.owner]!.units[what] ?? 0) : 0;
  if (!part) return 0;
  if (isCharged) return direct.reduce((n, id) => n + (instance.charges[id]!.units[what] ?? 0), 0);
  const joins = what === 'change' && isLater(column) ? 1 : 0;
  const care = kind !== 'arc' ? stretchesOf(pieces) : ends?.care ? [ends.care] : [];
  return joins + partUnits(instance, what, part, pieces, care);
}

/** Makes the objective of an instance, with these weights and limits. */
export function makeObjective(
  instance: Instance,
  weights: Weights,
  limits: Limits = {},
  atLeast: Limits = {},
): Objective {
  let fixedCost = 0;
  const fixedUnits = Object.fromEntries(LIMITED.map((what) => [what, 0])) as Record<Limited, number>;
  for (const f of instance.fixed) {
    fixedCost += partCost(instance, weights, f.part, f.pieces);
    for (const what of LIMITED) fixedUnits[what] += partUnits(instance, what, f.part, f.pieces, stretchesOf(f.pieces));
  }
  if (instance.fixed.length > 0) {
    // Counts the calls and pairs of the pinned pieces in a plan in which nothing else changes.
    const plan: (readonly PlanPiece[])[] = instance.model.parts.map((part) => [
      { therapist: part.affected ? NOBODY : part.booked, from: part.from, to: part.to },
    ]);
    for (const f of instance.fixed) plan[f.part.index] = f.pieces;
    const units = countUnits(viewPlan(instance.model, plan));
    for (const term of CHARGED_TERMS) {
      if (term !== 'substitute') fixedUnits[term] = units[term];
      fixedUnits.price += PRICE_WEIGHTS[term] * units[term];
      fixedCost += weights[term] * units[term];
    }
  }
  return { instance, weights, limits, atLeast, fixedUnits, fixedCost };
}

/**
 * How many slots of others' work a therapist may have before this load step costs points. Negative if the pinned pieces
 * alone exceed the step.
 */
export const stepRoom = (instance: Instance, step: number): number => instance.steps[step]!.room;

/** The points of a whole plan, as `scorePlan` counts them; Infinity if the plan exceeds a limit. */
export function planCost({ instance, weights, limits }: Objective, plan: Plan): number {
  const units = countUnits(viewPlan(instance.model, plan));
  if (!isWithin(units, limits)) return Infinity;
  let points = 0;
  for (const term of TERM_NAMES) points += weights[term] * units[term];
  if (instance.mustCover)
    for (const part of instance.model.parts)
      for (const p of plan[part.index] ?? [])
        if (p.therapist === NOBODY) for (let k = p.from; k < p.to; k++) points += mustPoints(instance, part, k);
  return points;
}
