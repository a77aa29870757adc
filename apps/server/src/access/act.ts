import type { FastifyRequest } from 'fastify';
import type { Writer } from './audit.ts';
import { callerOf } from './caller.ts';
import type { Deps } from './deps.ts';
import { signalOf } from './hang-up.ts';
import type { Caller } from './sessions.ts';

/** Who acts, in which request, and when. Everything that writes needs this for access checks, audit and history. */
export interface Act extends Writer {
  readonly caller: Caller;
  readonly requestId: string;
  /** Aborted when the client closes the connection and no longer waits for the reply. */
  readonly gone?: AbortSignal | undefined;
}

export function actOf(request: FastifyRequest, deps: Pick<Deps, 'accessClock'>): Act {
  return { caller: callerOf(request), requestId: request.id, at: deps.accessClock.now(), gone: signalOf(request) };
}
