import type { FastifyRequest } from 'fastify';
import { isLocation } from '@clinic/domain';
import { withTurns } from '../../db/turn.ts';
import type { App } from '../deps.ts';
import { makeTurns } from '../turns.ts';
import { signalOf } from './hang-up.ts';

/**
 * Transactions that write at the same time, of all, of one account and at one location: fewer than there are connections
 * for them. Most take a few milliseconds, and those of one location mostly wait for each other's locks.
 */
const AT_ONCE = { all: 8, account: 4, location: 5 };
/** Of one account; a person has one or two, a clinic that shares an account a few. */
const MOST_WAITING = 400;
const PATIENCE_MS = 10_000;

/**
 * Lets the transactions of requests write in turns, account by account. One that waited too long is refused (503) before
 * it began. Must be called after the access guard.
 */
export function paceWrites(app: App): void {
  const turns = makeTurns<'account' | 'location'>({
    atOnce: AT_ONCE.all,
    ofOne: { account: AT_ONCE.account, location: AT_ONCE.location },
    fairBy: 'account',
    mostWaiting: MOST_WAITING,
    patienceMs: PATIENCE_MS,
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { account } = request;
    if (!account) return done(); // signing in waits for nobody who works
    const location = locationOf(request);
    const of = { account: account.id, ...(location === undefined ? {} : { location }) };
    withTurns(() => turns.take(of, signalOf(request)), done);
  });
}

/** The location that a request names, if it does. */
function locationOf({ body, query }: FastifyRequest): string | undefined {
  for (const part of [body, query]) {
    const { location } = (part ?? {}) as { location?: unknown };
    if (typeof location === 'string' && isLocation(location)) return location;
  }
  return undefined;
}
