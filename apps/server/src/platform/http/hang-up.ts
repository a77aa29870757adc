import type { FastifyRequest } from 'fastify';
import type { App } from '../deps.ts';

const signals = new WeakMap<FastifyRequest, AbortSignal>();

/** Lets `signalOf` know of every request when its client hangs up. Must be called before other hooks ask for it. */
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

/** Aborted when the client's connection closes before the reply has left. Undefined of a request that is no route's. */
export function signalOf(request: FastifyRequest): AbortSignal | undefined {
  return signals.get(request);
}

/** Whether nobody is left to read a reply: the client hung up, or was cut off for being slow. */
export function hasHungUp(request: FastifyRequest): boolean {
  return request.raw.socket?.destroyed === true;
}
