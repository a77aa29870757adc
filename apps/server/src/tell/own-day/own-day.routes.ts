import { CALENDAR_TYPE, ownDayEndpoints } from '@clinic/contract';
import { therapistOf } from '../../access/caller.ts';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute, perMinute } from '../../http/route.ts';
import { isoOf } from '../../platform/clock.ts';
import { presentOwnWeek } from './own-day.presenter.ts';
import { selectFeed } from './feed.queries.ts';
import { endFeed, feedCaller, makeFeed, readFeed } from './feed.service.ts';
import { answerOwn, readOwnDays } from './own-day.service.ts';

/** How often a minute one address may ask for feeds. */
const FEEDS_A_MINUTE = 30;

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

  addRoute(app, ownDayEndpoints.answerOwnChange, ({ body, act }) => answerOwn(db, wallOf, body, act));

  addRoute(app, ownDayEndpoints.ownFeed, async ({ caller }) => {
    const feed = await selectFeed(db, caller.id);
    const made = feed ? { made_at: isoOf(feed.made_at), read_at: feed.read_at && isoOf(feed.read_at) } : null;
    return { feed: made, names: deps.config.feedNames };
  });

  addRoute(app, ownDayEndpoints.makeOwnFeed, async ({ act }) => ({ secret: await makeFeed(db, act) }));

  addRoute(app, ownDayEndpoints.endOwnFeed, ({ act }) => endFeed(db, act));

  addRoute(
    app,
    ownDayEndpoints.feed,
    async ({ params, request, reply, shows }) => {
      const now = deps.accessClock.now();
      const caller = await feedCaller(db, params.secret.replace(/\.ics$/, ''), now);
      request.account = caller;
      const { therapistId } = caller;
      const { locations, text } = await readFeed(db, wallOf, { therapistId, names: deps.config.feedNames, now });
      shows(...locations.map((location) => ({ subjectKind: 'therapist', subjectIds: [therapistId], location })));
      reply.type(`${CALENDAR_TYPE}; charset=utf-8`);
      return text;
    },
    { rateLimit: perMinute(FEEDS_A_MINUTE, deps.config) },
  );
}
