import type { FastifyRequest } from 'fastify';
import { isLocation } from '@clinic/domain';
import { withTurns, type TakeTurn } from '../../db/turn.ts';
import type { App } from '../deps.ts';
import { makeTurns } from '../turns.ts';
import { signalOf } from './hang-up.ts';

/**
 * How many transactions may write at the same time: in all, for one account and at one location. Fewer than the
 * connections for them. Most take a few milliseconds, and those of one location mostly wait for each other's locks.
 */
const AT_ONCE = { all: 8, account: 4, location: 5 };
/** For one account. A person has one or two waiting, a clinic that shares an account a few. */
const MOST_WAITING = 400;
const PATIENCE_MS = 10_000;

/**
 * Lets the transactions of requests write in turns, account by account. A request that waited too long is refused (503)
 * before it begins. Must be called after the access guard.
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
    if (!account) return done(); // sign-ins do not wait for other writes
    const take: TakeTurn = ({ location = locationOf(request), toTheEnd = false } = {}) =>
      turns.take(
        { account: account.id, ...(location === undefined ? {} : { location }) },
        toTheEnd ? undefined : signalOf(request),
      );
    withTurns(take, done);
  });
}

/** The location that a request names, if any. */
function locationOf({ body, query }: FastifyRequest): string | undefined {
  for (const part of [body, query]) {
    const { location } = (part ?? {}) as { location?: unknown };
    if (typeof location === 'string' && isLocation(location)) return location;
  }
  return undefined;
}
