/** Which options are nearly the same as an earlier one, although each is the best at what its strategy puts first. */
import { readPlan } from '../judge.ts';
import { NOBODY, type CoverModel, type Plan } from '../model.ts';
import type { CoverOption } from '../problem.ts';

/** Two plans that differ on a smaller share of the affected slots look the same to people: one in twenty. */
const TWENTIETH = 20;

/** Who has each affected slot. */
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
 * For each option the place (from 0) of the earlier one it is nearest to, where they differ on under a twentieth of the
 * affected slots; else null. Among equally near ones the first.
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
      if (differing * TWENTIETH >= plan.length || differing >= least) continue;
      nearest = k;
      least = differing;
    }
    return nearest;
  });
}
