import { causesEndpoints } from '@clinic/contract';
import { actOf } from '../../access/act.ts';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { selectCauses } from './causes.queries.ts';
import { addCause, changeCause, dropCause, sayOfAbsence, sayOfSession } from './causes.service.ts';

/** The causes of lost time: the list to choose from, and the cause of one absence or session. */
export function causesRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  addRoute(app, causesEndpoints.listCauses, () => selectCauses(db));
  addRoute(app, causesEndpoints.createCause, ({ body, request }) => addCause(db, actOf(request, deps), body));
  addRoute(app, causesEndpoints.updateCause, ({ params, body, request }) =>
    changeCause(db, actOf(request, deps), params.id, body),
  );
  addRoute(app, causesEndpoints.removeCause, ({ params, request }) => dropCause(db, actOf(request, deps), params.id));
  addRoute(app, causesEndpoints.sayAbsence, async ({ params, body, request }) => {
    await sayOfAbsence(db, actOf(request, deps), params.key, body);
    return undefined;
  });
  addRoute(app, causesEndpoints.saySession, async ({ params, body, request }) => {
    await sayOfSession(db, actOf(request, deps), params.key, body);
    return undefined;
  });
}
