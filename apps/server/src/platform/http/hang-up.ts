import type { FastifyRequest } from 'fastify';
import type { App } from '../deps.ts';

const signals = new WeakMap<FastifyRequest, AbortSignal>();

/** Lets `signalOf` know when a request's client hangs up. Must be called before any hook that uses `signalOf`. */
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

/** Aborted when the client's connection closes before the reply is sent. Undefined for a request without a route. */
export function signalOf(request: FastifyRequest): AbortSignal | undefined {
  return signals.get(request);
}

/** Whether the reply can no longer be read: the client hung up, or was cut off for being slow. */
export function hasHungUp(request: FastifyRequest): boolean {
  return request.raw.socket?.destroyed === true;
}
