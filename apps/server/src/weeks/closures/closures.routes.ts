import { closuresEndpoints, type ClosingBody } from '@clinic/contract';
import { defaultLocation, parseTime, endMinute } from '@clinic/domain';
import { actOf } from '../../access/act.ts';
import type { App, Deps } from '../../access/deps.ts';
import { onSnapshot } from '../../db/retry.ts';
import { addRoute } from '../../http/route.ts';
import { close, previewReopening, reopen, type Closing } from './closures.service.ts';
import { addHolidays } from './holidays.ts';
import { readIcs } from './ics.ts';
import { listClosures, previewClosing } from './preview.ts';

/** A time of a request in minutes; 23:59 is the end of the day. */
const minutes = (time: string): number => endMinute(parseTime(time) ?? 0);

const closingOf = (body: ClosingBody): Closing => ({
  locations: [...new Set(body.locations)].sort(),
  firstDate: body.from_date,
  firstMinute: minutes(body.from_time),
  lastDate: body.to_date,
  lastMinute: minutes(body.to_time),
  name: body.name,
  cause: body.cause,
  cancelVideo: body.cancel_video === true,
  cancelShort: body.cancel_short === true,
});

/** Closed locations and holidays: what closing would cancel, closing, reopening, and the holidays of the year ahead. */
export function closuresRoutes(app: App, deps: Deps): void {
  const { db, wallOf } = deps;

  addRoute(app, closuresEndpoints.listClosures, ({ caller }) =>
    onSnapshot(db, (trx) => listClosures(trx, wallOf, caller)),
  );

  addRoute(app, closuresEndpoints.previewClosing, async ({ body, caller, shows }) => {
    const closing = closingOf(body);
    const preview = await onSnapshot(db, (trx) => previewClosing(trx, wallOf, closing, caller));
    for (const location of closing.locations) shows({ subjectKind: 'location', subjectIds: [location], location });
    return preview;
  });

  addRoute(app, closuresEndpoints.close, async ({ body, request }) => {
    const { closures, ...done } = await close(db, wallOf, closingOf(body), actOf(request, deps));
    return { closures: [...closures], ...done };
  });

  addRoute(app, closuresEndpoints.previewReopening, async ({ params, body, request, shows }) => {
    const { location, from_date: from } = body;
    const outcome = await previewReopening(db, wallOf, params.id, { location, from }, actOf(request, deps));
    shows({ subjectKind: 'closure', subjectIds: [params.id], location });
    return outcome;
  });

  addRoute(app, closuresEndpoints.reopen, ({ params, body, request }) =>
    reopen(db, wallOf, params.id, { location: body.location, from: body.from_date }, actOf(request, deps)),
  );

  addRoute(app, closuresEndpoints.addHolidays, async ({ body, request }) => ({
    added: await addHolidays(db, body.holidays, actOf(request, deps)),
  }));

  addRoute(app, closuresEndpoints.readHolidays, ({ body }) => {
    const { holidays, leftOut } = readIcs(body.ics, wallOf(defaultLocation()).date);
    return Promise.resolve({ holidays, left_out: leftOut });
  });
}
