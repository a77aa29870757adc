import { callsEndpoints } from '@clinic/contract';
import type { App, Deps } from '../../access/deps.ts';
import { signalOf } from '../../access/hang-up.ts';
import { addRoute } from '../../http/route.ts';
import type { Solver } from '../../plan/options/solver.ts';
import { plansB } from './plan-b.service.ts';

/**
 * Returns plan B: for each call line that asks a question, who else could come. It is a separate request, because it
 * takes longer than the list.
 */
export function planBRoutes(app: App, { db, wallOf }: Deps, { solveOne }: Solver): void {
  addRoute(app, callsEndpoints.planB, async ({ query, caller, request }) => {
    const on = { location: query.location, date: query.date };
    const asker = { account: caller.id, gone: signalOf(request) };
    const plans = await plansB(db, solveOne, (location) => wallOf(location), on, asker);
    return {
      plans: plans.map(({ line: { kind, id, version }, found, words }) => ({ kind, id, version, found, words })),
    };
  });
}
