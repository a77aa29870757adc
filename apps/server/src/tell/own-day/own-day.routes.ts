import { ownDayEndpoints } from '@clinic/contract';
import { actOf } from '../../access/act.ts';
import { therapistOf } from '../../access/caller.ts';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import { presentOwnWeek } from './own-day.presenter.ts';
import { answerOwn, readOwnDays } from './own-day.service.ts';

/** The page on which therapists see their own days and what changed. */
export function ownDayRoutes(app: App, deps: Deps): void {
  const { db, wallOf } = deps;

  addRoute(app, ownDayEndpoints.ownWeek, async ({ query, caller, shows }) => {
    const therapistId = therapistOf(caller);
    const own = await readOwnDays(db, wallOf, therapistId, query.date ?? null);
    const at = new Set([own.home, ...own.sessions.map((s) => s.location), ...own.lines.map((l) => l.location)]);
    shows(...[...at].sort().map((location) => ({ subjectKind: 'therapist', subjectIds: [therapistId], location })));
    return presentOwnWeek(own, wallOf(own.home));
  });

  addRoute(app, ownDayEndpoints.answerOwnChange, async ({ body, request }) => {
    await answerOwn(db, wallOf, body, actOf(request, deps));
    return undefined;
  });
}
