/**
 * Finds options that are nearly the same as an earlier one. Each option is the best under its own strategy, but two
 * strategies can lead to almost the same plan.
 */
import { readPlan } from '../judge.ts';
import { NOBODY, type CoverModel, type Plan } from '../model.ts';
import type { CoverOption } from '../answer.ts';

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

/**
 * For each option, the index of the nearest earlier option, if the two differ on less than a tenth of the affected
 * slots; otherwise null. If several earlier options are equally near, the first one counts.
 */
export function nearlySame(
  model: CoverModel,
  options: readonly Pick<CoverOption, 'sessions'>[],
): readonly (number | null)[] {
  const plans = options.map(({ sessions }) => whoHas(model, readPlan(model, sessions).plan));
  return plans.map((plan, i) => {
    let nearest: number | null = null;
    let least = Infinity;
    for (const [k, earlier] of plans.slice(0, i).entries()) {
      const differing = plan.filter((who, slot) => who !== earlier[slot]).length;
      if (differing * TENTH >= plan.length || differing >= least) continue;
      nearest = k;
      least = differing;
    }
    return nearest;
  });
}
