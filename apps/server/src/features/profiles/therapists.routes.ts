import { profilesEndpoints } from '@clinic/contract';
import { tellBroken } from './tell-broken.ts';
import { timestampOf } from '../../db/wall-time.ts';
import { requireLocation } from '../../platform/access/caller.ts';
import { actOf } from '../../platform/access/act.ts';
import type { App, Deps } from '../../platform/deps.ts';
import { addRoute } from '../../platform/http/route.ts';
import { wallNow } from '../../platform/wall-clock.ts';
import { checkTherapist } from './therapists.check.ts';
import { deleteTherapist } from './therapists.delete.ts';
import { createTherapist, listTherapists, readTherapist, saveTherapist } from './therapists.service.ts';

/** Profiles of therapists (PROF-09). */
export function therapistsRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps;

  addRoute(app, profilesEndpoints.listTherapists, async ({ query, caller }) => {
    if (query.location !== undefined) requireLocation(caller, query.location);
    return listTherapists(db, query.location === undefined ? caller.locations : [query.location]);
  });

  addRoute(app, profilesEndpoints.getTherapist, ({ params, caller }) => readTherapist(db, caller, params.id));

  addRoute(app, profilesEndpoints.createTherapist, ({ body, request }) =>
    createTherapist(db, actOf(request, deps), body, wallNow(clock, body.location).date),
  );

  addRoute(app, profilesEndpoints.updateTherapist, ({ params, body, request }) =>
    saveTherapist(db, actOf(request, deps), params.id, body, wallNow(clock, body.location).date),
  );

  addRoute(app, profilesEndpoints.checkTherapist, ({ params: { id }, body, request }) =>
    tellBroken(deps, request, { kind: 'therapist', id, location: body.location }, (caller, now) =>
      checkTherapist(db, caller, id, body, now),
    ),
  );

  addRoute(app, profilesEndpoints.deleteTherapist, async ({ params, query, request }) => {
    const act = actOf(request, deps);
    const { location } = await readTherapist(db, act.caller, params.id);
    const { date, minutes } = wallNow(clock, location);
    await deleteTherapist(db, act, {
      id: params.id,
      unassignAppointments: query.appointments === 'unassign',
      now: { date, timestamp: timestampOf(date, minutes) },
    });
    return undefined;
  });
}
