/** The engine's stages and its rivals by themselves, in this thread: first plan, local search alone, one plain program. */
import type { CoverProblem, PlannedSession } from '@clinic/cover-engine';
import { buildModel, loadHighs } from '@clinic/cover-engine';
import { writePlan } from '../packages/cover-engine/src/judge.ts';
import { judge } from '../packages/cover-engine/src/proof/judge.ts';
import { plainMilp } from '../packages/cover-engine/src/proof/plain-milp.ts';
import { Draft } from '../packages/cover-engine/src/search/draft.ts';
import { makeField } from '../packages/cover-engine/src/search/field.ts';
import { layGround } from '../packages/cover-engine/src/search/ground.ts';
import { greedy, improve } from '../packages/cover-engine/src/search/improve.ts';
import { PartGraph } from '../packages/cover-engine/src/search/part-graph.ts';
import { WEIGHTS } from '../packages/cover-engine/src/strategies.ts';
import { now } from './figures.ts';

/** A plan found otherwise than by the engine as a whole. */
export interface Rival {
  ms: number;
  /** As balanced, by the outside judge; NaN when nothing was found in the time given. */
  score: number;
  /** What the judge says against it. */
  faults: string[];
}

function judged(problem: CoverProblem, sessions: PlannedSession[], ms: number): Rival {
  const { broken, score } = judge(problem, { sessions }, 'balanced');
  return { ms, score: score.total, faults: broken };
}

/** From the problem to a plan: greedy, then `rounds` of local search. None is the engine's first plan. */
export function searchAlone(problem: CoverProblem, rounds: number): Rival {
  const start = now();
  const model = buildModel(problem);
  const ground = layGround(model);
  const field = makeField(ground, WEIGHTS.balanced);
  const graphs = ground.open.map((part) => new PartGraph(ground, part));
  for (const graph of graphs) graph.weigh(field);
  const draft = new Draft(field, graphs);
  draft.begin();
  const found = improve(draft, greedy(draft), rounds, 1, () => false);
  return judged(problem, writePlan(model, found.plan), now() - start);
}

/** The whole day as one plain program, solved by the same HiGHS; `seconds`: its limit. */
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
