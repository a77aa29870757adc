/** What a plan of the heuristic costs, from what the heuristic counts anyway: many times faster than `planCost`. */
import type { PlanPiece } from '../model.ts';
import { NOBODY } from '../model.ts';
import { SLOTS } from '../slots.ts';
import { moveColumn, patternColumn } from './columns.ts';
import { isShared } from './instance.ts';
import { chargeCost, type Objective } from './objective.ts';
import { columnCost } from './rows.ts';

/** What the heuristic counts while it changes a plan. */
interface Counts {
  /** How many pieces and moves cause each charge. */
  readonly charged: Int32Array;
  /** For each therapist: how many slots of others' work they have, and how many lunch slots that and moves take. */
  readonly given: Int32Array;
  readonly lunchWork: Int32Array;
}

export class QuickCost {
  private readonly objective: Objective;
  /** The points of each pattern seen so far, without what it shares with others. */
  private readonly patternCosts = new WeakMap<readonly PlanPiece[], number>();
  /** The points of each charge that several groups can cause; 0 for the others. */
  readonly chargeCosts: Float64Array;

  constructor(objective: Objective) {
    const { instance, weights } = objective;
    this.objective = objective;
    this.chargeCosts = Float64Array.from(instance.charges, (charge, id) =>
      isShared(charge) ? chargeCost(instance, weights, id) : 0,
    );
  }

  /** The points of a plan, limits aside. */
  of(patterns: readonly (readonly PlanPiece[])[], moves: Int32Array, { charged, given, lunchWork }: Counts): number {
    const { instance, weights, fixedCost } = this.objective;
    let points = fixedCost;
    moves.forEach((target, i) => {
      if (target !== NOBODY) points += columnCost(this.objective, moveColumn(instance, i, target), 0);
    });
    patterns.forEach((pattern, i) => (points += this.patternCost(i, pattern)));
    for (let id = 0; id < charged.length; id++) if (charged[id]) points += this.chargeCosts[id]!;
    for (const step of instance.steps)
      points += weights[step.term] * step.points * Math.max(0, given[step.therapist]! - step.room);
    return points + weights.lunch * this.lunchLost(moves, lunchWork);
  }

  private patternCost(i: number, pattern: readonly PlanPiece[]): number {
    const known = this.patternCosts.get(pattern);
    if (known !== undefined) return known;
    const cost = columnCost(this.objective, patternColumn(this.objective.instance, i, pattern), 0);
    this.patternCosts.set(pattern, cost);
    return cost;
  }

  private lunchLost(moves: Int32Array, lunchWork: Int32Array): number {
    const { instance } = this.objective;
    const { movable, movableOf, stays, hard, lunchSlot, lunchBase, lunchMost } = instance;
    const work = lunchWork.slice();
    movable.forEach(({ part }, i) => {
      if (moves[i] === NOBODY) return;
      for (let at = part.booked * SLOTS + part.from; at < part.booked * SLOTS + part.to; at++) {
        if (!lunchSlot[at] || hard[at]) continue;
        // A slot of several sessions is free once all of them have left, and is then counted at the first of them.
        const there = stays[at]!;
        if (there[0] === part.index && there.every((p) => moves[movableOf[p]!] !== NOBODY)) work[part.booked]!--;
      }
    });
    let lost = 0;
    work.forEach((slots, t) => (lost += Math.max(0, lunchBase[t]! + slots - lunchMost[t]!)));
    return lost;
  }
}
