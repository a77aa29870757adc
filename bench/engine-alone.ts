/**
 * Runs, in this thread, one stage of the engine (the first plan, or local search) or the engine's rival: one plain
 * integer program for the whole day.
 */
import type { CoverProblem, PlannedSession } from '@clinic/cover-engine';
import { buildModel, loadHighs } from '@clinic/cover-engine';
import { writePlan } from '../packages/cover-engine/src/judge.ts';
import { judge } from '../packages/cover-engine/src/proof/judge.ts';
import { plainMilp } from '../packages/cover-engine/src/proof/plain-milp.ts';
import { Insertion } from '../packages/cover-engine/src/search/insertion.ts';
import { makeObjective } from '../packages/cover-engine/src/search/objective.ts';
import { buildInstance } from '../packages/cover-engine/src/search/instance.ts';
import { greedy, improve } from '../packages/cover-engine/src/search/neighbourhood-search.ts';
import { PricingGraph } from '../packages/cover-engine/src/search/pricing-graph.ts';
import { POINTS } from '../packages/cover-engine/src/terms.ts';
import { now } from './figures.ts';

/** A plan made by only a part of the engine, or by another program. */
export interface Rival {
  ms: number;
  /**
   * The score that the independent checker computes, without the extra points for the term that a strategy puts first;
   * NaN when no plan was found in time.
   */
  score: number;
  /** The rules that the plan breaks, according to the independent checker. */
  faults: string[];
}

function judged(problem: CoverProblem, sessions: PlannedSession[], ms: number): Rival {
  const { broken, score } = judge(problem, { sessions }, 'balanced');
  return { ms, score: score.total, faults: broken };
}

/** Makes a plan by greedy insertion and `rounds` of local search. With 0 rounds it is the engine's first plan. */
export function searchAlone(problem: CoverProblem, rounds: number): Rival {
  const start = now();
  const model = buildModel(problem);
  const instance = buildInstance(model);
  const objective = makeObjective(instance, POINTS);
  const graphs = instance.open.map((part, i) => new PricingGraph(instance, part, i));
  for (const graph of graphs) graph.weigh(objective);
  const insertion = new Insertion(objective, graphs);
  insertion.begin();
  const found = improve(insertion, greedy(insertion), rounds, 1, () => false);
  return judged(problem, writePlan(model, found.plan), now() - start);
}

/** Solves the whole day as one plain integer program, with the same HiGHS, for at most `seconds`. */
export async function plainProgram(problem: CoverProblem, seconds: number): Promise<Rival> {
  const highs = await loadHighs();
  const start = now();
  const { Status, ObjectiveValue } = highs.solve(plainMilp(problem, 'balanced'), {
    output_flag: false,
    mip_rel_gap: 0,
    time_limit: seconds,
  });
  const ms = now() - start;
  return { ms, score: Status === 'Optimal' ? Math.round(ObjectiveValue) : Number.NaN, faults: [] };
}
