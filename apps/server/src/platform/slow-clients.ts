import type { App } from './deps.ts';

/** How long a client may take, milliseconds. */
export interface Patience {
  /** To send a request's headers. */
  readonly headersMs: number;
  /** To send a whole request. */
  readonly requestMs: number;
  /** To take a whole reply; event streams last for as long as they like. */
  readonly replyMs: number;
  /** Between two looks at connections whose requests are late. */
  readonly lookMs: number;
}

export const PATIENCE: Patience = { headersMs: 15_000, requestMs: 30_000, replyMs: 60_000, lookMs: 5000 };

/**
 * Ends connections of clients that do not take their reply: each would hold the reply's bytes and a socket for as long
 * as it likes. Those that send too slowly are ended by Node, with the same patience.
 */
export function endSlowReaders(app: App, { replyMs }: Patience): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream')) return done();
    const late = setTimeout(() => request.raw.socket.destroy(), replyMs).unref();
    reply.raw.once('close', () => clearTimeout(late));
    done();
  });
}
