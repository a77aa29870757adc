/**
 * Takes a problem and returns options. Pure: the solver, the clock, the seed and the number of options are arguments,
 * and the same input gives the same answer unless time runs out.
 */
import type { Highs } from 'highs';
import type { MustCover } from './explain/what-it-takes.ts';
import type { CoverModel, Plan } from './model.ts';
import { buildModel } from './build-model.ts';
import { parseProblem } from './parse.ts';
import type { CoverAnswer, CoverOption } from './answer.ts';
import type { Strategy } from './problem.ts';
import { findOptions, type Solved } from './options.ts';
import type { Clock } from './search/column-generation.ts';
import { neverCost } from './search/dearest.ts';
import { buildInstance } from './search/instance.ts';
import { Master } from './search/master.ts';
import { makeObjective } from './search/objective.ts';
import { checkPins, pinRefusal } from './search/pins.ts';
import { PricingGraph } from './search/pricing-graph.ts';
import { MOST_LISTED } from './search/tuned.ts';
import { slotOf, SLOTS } from './slots.ts';
import { MOST_OPTIONS } from './strategies.ts';
import { POINTS } from './terms.ts';

export interface SolveSettings {
  highs: Highs;
  /** The maximum number of options to return; 5 by default. */
  options?: number;
  /** Returns the seconds left until the deadline; called many times. There is no deadline by default. */
  left?: Clock;
  seed?: number;
  /** Whether the solve must stop at once, even while HiGHS runs; it then ends as when time runs out. */
  stopped?: () => boolean;
  /**
   * The limits on the columns of a program over pieces are multiples of this number (`search/arc-program.ts`); 1200 by
   * default.
   */
  mostListed?: number;
  /**
   * Stretches that must have a therapist throughout. If no plan covers them, the result is a refusal (`cannot_cover`).
   */
  mustCover?: readonly MustCover[];
  /** If given, only these strategies are solved, in the table's order, and no alternatives are added. */
  strategies?: readonly Strategy[];
  /** Whether an alternative is added for each option that is nearly the same as an earlier one; false by default. */
  distinct?: boolean;
  /** Called with each option when it is found. */
  onOption?: (option: CoverOption, plan: Plan) => void;
}

/** At [part × 48 + slot]: whether the part must have a therapist there. Null when nothing is required. */
function markMust(model: CoverModel, asked: readonly MustCover[]): Uint8Array | null {
  if (asked.length === 0) return null;
  const marks = new Uint8Array(model.parts.length * SLOTS);
  for (const { session, start, end } of asked)
    for (const part of model.sessionById.get(session)?.parts ?? [])
      for (let k = Math.max(part.from, slotOf(start)); k < Math.min(part.to, slotOf(end)); k++)
        marks[part.index * SLOTS + k] = 1;
  return marks;
}

/** Checks and solves a problem; `problem` may be any value. A refusal says why there is no result. */
export function solve(problem: unknown, settings: SolveSettings): Solved {
  const parsed = parseProblem(problem);
  if (!parsed.ok) return parsed;
  const model = buildModel(parsed.problem);
  const instance = buildInstance(model, markMust(model, settings.mustCover ?? []));
  const clashes = checkPins(model, instance);
  if (clashes.length > 0) return { ok: false, refusal: pinRefusal(clashes) };
  const { highs, left = () => Infinity, seed = 1, stopped = () => false, mostListed = MOST_LISTED } = settings;
  const { options: most = MOST_OPTIONS, strategies, distinct = false, onOption } = settings;
  const graphs = instance.open.map((part, i) => new PricingGraph(instance, part, i));
  const master = new Master(highs, makeObjective(instance, POINTS), neverCost(instance, POINTS));
  try {
    const bench = { instance, graphs, master, highs, left, seed, mostListed, stopped };
    return findOptions(bench, { most, strategies, distinct, onOption });
  } finally {
    master.dispose();
  }
}

/** Writes the result in the file format, `cover-options/1`. */
export function toAnswer(solved: Solved): CoverAnswer {
  if (!solved.ok) return { format: 'cover-options/1', options: [], refused: solved.refusal };
  const { unfinished } = solved;
  const options = solved.options.map((o) => o.option);
  return { format: 'cover-options/1', options, ...(unfinished.length > 0 ? { unfinished } : {}) };
}
