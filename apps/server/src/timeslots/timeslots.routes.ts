import { timeslotsEndpoints } from '@clinic/contract';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { readClientWeek } from './timeslots.service.ts';

/** Returns a client's booked sessions in a week, for the dialog in which they can be cancelled (SLOT-02). */
export function timeslotsRoutes(app: App, deps: Deps): void {
  addRoute(app, timeslotsEndpoints.timeslots, async ({ query, caller, shows }) => {
    const week = await readClientWeek(deps.db, caller, {
      clientName: query.client_name,
      location: query.location,
      start: query.start_date,
    });
    shows({
      subjectKind: 'client',
      subjectIds: [week.clientId],
      location: query.location,
      detail: { start_date: query.start_date },
    });
    return { data: week.days };
  });
}
