import { leaveEndpoints } from '@clinic/contract';
import { formatTime, parseTime, roundToQuarter, endMinute, type IsoDate } from '@clinic/domain';
import { actOf } from '../../access/act.ts';
import { requireLocation } from '../../access/caller.ts';
import type { App, Deps } from '../../access/deps.ts';
import { selectLeave, type LeaveTerms } from '../../day/facts/leaves.ts';
import { onSnapshot } from '../../db/retry.ts';
import { addRoute } from '../../http/route.ts';
import { findNamed } from '../../plan/absences/absences.service.ts';
import { Refusal } from '../../platform/refusal.ts';
import { effectOf, listLeaves } from './effect.ts';
import { changeLeave, endLeave, previewEnd, recordLeave } from './leave.service.ts';
import { undoLeave } from './undo-leave.service.ts';

interface TermsBody {
  readonly first_date: IsoDate;
  readonly last_date: IsoDate | null;
  readonly weekdays: readonly number[];
  readonly begin: string;
  readonly end: string;
}

/** Times are rounded to quarter hours; 23:59 is the end of the day. */
function termsOf({ first_date, last_date, weekdays, begin, end }: TermsBody): LeaveTerms {
  const minutes = (time: string): number => roundToQuarter(parseTime(time) ?? 0);
  return {
    first: first_date,
    last: last_date,
    weekdays: [...new Set(weekdays)].sort(),
    start: minutes(begin),
    end: endMinute(minutes(end)),
  };
}

/** Absences over several dates: what they would touch, and how they are recorded, changed, ended and undone. */
export function leaveRoutes(app: App, deps: Deps): void {
  const { db, wallOf } = deps;

  addRoute(app, leaveEndpoints.readLeave, async ({ params: { id }, caller, shows }) => {
    const leave = await selectLeave(db, id);
    if (!leave) throw new Refusal('not-found');
    const { location, kind, personId, first, last, weekdays, start, end } = leave;
    requireLocation(caller, location);
    shows({ subjectKind: 'leave', subjectIds: [id], location });
    const times = { begin: formatTime(start), end: formatTime(Math.min(end, 1439)) };
    const dates = { first_date: first, last_date: last, weekdays: [...weekdays] };
    return { location, type: kind, person: personId, ...dates, ...times };
  });

  addRoute(app, leaveEndpoints.listLeave, async ({ query: { location, date }, shows }) => {
    const list = await listLeaves(db, location, date);
    shows({ subjectKind: 'leave', subjectIds: list.map(({ id }) => id), location });
    return list;
  });

  addRoute(app, leaveEndpoints.previewLeave, async ({ body, request, shows }) => {
    const { location, type, name } = body;
    const person = await findNamed(db, { location, type, name, date: body.first_date }, actOf(request, deps));
    shows({ subjectKind: type, subjectIds: [person.id], location });
    return onSnapshot(db, (trx) => effectOf(trx, person, termsOf(body), wallOf(location)));
  });

  addRoute(app, leaveEndpoints.recordLeave, async ({ body, request }) => {
    const { location, type, name, loss } = body;
    const act = actOf(request, deps);
    const person = await findNamed(db, { location, type, name, date: body.first_date }, act);
    return recordLeave(db, wallOf, { person, location, terms: termsOf(body), loss }, act);
  });

  addRoute(app, leaveEndpoints.changeLeave, async ({ params, body, request }) => {
    const { location, scope, date, loss, cover } = body;
    const change = { location, scope, date, loss, cover, terms: termsOf(body) };
    return changeLeave(db, wallOf, params.id, change, actOf(request, deps));
  });

  addRoute(app, leaveEndpoints.endLeave, async ({ params, body, request }) =>
    endLeave(db, wallOf, params.id, { ...body, cover: body.cover }, actOf(request, deps)),
  );

  addRoute(app, leaveEndpoints.previewLeaveEnd, async ({ params, body, request, shows }) => {
    shows({ subjectKind: 'leave', subjectIds: [params.id], location: body.location });
    return previewEnd(db, wallOf, params.id, { ...body, cover: body.cover }, actOf(request, deps));
  });

  addRoute(app, leaveEndpoints.undoLeave, async ({ params, body, request }) =>
    undoLeave(db, wallOf, params.id, { location: body.location, which: body.changed_at }, actOf(request, deps)),
  );
}
