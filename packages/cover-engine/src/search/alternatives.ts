/**
 * Finds alternatives (*Options* in docs/cover-engine.md). An alternative is the cheapest plan, by the table of points,
 * that meets two conditions: on enough of the affected slots it has different people from every earlier option, and its
 * uncovered time costs no more points than Option 1's. Extra rows enforce both conditions, so the result is exact.
 */
import type { Highs } from 'highs';
import { viewPlan } from '../constraints/view.ts';
import { countUnits } from '../count.ts';
import type { Plan } from '../model.ts';
import { SLOTS } from '../slots.ts';
import { ALTERNATIVE_DIFFERENCE } from '../strategies.ts';
import { POINTS } from '../terms.ts';
import type { Row } from './column.ts';
import { sameSlots } from './columns.ts';
import { makeObjective } from './objective.ts';
import type { Instance } from './instance.ts';
import type { Master } from './master.ts';
import type { PricingGraph } from './pricing-graph.ts';
import type { Clock, Outcome } from './column-generation.ts';
import { prove } from './prove.ts';

/** At [part × 48 + slot]: the therapist whom a plan has in that slot; -2 if the part is not affected. */
function whoHas(instance: Instance, plan: Plan): Int32Array {
  const who = new Int32Array(instance.model.parts.length * SLOTS).fill(-2);
  for (const part of instance.model.parts)
    if (part.affected)
      for (const p of plan[part.index] ?? [])
        who.fill(p.therapist, part.index * SLOTS + p.from, part.index * SLOTS + p.to);
  return who;
}

/** The minimum number of slots in which an alternative must differ. */
function leastDifference(affectedSlots: number): number {
  let least = 0;
  while (least / affectedSlots < ALTERNATIVE_DIFFERENCE) least++;
  return least;
}

/** The state that all searches for plans of one problem share. */
export interface SolveContext {
  readonly instance: Instance;
  readonly graphs: readonly PricingGraph[];
  /** The master program of this search. That of Option 1 serves alternatives too. */
  readonly master: Master;
  readonly highs: Highs;
  readonly left: Clock;
  readonly seed: number;
  readonly mostListed: number;
  /** Whether the search must stop at once, even while HiGHS runs. */
  readonly stopped: () => boolean;
}

/** Finds the next alternative to these plans, if one is found in time; null if there can be none. */
export function alternative(bench: SolveContext, plans: readonly Plan[], never: number): Outcome | null {
  const { instance, graphs, master } = bench;
  const { affectedSlots } = instance.model;
  const [first] = plans;
  if (!first || affectedSlots === 0) return null;
  const { uncovered } = countUnits(viewPlan(instance.model, first));
  const objective = makeObjective(instance, POINTS, { uncovered });
  for (const graph of graphs) graph.weigh(objective);
  const alike = affectedSlots - leastDifference(affectedSlots);
  const rows: Row[] = plans.map((plan, id) => {
    const who = whoHas(instance, plan);
    const fixed = instance.fixed.reduce((n, f) => n + sameSlots(f.part, f.pieces, who), 0);
    return { kind: 'unlike', id, who, most: alike - fixed };
  });
  rows.push({ kind: 'limit', what: 'uncovered' });
  if (rows.some((r) => r.kind === 'unlike' && r.most < 0)) return null;
  master.take(objective, never);
  master.addRows(objective, rows);
  return prove({ ...bench, objective, insertion: null }, { plan: null, cost: Infinity });
}
