import { Server } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { App } from '../deps.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a stop has begun: `/readyz` says so, and every reply closes its connection. */
    drain: { begun: boolean };
  }
}

/** After the listener is closed: how long connections that are kept alive may still bring a request. */
const LAST_REQUESTS_MS = 1000;

/** From the beginning of a stop on, each reply tells its client to come on another connection. */
export function announceStop(app: App): void {
  const drain = { begun: false };
  app.decorate('drain', drain);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.begun) reply.header('connection', 'close');
    done();
  });
}

/**
 * Lets a proxy take the server out of its rotation without losing a request: it says that it is not ready and answers
 * what comes for `seconds`, then takes no new connections, and answers for a moment what comes on those there are. At
 * the end the connections that are left have been idle all the while.
 */
export async function drain(app: App, seconds: number): Promise<void> {
  app.drain.begun = true;
  if (seconds === 0) return;
  await delay(seconds * 1000);
  await quietMoment();
  // NOTE: http's own `close` ends idle connections at once, on which a proxy may be sending a request.
  Server.prototype.close.call(app.server);
  await delay(LAST_REQUESTS_MS);
}

/** Until a turn of the event loop had nothing to do: a connection that waits to be accepted is lost with the listener. */
async function quietMoment(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const before = performance.now();
    await nextTurn();
    if (performance.now() - before < 1) return;
  }
}
