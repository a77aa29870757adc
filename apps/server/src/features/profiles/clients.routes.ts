import type { Location } from '@clinic/domain';
import { profilesEndpoints } from '@clinic/contract';
import { tellBroken } from './tell-broken.ts';
import { requireLocation } from '../../platform/access/caller.ts';
import { actOf } from '../../platform/access/act.ts';
import type { App, Deps } from '../../platform/deps.ts';
import { addRoute } from '../../platform/http/route.ts';
import { wallNow } from '../../platform/wall-clock.ts';
import { checkClient } from './clients.check.ts';
import { createClient, listClients, readClient, saveClient, type SaveContext } from './clients.service.ts';

/** Profiles of clients (PROF-09). There is no delete. */
export function clientsRoutes(app: App, deps: Deps): void {
  const { db, clock, config } = deps;
  const contextOf = (location: Location): SaveContext => ({
    today: wallNow(clock, location).date,
    adminClientName: config.adminClientName,
  });

  addRoute(app, profilesEndpoints.listClients, async ({ query, caller, request }) => {
    if (query.location !== undefined) requireLocation(caller, query.location);
    const locations = query.location === undefined ? caller.locations : [query.location];
    const clients = await listClients(db, locations);
    await deps.auditReads.record(request, {
      action: 'clients.listed',
      subjectKind: 'client',
      subjectIds: clients.map((client) => client.id),
      location: query.location ?? null,
    });
    return clients;
  });

  addRoute(app, profilesEndpoints.getClient, async ({ params, caller, request }) => {
    const client = await readClient(db, caller, params.id);
    await deps.auditReads.record(request, {
      action: 'client.read',
      subjectKind: 'client',
      subjectIds: [client.id],
      location: client.location,
    });
    return client;
  });

  addRoute(app, profilesEndpoints.createClient, ({ body, request }) =>
    createClient(db, actOf(request, deps), body, contextOf(body.location)),
  );

  addRoute(app, profilesEndpoints.updateClient, ({ params, body, request }) =>
    saveClient(db, actOf(request, deps), params.id, body, contextOf(body.location)),
  );

  addRoute(app, profilesEndpoints.checkClient, ({ params: { id }, body, request }) =>
    tellBroken(deps, request, { kind: 'client', id, location: body.location }, (caller, now) =>
      checkClient(db, caller, id, body, now),
    ),
  );
}
