import { Server } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { App } from '../access/deps.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the server has begun to stop. From then on, `/readyz` says so, and every reply closes its connection. */
    drain: { begun: boolean };
  }
}

/** How long open connections may still deliver a request after the server stops accepting new connections. */
const LAST_REQUESTS_MS = 1000;

/** Makes each reply ask its client to use another connection, once the server has begun to stop. */
export function announceStop(app: App): void {
  const drain = { begun: false };
  app.decorate('drain', drain);
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.begun) reply.header('connection', 'close');
    done();
  });
}

/**
 * Lets a proxy stop using the server without losing a request. For `seconds`, the server reports that it is not ready
 * but still replies. Then it accepts no new connections, and for a moment still replies on open ones. Any connections
 * left after that are idle.
 */
export async function drain(app: App, seconds: number): Promise<void> {
  app.drain.begun = true;
  if (seconds === 0) return;
  await delay(seconds * 1000);
  await quietMoment();
  // NOTE: `http.Server.close` would close idle connections at once, although a proxy may be sending a request on one of
  // them at that moment.
  Server.prototype.close.call(app.server);
  await delay(LAST_REQUESTS_MS);
}

/** Waits until the process has nothing else to do, so that connections waiting to be accepted are not lost. */
async function quietMoment(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const before = performance.now();
    await nextTurn();
    if (performance.now() - before < 1) return;
  }
}
