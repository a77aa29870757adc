import { timeslotsEndpoints } from '@clinic/contract';
import { requireLocation } from '../../platform/access/caller.ts';
import type { App, Deps } from '../../platform/deps.ts';
import { addRoute } from '../../platform/http/route.ts';
import { readClientWeek } from './timeslots.service.ts';

/** Returns a client's booked sessions in a week, for the dialog in which they can be cancelled (SLOT-02). */
export function timeslotsRoutes(app: App, deps: Deps): void {
  addRoute(app, timeslotsEndpoints.timeslots, async ({ query, caller, request }) => {
    requireLocation(caller, query.location);
    const week = await readClientWeek(deps.db, caller, {
      clientName: query.client_name,
      location: query.location,
      start: query.start_date,
    });
    await deps.auditReads.record(request, {
      action: 'timeslots.read',
      subjectKind: 'client',
      subjectIds: [week.clientId],
      location: query.location,
      detail: { start_date: query.start_date },
    });
    return { data: week.days };
  });
}
