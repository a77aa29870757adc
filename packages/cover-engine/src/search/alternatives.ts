/**
 * Plans that differ: the cheapest (as balanced) that has somebody else on enough of the affected slots than every
 * earlier option, and leaves no more points uncovered than the first. Found exactly, by rows that say so.
 */
import type { Highs } from 'highs';
import type { Plan } from '../model.ts';
import { SLOTS } from '../slots.ts';
import { ALTERNATIVE_DIFFERENCE, WEIGHTS } from '../strategies.ts';
import type { Row } from './columns.ts';
import { sameSlots, uncoveredPoints } from './columns.ts';
import { makeField, uncoveredShare } from './field.ts';
import type { Ground } from './ground.ts';
import { Master } from './master.ts';
import type { PartGraph } from './part-graph.ts';
import type { Clock, Outcome } from './relax.ts';
import { prove } from './prove.ts';

/** [part × 48 + slot]: who has it in a plan; -2 where the part is not affected. */
function whoHas(ground: Ground, plan: Plan): Int32Array {
  const who = new Int32Array(ground.model.parts.length * SLOTS).fill(-2);
  for (const part of ground.model.parts)
    if (part.affected)
      for (const p of plan[part.index] ?? [])
        who.fill(p.therapist, part.index * SLOTS + p.from, part.index * SLOTS + p.to);
  return who;
}

/** Fewest slots by which an alternative differs. */
function leastDifference(affectedSlots: number): number {
  let least = 0;
  while (least / affectedSlots < ALTERNATIVE_DIFFERENCE) least++;
  return least;
}

interface Bench {
  readonly ground: Ground;
  readonly graphs: readonly PartGraph[];
  readonly highs: Highs;
  readonly left: Clock;
  readonly seed: number;
  readonly mostListed: number;
}

/** The next alternative to these plans; null when there is none (or none was found in time). */
export function alternative(bench: Bench, plans: readonly Plan[], never: number): Outcome | null {
  const { ground, graphs, highs } = bench;
  const { affectedSlots, parts } = ground.model;
  const [first] = plans;
  if (!first || affectedSlots === 0) return null;
  const weights = WEIGHTS.alternative;
  const field = makeField(ground, weights);
  for (const graph of graphs) graph.weigh(field);
  const alike = affectedSlots - leastDifference(affectedSlots);
  const rows: Row[] = plans.map((plan, id) => {
    const who = whoHas(ground, plan);
    const fixed = ground.fixed.reduce((n, f) => n + sameSlots(f.part, f.pieces, who), 0);
    return { kind: 'unlike', id, who, most: alike - fixed };
  });
  const open = new Set(ground.open);
  const uncovered = parts.reduce(
    (n, part) => n + (open.has(part) ? uncoveredPoints(first[part.index] ?? [], uncoveredShare(part)) : 0),
    0,
  );
  rows.push({ kind: 'uncovered', most: uncovered });
  if (rows.some((r) => r.kind === 'unlike' && r.most < 0)) return null;
  const master = new Master(highs, field, never);
  try {
    master.addRows(field, rows);
    const outcome = prove(
      { highs, field, graphs, draft: null, master, left: bench.left, seed: bench.seed, mostListed: bench.mostListed },
      { plan: null, cost: Infinity },
    );
    return outcome.plan ? outcome : null;
  } finally {
    master.dispose();
  }
}
