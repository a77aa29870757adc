import type { FastifyRequest } from 'fastify';
import type { App } from './deps.ts';

const signals = new WeakMap<FastifyRequest, AbortSignal>();

/** Makes `signalOf` work for every request. Must be called before any hook that uses `signalOf`. */
export function watchHangUps(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    signals.set(request, gone.signal);
    done();
  });
}

/**
 * Returns a signal that is aborted when the client closes the connection before the reply is sent. Undefined for a
 * request without a route.
 */
export function signalOf(request: FastifyRequest): AbortSignal | undefined {
  return signals.get(request);
}

/** Whether the reply can no longer be read: the client closed the connection, or was cut off for being too slow. */
export function hasHungUp(request: FastifyRequest): boolean {
  return request.raw.socket?.destroyed === true;
}
