import { causesEndpoints } from '@clinic/contract';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { selectCauses } from './causes.queries.ts';
import { addCause, changeCause, dropCause, sayOfAbsence, sayOfSession } from './causes.service.ts';

/** The causes of lost time: the list to choose from, and the cause of one absence or session. */
export function causesRoutes(app: App, deps: Deps): void {
  const { db } = deps;
  addRoute(app, causesEndpoints.listCauses, () => selectCauses(db));
  addRoute(app, causesEndpoints.createCause, ({ body, act }) => addCause(db, act, body));
  addRoute(app, causesEndpoints.updateCause, ({ params, body, act }) => changeCause(db, act, params.id, body));
  addRoute(app, causesEndpoints.removeCause, ({ params, act }) => dropCause(db, act, params.id));
  addRoute(app, causesEndpoints.sayAbsence, ({ params, body, act }) => sayOfAbsence(db, act, params.key, body));
  addRoute(app, causesEndpoints.saySession, ({ params, body, act }) => sayOfSession(db, act, params.key, body));
}
