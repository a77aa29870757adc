import type { Location } from '@clinic/domain';
import { appointmentsEndpoints } from '@clinic/contract';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { bookAppointments } from './book.ts';
import { cancelAppointment } from './cancel.ts';
import { changeAppointment } from './change.ts';
import { takeBack } from './take-back.ts';
import { readSeries } from './series.ts';
import type { AppointmentContext } from './show.ts';
import { readSwaps, swapSessions } from './swap.ts';

/** Lets coordinators book, change and cancel sessions. */
export function appointmentsRoutes(app: App, deps: Deps): void {
  const { db, config, wallOf } = deps;
  const contextOf = (location: Location): AppointmentContext => ({
    now: wallOf(location),
    adminClientName: config.adminClientName,
  });

  addRoute(app, appointmentsEndpoints.create, ({ body, act }) =>
    bookAppointments(db, act, body, contextOf(body.location)),
  );

  addRoute(app, appointmentsEndpoints.update, ({ params, body, act }) =>
    changeAppointment(db, act, params.key, body, contextOf(body.location)),
  );

  addRoute(app, appointmentsEndpoints.series, async ({ params, caller, shows }) => {
    const { location, clientId, reply } = await readSeries(db, caller, params.key, (place) => wallOf(place).date);
    shows({
      subjectKind: 'appointment',
      subjectIds: [params.key],
      location,
      detail: { clients: clientId === null ? [] : [clientId] },
    });
    return reply;
  });

  addRoute(app, appointmentsEndpoints.takeBack, async ({ params, body, act }) => {
    const todayAt = (location: Location) => wallOf(location).date;
    const targets = [params.key, ...(body.also ?? [])].map((key) => {
      return { key, scope: body.scope ?? 'one', version: undefined, todayAt };
    });
    await takeBack(db, act, targets);
  });

  addRoute(app, appointmentsEndpoints.swaps, async ({ params, caller, shows }) => {
    const found = await readSwaps(db, caller, params.key, ({ location }) => wallOf(location).date);
    const { location, clients, reply } = found;
    shows({ subjectKind: 'appointment', subjectIds: [params.key], location, detail: { clients } });
    return reply;
  });

  addRoute(app, appointmentsEndpoints.swap, ({ params, body, act }) =>
    swapSessions(db, act, params.key, body, ({ location }) => contextOf(location)),
  );

  addRoute(app, appointmentsEndpoints.cancel, async ({ params, body, act }) => {
    const input = {
      key: params.key,
      scope: body.scope ?? 'one',
      reason: body.reason?.trim() || null,
      familyTold: body.family_told === true,
      version: body.version,
      todayAt: (location: Location) => wallOf(location).date,
      loss: body.loss,
    };
    return cancelAppointment(db, act, input, contextOf);
  });
}
