import { makeupEndpoints } from '@clinic/contract';
import { actOf } from '../../access/act.ts';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import type { Solver } from '../../plan/options/solver.ts';
import { bookMakeup, proposeMakeup } from './makeup.service.ts';
import { readOwed } from './owed.ts';

/** Shows what clients are owed, proposes how to make it up, and books it. */
export function makeupRoutes(app: App, deps: Deps, solver: Solver): void {
  const { db, config, wallOf } = deps;

  addRoute(app, makeupEndpoints.makeupOwed, async ({ query: { location }, shows }) => {
    const all = await readOwed(db, location, wallOf(location));
    const ids = all.map(({ id }) => id);
    shows({ subjectKind: 'client', subjectIds: ids, location, detail: { clients: ids } });
    return { owed: all.map(({ id: _, ...owed }) => owed) };
  });

  addRoute(app, makeupEndpoints.proposeMakeup, async ({ body, request, shows }) => {
    const { location } = body;
    const asked = { db, solver, act: actOf(request, deps), now: wallOf(location) };
    const { ids, reply } = await proposeMakeup(asked, body);
    shows({ subjectKind: 'client', subjectIds: ids, location, detail: { clients: ids } });
    return reply;
  });

  addRoute(app, makeupEndpoints.bookMakeup, ({ body, request }) => {
    const context = { now: wallOf(body.location), adminClientName: config.adminClientName };
    return bookMakeup(db, actOf(request, deps), body, context);
  });
}
