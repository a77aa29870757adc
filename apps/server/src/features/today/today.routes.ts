import { todayEndpoints } from '@clinic/contract';
import { requireLocation } from '../../platform/access/caller.ts';
import type { App, Deps } from '../../platform/deps.ts';
import { addRoute } from '../../platform/http/route.ts';
import { wallNow } from '../../platform/wall-clock.ts';
import { presentToday } from './today.presenter.ts';
import { readToday } from './today.service.ts';

/**
 * Returns what needs doing at a location today: time that needs cover, absences, commits, the reserve and the week's
 * hours.
 */
export function todayRoutes(app: App, deps: Deps): void {
  addRoute(app, todayEndpoints.today, async ({ query, caller, request }) => {
    requireLocation(caller, query.location);
    const date = query.date;
    const today = await readToday(deps.db, query.location, date, wallNow(deps.clock, query.location));
    await deps.auditReads.record(request, {
      action: 'today.read',
      subjectKind: 'day',
      subjectIds: [`${query.location}/${date}`],
      location: query.location,
    });
    return presentToday(today);
  });
}
