import { authEndpoints, type SessionReply } from '@clinic/contract';
import { call } from '../api/client.ts';
import { clockOffset } from '../server-clock.ts';
import { lastActivity, lastForegroundCall } from './activity.ts';
import { getSession, keepToken } from './session-store.ts';

const SECOND = 1000;
/** The warning comes this long before the end, which leaves at least a minute to react. */
const WARN_BEFORE = 120 * SECOND;

/** Decides only from times what the keeper does next. All in milliseconds since the epoch, except `life`. */
export interface KeeperFacts {
  now: number;
  tokenExpires: number;
  /** How long a token is valid. */
  life: number;
  /** The last call that the server counted as work. */
  lastCall: number;
  /** The last key or pointer movement seen here. */
  lastActivity: number;
  /** Milliseconds without work after which the server ends the session; null while unknown. */
  idle: number | null;
  sessionEnds: number | null;
}

export interface KeeperDecision {
  /** Renew the token now: as work (someone is working) or in the background (the session is still good). */
  renew: 'work' | 'background' | null;
  /** When the session ends unless something is done, and whether to warn now. */
  ends: number;
  warn: boolean;
  /** Whether it can be extended; not once the session has reached its maximum length. */
  canStay: boolean;
}

/** Pure: renews while someone works, and warns before the end (AUTH-05, issue 4.7). */
export function decide(facts: KeeperFacts): KeeperDecision {
  const { now, tokenExpires, life, lastCall, idle, sessionEnds } = facts;
  const idleEnds = idle === null ? Infinity : lastCall + idle;
  const limit = Math.min(idleEnds, sessionEnds ?? Infinity);
  // A renewed token lasts longer only if the session and the idle time last longer too.
  const left = tokenExpires - now;
  const half = left < life / 2;
  const worked =
    facts.lastActivity > lastCall && facts.lastActivity - lastCall > Math.min(60 * SECOND, (idle ?? Infinity) / 20);
  let renew: KeeperDecision['renew'] = null;
  if (worked && (half || (idle !== null && now - lastCall > idle / 4))) renew = 'work';
  else if (half && limit > tokenExpires) renew = 'background';
  const ends = Math.min(limit, Math.max(tokenExpires, renew ? limit : 0));
  const before = Math.min(WARN_BEFORE, Math.max(life, idle ?? 0) / 2);
  return {
    renew,
    ends,
    warn: renew !== 'work' && ends - now <= before,
    canStay: (sessionEnds ?? Infinity) - now > before,
  };
}

/** Asks for a new token; false when that did not work. A refusal signs out by itself. */
export async function renewToken(background: boolean): Promise<boolean> {
  try {
    const reply = await call(authEndpoints.renew, { background });
    return keepToken(reply.access_token, reply.expires_in);
  } catch {
    return false;
  }
}

/** What the keeper bases its decision on now, all by this computer's clock; null when no one is signed in. */
export function factsNow(info: SessionReply | undefined): KeeperFacts | null {
  const { claims } = getSession();
  if (!claims) return null;
  const ahead = clockOffset() ?? 0;
  return {
    now: Date.now(),
    tokenExpires: claims.expires - ahead,
    life: claims.expires - (claims.issued ?? claims.expires - 900 * SECOND),
    lastCall: lastForegroundCall(),
    lastActivity: lastActivity(),
    idle: info ? info.idle_minutes * 60 * SECOND : null,
    sessionEnds: info ? Date.parse(info.session_ends) - ahead : null,
  };
}
