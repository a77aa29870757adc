import { historyEndpoints } from '@clinic/contract';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { readHistory } from './history.service.ts';
import { readPersonHistory } from './person-history.service.ts';

/** The history of a session, and of a person's sessions. */
export function historyRoutes(app: App, deps: Deps): void {
  const { db, wallOf } = deps;

  addRoute(app, historyEndpoints.sessionHistory, async ({ params, caller, shows }) => {
    const { location, clients, reply } = await readHistory(db, (at) => wallOf(at), caller, params.key);
    shows({
      subjectKind: 'appointment',
      subjectIds: [params.key],
      location,
      detail: { clients },
    });
    return reply;
  });

  addRoute(app, historyEndpoints.personHistory, async ({ params, caller, shows }) => {
    const { location, clients, reply } = await readPersonHistory(db, caller, params, (at) => wallOf(at).date);
    shows({ subjectKind: params.type, subjectIds: [params.id], location, detail: { clients } });
    return reply;
  });
}
