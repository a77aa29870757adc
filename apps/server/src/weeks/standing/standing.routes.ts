import { standingEndpoints, warmEndpoints } from '@clinic/contract';
import { actOf } from '../../access/act.ts';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import type { Solver } from '../../plan/options/solver.ts';
import { commitStanding } from './commit.service.ts';
import { priceAbsence } from './price.service.ts';
import { proposeStanding } from './standing.service.ts';
import { planMeetings } from './warm.service.ts';

/** Makes and commits standing replacements. A commit is undone like that of a day (`/commits/:id/undo`). */
export function standingRoutes(app: App, deps: Deps, solver: Solver): void {
  const { db, wallOf } = deps;
  addRoute(app, standingEndpoints.offerReplacement, ({ body, request }) =>
    proposeStanding(db, solver, wallOf, body, actOf(request, deps)),
  );
  addRoute(app, standingEndpoints.priceAbsence, ({ body, request, shows }) => {
    shows({ subjectKind: 'therapist', subjectIds: [body.therapist], location: body.location });
    return priceAbsence(db, solver, wallOf, body, actOf(request, deps));
  });
  addRoute(app, warmEndpoints.planMeetings, async ({ body, request, shows }) => {
    const { location, therapist, reply } = await planMeetings(db, solver, wallOf, body, actOf(request, deps));
    shows({ subjectKind: 'therapist', subjectIds: [therapist], location });
    return reply;
  });
  addRoute(app, standingEndpoints.commit, ({ body, request }) =>
    commitStanding(db, wallOf, body, actOf(request, deps)),
  );
}
