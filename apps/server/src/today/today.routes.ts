import { todayEndpoints } from '@clinic/contract';
import { locationValues, type Location } from '@clinic/domain';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { presentToday } from './today.presenter.ts';
import { readToday } from './today.service.ts';
import { coverWrong, readWeek } from './well.service.ts';

/**
 * What needs doing at a location today: time that needs cover, what is wrong, absences, commits, the reserve and the
 * week's hours; and whether all is well on the days of a week at every location.
 */
export function todayRoutes(app: App, deps: Deps): void {
  addRoute(app, todayEndpoints.today, async ({ query, caller }) => {
    const date = query.date;
    const today = await readToday(deps.db, query.location, date, deps.wallOf(query.location));
    return presentToday(today, caller);
  });

  addRoute(app, todayEndpoints.week, async ({ query, caller }) => {
    const wallOf = (location: Location) => deps.wallOf(location);
    return { days: await readWeek(deps.db, caller.locations ?? locationValues(), query.from, wallOf) };
  });

  addRoute(app, todayEndpoints.coverWrong, async ({ body, act }) => {
    const now = deps.wallOf(body.location);
    return { taken_off: await coverWrong(deps.db, body, now, act) };
  });
}
