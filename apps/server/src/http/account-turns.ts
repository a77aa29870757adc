import type { FastifyRequest } from 'fastify';
import { withRights } from '../db/rights.ts';
import { mayStill } from '../access/still-may.ts';
import type { App, Deps } from '../access/deps.ts';
import { makeTurns, type EndTurn } from '../platform/turns.ts';
import { signalOf } from '../access/hang-up.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Waits until the request's account may do one more thing at a time; the handler of `addRoute` calls it. */
    takeTurn?: (request: FastifyRequest) => Promise<EndTurn>;
  }
}

/**
 * How many requests of one account may be at work at the same time: a few of those that may write, which may wait for
 * locks, and a share of the connections for reads. So one account leaves connections for all others, and for logins.
 */
const WRITES_OF_ONE = 4;
const READS_OF_ONE = 0.4;
/** A page has some six requests open, a clinic that shares an account a few dozen. */
const MOST_WAITING = 400;
const PATIENCE_MS = 30_000;

/**
 * Makes the requests of one account wait for each other. One that has waited too long is refused (503) before it has
 * changed anything. Must be called after the access guard.
 * @param readConnections the number of this process's connections for reads
 */
export function takeTurnsByAccount(app: App, deps: Deps, readConnections: number): void {
  const ofOne = (most: number) => makeTurns({ ofOne: most, mostWaiting: MOST_WAITING, patienceMs: PATIENCE_MS });
  const reads = ofOne(Math.max(1, Math.floor(readConnections * READS_OF_ONE)));
  const writes = ofOne(WRITES_OF_ONE);
  app.decorate('takeTurn', async (request: FastifyRequest) => {
    const { account, method } = request;
    if (!account) return () => undefined; // logins have no account yet, and do not wait for other requests
    return (method === 'GET' ? reads : writes).take(account.id, signalOf(request));
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.account) withRights(mayStill(request, deps), done);
    else done();
  });
}
