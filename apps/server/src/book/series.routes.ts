import type { Location } from '@clinic/domain';
import { seriesEndpoints } from '@clinic/contract';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { bookSeries, previewSeries } from './series-book.ts';
import { acceptRecognised, readRecognised } from './series-recognised.ts';
import type { AppointmentContext } from './show.ts';

/** Lets coordinators book weekly series, and make series of sessions that repeat every week. */
export function seriesRoutes(app: App, deps: Deps): void {
  const { db, config, wallOf } = deps;
  const contextOf = (location: Location): AppointmentContext => ({
    now: wallOf(location),
    adminClientName: config.adminClientName,
  });

  addRoute(app, seriesEndpoints.preview, async ({ body, caller, shows }) => {
    const { location } = body;
    const { clientId, reply } = await previewSeries(db, caller, body, contextOf(location));
    const clients = clientId === null ? [] : [clientId];
    shows({ subjectKind: 'client', subjectIds: clients, location, detail: { clients } });
    return reply;
  });

  addRoute(app, seriesEndpoints.book, ({ body, act }) => bookSeries(db, act, body, contextOf(body.location)));

  addRoute(app, seriesEndpoints.recognised, async ({ query: { location, session }, shows }) => {
    const { clients, series } = await readRecognised(db, location, wallOf(location), session);
    shows({ subjectKind: 'client', subjectIds: clients, location, detail: { clients } });
    return { series };
  });

  addRoute(app, seriesEndpoints.accept, ({ body, act }) => acceptRecognised(db, act, body, wallOf(body.location)));
}
