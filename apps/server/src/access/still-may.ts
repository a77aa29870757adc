import { performance } from 'node:perf_hooks';
import type { FastifyRequest } from 'fastify';
import type { Deps } from './deps.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { callerOf } from './caller.ts';
import { findCaller, type Caller } from './sessions.ts';

/** A write that takes longer than this looks up its caller once more. Most writes take a few milliseconds. */
const LONG_MS = 1000;

/**
 * Returns a function that refuses a request whose account has lost its session or changed its role or locations since
 * the request began, for example while it waited for a lock. It reads outside the request's own transaction, so that a
 * change of the account's own password does not refuse itself.
 */
export function mayStill(
  request: FastifyRequest,
  { db, accessClock, config }: Pick<Deps, 'db' | 'accessClock' | 'config'>,
): () => Promise<void> {
  const before = callerOf(request);
  if (before.role === 'service') return () => Promise.resolve(); // it only reads
  const begun = performance.now();
  return async () => {
    if (performance.now() - begun < LONG_MS) return;
    const now = await findCaller(db, before.sessionId, accessClock.now(), config, false);
    if (!now) throw new Refusal('not-signed-in');
    if (rightsOf(now) !== rightsOf(before)) throw refusal('rights-changed');
  };
}

const rightsOf = ({ role, locations, therapistId }: Caller): string =>
  JSON.stringify([role, locations?.toSorted() ?? null, therapistId]);
