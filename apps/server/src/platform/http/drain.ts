import { Server } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { App } from '../deps.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a stop has begun: `/readyz` reports it, and every reply closes its connection. */
    drain: { begun: boolean };
  }
}

/** How long kept-alive connections may still bring a request after the listener is closed. */
const LAST_REQUESTS_MS = 1000;

/** Once a stop has begun, each reply makes its client use another connection. */
export function announceStop(app: App): void {
  const drain = { begun: false };
  app.decorate('drain', drain);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.begun) reply.header('connection', 'close');
    done();
  });
}

/**
 * Lets a proxy take the server out of its rotation without losing a request. For `seconds` the server reports that it
 * is not ready but still replies; then it takes no new connections, and for a moment still replies on open ones. The
 * connections left at the end have been idle all that time.
 */
export async function drain(app: App, seconds: number): Promise<void> {
  app.drain.begun = true;
  if (seconds === 0) return;
  await delay(seconds * 1000);
  await quietMoment();
  // NOTE: http's own `close` ends idle connections at once, although a proxy may be sending a request on one.
  Server.prototype.close.call(app.server);
  await delay(LAST_REQUESTS_MS);
}

/** Waits for an idle turn of the event loop: closing the listener would lose connections waiting to be accepted. */
async function quietMoment(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const before = performance.now();
    await nextTurn();
    if (performance.now() - before < 1) return;
  }
}
