import { Server } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { App } from '../deps.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server has begun to stop: `/readyz` then reports it, and every reply closes its connection. */
    drain: { begun: boolean };
  }
}

/** How long open connections may still bring a request after the server accepts no new ones. */
const LAST_REQUESTS_MS = 1000;

/** While the server stops, each reply tells its client to use another connection. */
export function announceStop(app: App): void {
  const drain = { begun: false };
  app.decorate('drain', drain);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.begun) reply.header('connection', 'close');
    done();
  });
}

/**
 * Lets a proxy stop using the server without losing a request. For `seconds` the server says that it is not ready but
 * still replies. Then it accepts no new connections, and for a moment still replies on open ones; those left at the
 * end have been idle.
 */
export async function drain(app: App, seconds: number): Promise<void> {
  app.drain.begun = true;
  if (seconds === 0) return;
  await delay(seconds * 1000);
  await quietMoment();
  // NOTE: `close` of http's own server would end idle connections at once, although a proxy may just be sending a
  // request on one.
  Server.prototype.close.call(app.server);
  await delay(LAST_REQUESTS_MS);
}

/** Waits until the process has nothing else to do: connections that are waiting to be accepted would be lost. */
async function quietMoment(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const before = performance.now();
    await nextTurn();
    if (performance.now() - before < 1) return;
  }
}
