import { callsEndpoints, todayEndpoints } from '@clinic/contract';
import { ENGLISH, locationValues, SPANISH } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import { loadWell } from '../../day/well.ts';
import { onSnapshot } from '../../db/retry.ts';
import { together } from '../../db/snapshot.ts';
import { isoOf } from '../../platform/clock.ts';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { makeSender } from '../../platform/sending/sender.ts';
import { daySheet } from './day-sheet.ts';
import { selectSheet } from '../lines/call-day.queries.ts';
import { callList } from '../lines/lines.ts';
import { loadCallData } from '../lines/load-calls.ts';
import { presentCalls, presentCount } from './calls.presenter.ts';
import { readCalls, readLater, readLines, readSame, readWeekCalls, type CallBoard } from './call-board.ts';
import { releaseCalls } from './release.service.ts';
import { answerCall, claimCall, sendDaySheet, takeBackNo } from './calls.service.ts';

/** Call lists, the answers to calls, and day sheets. */
export function callsRoutes(app: App, deps: Deps): void {
  const { db, accessClock, wallOf } = deps;
  const sender = makeSender(deps.config);
  const shown = (calls: CallBoard, accountId: string) =>
    presentCalls(calls, wallOf(calls.location), accountId, {
      ways: sender.ways,
      publicUrl: deps.config.publicUrl,
    });

  addRoute(app, callsEndpoints.list, async ({ query, caller }) => {
    const on = { location: query.location, date: query.date };
    const calls = await readCalls(db, wallOf, on, { at: accessClock.now(), locations: caller.locations });
    return shown(calls, caller.id);
  });

  addRoute(app, callsEndpoints.printedSheet, async ({ query }) => {
    const on = { location: query.location, date: query.date };
    const [[day, lines], wellOf, sent] = await onSnapshot(db, (trx) =>
      together(
        loadClinicDay(trx, on.location, on.date, { familiarity: false }).then(async (day) => {
          const data = await loadCallData(trx, on.location, on.date, wallOf(on.location), day);
          return [day, callList(data).lines] as const;
        }),
        loadWell(trx, [on.date, on.date], wallOf),
        selectSheet(trx, on.location, on.date),
      ),
    );
    const sheet = daySheet(day, wellOf(on.location, on.date), lines);
    return { ...on, sent: sent && { at: isoOf(sent.at), by: sent.by }, ...sheet };
  });

  addRoute(app, callsEndpoints.count, async ({ query }) => {
    const on = { location: query.location, date: query.date };
    return presentCount(await readLines(db, wallOf, on, accessClock.now()));
  });

  addRoute(app, callsEndpoints.later, async ({ query }) => {
    const later = await readLater(db, wallOf, { location: query.location, date: query.date });
    return later.map(({ date, toTell }) => ({ date, to_tell: toTell }));
  });

  addRoute(app, callsEndpoints.same, async ({ query }) => {
    const same = await readSame(db, wallOf, { location: query.location, date: query.date });
    return same.map(({ line: { kind, id, version }, dates, sayIn }) => ({
      kind,
      id,
      version,
      dates: [...dates],
      say: [...sayIn(ENGLISH)],
      say_es: [...sayIn(SPANISH)],
    }));
  });

  addRoute(app, todayEndpoints.weekToTell, async ({ query, caller }) => ({
    days: await readWeekCalls(db, wallOf, caller.locations ?? locationValues(), query.from),
  }));

  addRoute(app, callsEndpoints.answer, async ({ body, caller, act }) =>
    shown(await answerCall(db, wallOf, body, act), caller.id),
  );

  addRoute(app, callsEndpoints.takeBackNo, async ({ body, caller, act }) =>
    shown(await takeBackNo(db, wallOf, body, act), caller.id),
  );

  addRoute(app, callsEndpoints.claim, async ({ body, caller, act }) =>
    shown(await claimCall(db, wallOf, body, act), caller.id),
  );

  addRoute(app, callsEndpoints.release, async ({ body, caller, act }) => {
    const on = { location: body.location, date: body.date };
    await releaseCalls(db, wallOf, sender, deps.config.publicUrl, on, act);
    return shown(await readCalls(db, wallOf, on, { at: accessClock.now(), locations: caller.locations }), caller.id);
  });

  addRoute(app, callsEndpoints.daySheet, async ({ body, caller, act }) => {
    const on = { location: body.location, date: body.date };
    return shown(await sendDaySheet(db, wallOf, on, act), caller.id);
  });
}
