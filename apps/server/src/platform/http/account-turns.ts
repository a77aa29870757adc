import type { FastifyRequest } from 'fastify';
import { isLocation } from '@clinic/domain';
import { withTurns, type TakeTurn } from '../../db/turn.ts';
import { mayStill } from '../access/still-may.ts';
import type { App, Deps } from '../deps.ts';
import { makeTurns } from '../turns.ts';
import { signalOf } from './hang-up.ts';

/**
 * How many transactions may write at the same time: in total, for one account and at one location. All three limits are
 * below the number of write connections. Most transactions take a few milliseconds, and transactions at one location
 * mostly wait for each other's locks.
 */
const WRITES = { all: 8, account: 4, location: 5 };
/**
 * The maximum number of waiting writes per account. A single user has one or two waiting writes, and a clinic that
 * shares an account has a few.
 */
const MOST_WRITES_WAITING = 400;
/** How many read connections are reserved for logins, for looking up callers and for recording who read what. */
const KEPT_FREE = 4;
/** The share of the remaining read connections that one account may use at a time. */
const SHARE_OF_ONE = 0.75;
/** The maximum number of waiting reads per account. A request may read several things at once. */
const MOST_READS_WAITING = 1200;
const PATIENCE_MS = 10_000;
/** Reads may wait longer than writes: a request may need several, and a page that loads late is better than none. */
const READ_PATIENCE_MS = 30_000;

/**
 * Makes requests take turns at using connections, account by account: a turn covers one read statement, one snapshot or
 * one transaction that writes. A request that has waited too long is refused (503) before it changes anything. Must be
 * called after the access guard.
 * @param readConnections the number of this process's connections for reads
 */
export function takeTurnsByAccount(app: App, deps: Deps, readConnections: number): void {
  const atOnce = Math.max(1, readConnections - KEPT_FREE);
  const reads = makeTurns<'account'>({
    atOnce,
    ofOne: { account: Math.max(1, Math.floor(atOnce * SHARE_OF_ONE)) },
    fairBy: 'account',
    mostWaiting: MOST_READS_WAITING,
    patienceMs: READ_PATIENCE_MS,
  });
  const writes = makeTurns<'account' | 'location'>({
    atOnce: WRITES.all,
    ofOne: { account: WRITES.account, location: WRITES.location },
    fairBy: 'account',
    mostWaiting: MOST_WRITES_WAITING,
    patienceMs: PATIENCE_MS,
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const { account, method } = request;
    if (!account) return done(); // logins have no account yet, and do not wait for other requests
    const signal = signalOf(request);
    let begun = false;
    let wrote = false;
    const read = async (): Promise<() => void> => {
      if (wrote) return () => {}; // a refusal now would hide that the request has already changed something
      const end = await reads.take({ account: account.id }, method === 'GET' ? signal : undefined, begun);
      begun = true;
      return end;
    };
    const write: TakeTurn = async ({ location = locationOf(request), toTheEnd = false } = {}) => {
      const of = { account: account.id, ...(location === undefined ? {} : { location }) };
      const end = await writes.take(of, toTheEnd ? undefined : signal);
      wrote = true;
      return end;
    };
    withTurns({ read, write, stillMay: mayStill(request, deps) }, done);
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
