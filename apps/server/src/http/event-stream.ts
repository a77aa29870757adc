import { PassThrough } from 'node:stream';
import { calendarEndpoints } from '@clinic/contract';
import { callerOf, mayWorkAt, requireLocation } from '../access/caller.ts';
import type { App, Deps } from '../access/deps.ts';
import { Refusal } from '../platform/refusal.ts';
import type { ServerEvent } from '../platform/events.ts';
import { MOST_TABS, seeTab, showWork } from '../platform/presence.ts';
import { addGauge } from './metrics.ts';
import { findCaller, type Caller } from '../access/sessions.ts';

const HEARTBEAT_MS = 20_000;
const MOST_STREAMS = 2000;
/** The maximum number of unread bytes that wait for a page. Beyond this, the page has to reconnect. */
const MOST_UNREAD = 256 * 1024;

/**
 * `GET /api/events`: the clinic's events as server-sent events (`text/event-stream`). Pages read the stream with
 * `fetch`, because `fetch` can send their token. A stream ends when its session does, and when the server stops.
 */
export function eventStreamRoutes(app: App, deps: Deps): void {
  const endpoint = calendarEndpoints.events;
  /** The open streams, each with its account's id. */
  const open = new Map<PassThrough, string>();
  addGauge(app.metrics, 'scheduler_event_streams', 'Open event streams of pages', () => open.size);
  app.addHook('preClose', (done) => {
    for (const stream of open.keys()) stream.end();
    done();
  });
  app.route({
    method: 'GET',
    url: `/api${endpoint.path}`,
    config: { access: endpoint.access, rateLimit: false, endpoint },
    schema: { querystring: endpoint.query },
    handler(request, reply) {
      const caller = callerOf(request);
      const { location, tab } = request.query;
      const page = tab === undefined ? null : { tab, accountId: caller.id };
      if (location !== undefined) requireLocation(caller, location);
      if (open.size >= MOST_STREAMS) throw new Refusal('busy');
      if ([...open.values()].filter((id) => id === caller.id).length >= MOST_TABS) throw new Refusal('too-many');
      const stream = new PassThrough();
      const write = (text: string): void => {
        if (stream.writableEnded) return; // the stream is already ending
        if (stream.writableLength + stream.readableLength > MOST_UNREAD) request.raw.socket.destroy();
        else stream.write(text);
      };
      const unsubscribe = deps.events.subscribe((event) => {
        if (endsStream(event, caller)) stream.end();
        else if (concerns(event, caller, location)) write(`data: ${JSON.stringify(event)}\n\n`);
      });
      // Each heartbeat checks whether the session is still valid, because no further request will check it.
      const heartbeat = setInterval(() => {
        findCaller(deps.db, caller.sessionId, deps.accessClock.now(), deps.config, false).then(
          (still) => (still ? write(': still here\n\n') : void stream.end()),
          () => void stream.end(),
        );
        // An error can be ignored: if the database cannot be reached, no one can see who is present anyway.
        if (page) seeTab(deps.db, page, deps.accessClock.now()).catch(() => undefined);
      }, HEARTBEAT_MS);
      open.set(stream, caller.id);
      stream.once('close', () => {
        clearInterval(heartbeat);
        unsubscribe();
        open.delete(stream);
        if (page === null) return;
        deps.db
          .transaction()
          .execute((trx) => showWork(trx, page, null, deps.accessClock.now()))
          .catch(() => undefined);
      });
      request.raw.once('close', () => stream.destroy());
      stream.write(': connected\n\n');
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .send(stream);
    },
  });
}

function endsStream(event: ServerEvent, caller: Caller): boolean {
  return (
    (event.kind === 'session-ended' && event.session === caller.sessionId) ||
    // When the account's rights change, the page opens a new stream that reflects them.
    ((event.kind === 'account-ended' || event.kind === 'account-changed') && event.account === caller.id)
  );
}

function concerns(event: ServerEvent, caller: Caller, location: string | undefined): boolean {
  if ('session' in event || 'account' in event) return false;
  if (event.location === undefined) return true;
  return mayWorkAt(caller, event.location) && (location === undefined || location === event.location);
}
