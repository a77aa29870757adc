import type { App } from '../deps.ts';
import { makeTurns } from '../turns.ts';
import { hasHungUp, signalOf } from './hang-up.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The reply lasts as long as the page is open. */
    staysOpen?: boolean;
  }
}

/** Connections for reads that sign-in and the access guard can always have. */
const KEPT_FREE = 2;
/** The share of the others that one account may use at a time. */
const SHARE_OF_ONE = 0.75;
/** For one account. */
const MOST_WAITING = 400;
const PATIENCE_MS = 10_000;

/**
 * Lets the reads of accounts take turns, so that one account's slow reads leave connections for others and for sign-in.
 * A read that waited too long is refused (503). Must be called after the access guard.
 * @param connections the process's connections for reads
 */
export function paceReads(app: App, connections: number): void {
  const all = Math.max(1, connections - KEPT_FREE);
  const turns = makeTurns<'account'>({
    atOnce: all,
    ofOne: { account: Math.max(1, Math.floor(all * SHARE_OF_ONE)) },
    fairBy: 'account',
    mostWaiting: MOST_WAITING,
    patienceMs: PATIENCE_MS,
  });
  app.addHook('preHandler', async (request, reply) => {
    const { account, method, routeOptions } = request;
    if (!account || method !== 'GET' || routeOptions.config.staysOpen) return;
    const end = await turns.take({ account: account.id }, signalOf(request));
    if (hasHungUp(request)) return end();
    reply.raw.once('finish', end);
    reply.raw.once('close', end); // the client hung up before the end
  });
}
