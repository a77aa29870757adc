import { formatTime } from '@clinic/domain';
import { timesEndpoints } from '@clinic/contract';
import { actOf } from '../../access/act.ts';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import type { Solver } from '../../plan/options/solver.ts';
import { findChanges, findTimes } from './times.service.ts';
import { whoCould } from './who.service.ts';

/** Finds weekly times for new sessions. What is found is booked as series (`POST /series`). */
export function timesRoutes(app: App, deps: Deps, solver: Solver): void {
  const { db, wallOf } = deps;

  addRoute(app, timesEndpoints.findTimes, async ({ body, request, shows }) => {
    const { location } = body;
    const asked = { db, solver, act: actOf(request, deps), wall: wallOf(location) };
    const { clientId, reply } = await findTimes(asked, body);
    shows({ subjectKind: 'client', subjectIds: [clientId], location, detail: { clients: [clientId] } });
    return reply;
  });

  addRoute(app, timesEndpoints.timesChanges, async ({ body, request, shows }) => {
    const { location } = body;
    const asked = { db, solver, act: actOf(request, deps), wall: wallOf(location) };
    const { clientId, changes } = await findChanges(asked, body);
    shows({ subjectKind: 'client', subjectIds: [clientId], location, detail: { clients: [clientId] } });
    return { changes };
  });

  addRoute(app, timesEndpoints.whoCould, async ({ query, request, shows }) => {
    const { location } = query;
    const wanted = { ...query, weekday: Number(query.weekday) };
    const { clients, free, could } = await whoCould(db, actOf(request, deps), wallOf(location), wanted);
    shows({ subjectKind: 'client', subjectIds: clients, location, detail: { clients } });
    return { free: free.map(({ start, end }) => ({ start: formatTime(start), end: formatTime(end) })), could };
  });
}
