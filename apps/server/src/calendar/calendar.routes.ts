import { calendarEndpoints } from '@clinic/contract';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { presentCalendarDay } from './calendar.presenter.ts';
import { readCalendarDay } from './calendar.service.ts';

/** Returns a location's day for the calendar (CAL-09). */
export function calendarRoutes(app: App, deps: Deps): void {
  const { db, config, wallOf } = deps;

  addRoute(app, calendarEndpoints.slots, async ({ query }) => {
    const date = query.date;
    const day = await readCalendarDay(db, query.location, date, wallOf(query.location));
    return presentCalendarDay(day, config.adminClientName);
  });
}
