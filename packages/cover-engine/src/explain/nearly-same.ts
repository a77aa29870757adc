/**
 * Finds options that are nearly the same as an earlier one. Each option is the best under its own strategy, but two
 * strategies can lead to almost the same plan.
 */
import { viewPlan } from '../constraints/view.ts';
import { countUnits } from '../count.ts';
import { readPlan } from '../judge.ts';
import { NOBODY, type CoverModel, type Plan } from '../model.ts';
import type { CoverOption } from '../answer.ts';
import type { Strategy } from '../problem.ts';
import { STRATEGIES } from '../strategies.ts';

/** Two plans that differ on less than one in ten of the affected slots look the same to users. */
const TENTH = 10;

/** The index of the therapist in each affected slot; NOBODY for none. */
const whoHas = (model: CoverModel, plan: Plan): readonly number[] =>
  model.parts
    .filter((part) => part.affected)
    .flatMap(({ index, from, to }) =>
      Array.from({ length: to - from }, (_, i) => {
        const slot = from + i;
        return plan[index]?.find((piece) => piece.from <= slot && slot < piece.to)?.therapist ?? NOBODY;
      }),
    );

/** How many units of what its strategy puts first a plan has. */
function leadUnits(model: CoverModel, strategy: Strategy, plan: Plan): number {
  const { lead } = STRATEGIES[strategy];
  return lead ? countUnits(viewPlan(model, plan))[lead.term] : 0;
}

/**
 * For each option, the index of the nearest earlier option, if the two differ on less than a tenth of the affected
 * slots, and this one gains at most one unit of what its strategy puts first; otherwise null. Someone who looks for fewer
 * calls wants an option that saves two of them, however little it changes. If several earlier options are equally near,
 * the first one counts.
 */
export function nearlySame(
  model: CoverModel,
  options: readonly Pick<CoverOption, 'strategy' | 'sessions'>[],
): readonly (number | null)[] {
  const plans = options.map(({ sessions }) => readPlan(model, sessions).plan);
  const slots = plans.map((plan) => whoHas(model, plan));
  return options.map(({ strategy }, i) => {
    const [plan, own] = [plans[i]!, slots[i]!];
    let nearest: number | null = null;
    let least = Infinity;
    for (const [k, earlier] of slots.slice(0, i).entries()) {
      const differing = own.filter((who, slot) => who !== earlier[slot]).length;
      if (differing * TENTH >= own.length || differing >= least) continue;
      if (leadUnits(model, strategy, plans[k]!) - leadUnits(model, strategy, plan) > 1) continue;
      nearest = k;
      least = differing;
    }
    return nearest;
  });
}
