import { authEndpoints, type SessionReply } from '@clinic/contract';
import { call } from '../api/client.ts';
import { clockOffset } from '../server-clock.ts';
import { lastActivity, lastForegroundCall } from './activity.ts';
import { getSession, keepToken } from './session-store.ts';

const SECOND = 1000;
/**
 * How long before the session's end the warning appears. If half of the token's life and half of the idle time are both
 * shorter than this, the longer half is used instead.
 */
const WARN_BEFORE = 120 * SECOND;

/** The facts on which `decide` bases its decision, in milliseconds since 1970 except for `life` and `idle`. */
export interface KeeperFacts {
  now: number;
  tokenExpires: number;
  /** How long a token is valid, in milliseconds. */
  life: number;
  /** When the server last counted a request as activity. */
  lastCall: number;
  /** When a key or the pointer was last used here. */
  lastActivity: number;
  /** How long the server keeps a session without activity, in milliseconds; null until known. */
  idle: number | null;
  sessionEnds: number | null;
}

export interface KeeperDecision {
  /**
   * Whether to renew the token now, and why: because the user is active, or in the background because the session is
   * still valid.
   */
  renew: 'work' | 'background' | null;
  /**
   * When the session ends if no one does anything. The end of the token does not matter: until then, the page renews it
   * in the background. `warn`: whether to warn now.
   */
  ends: number;
  warn: boolean;
  /** Whether the session can be extended; false near its maximum length. */
  canStay: boolean;
}

/** Decides whether to renew the token and whether to warn that the session is about to end (AUTH-05). */
export function decide(facts: KeeperFacts): KeeperDecision {
  const { now, tokenExpires, life, lastCall, idle, sessionEnds } = facts;
  const idleEnds = idle === null ? Infinity : lastCall + idle;
  const ends = Math.min(idleEnds, sessionEnds ?? Infinity);
  // A token is renewed in the second half of its life. In the background, that happens only if the new token would last
  // longer, since no token outlasts the session or the idle time.
  const left = tokenExpires - now;
  const half = left < life / 2;
  const worked =
    facts.lastActivity > lastCall && facts.lastActivity - lastCall > Math.min(60 * SECOND, (idle ?? Infinity) / 20);
  let renew: KeeperDecision['renew'] = null;
  if (worked && (half || (idle !== null && now - lastCall > idle / 4))) renew = 'work';
  else if (half && ends > tokenExpires) renew = 'background';
  const before = Math.min(WARN_BEFORE, Math.max(life, idle ?? 0) / 2);
  return {
    renew,
    ends,
    warn: renew !== 'work' && ends - now <= before,
    canStay: (sessionEnds ?? Infinity) - now > before,
  };
}

/** Asks for a new token and returns whether the server sent one. A refusal logs the user out. */
export async function renewToken(background: boolean): Promise<boolean> {
  try {
    const reply = await call(authEndpoints.renew, { background });
    return keepToken(reply.access_token, reply.expires_in);
  } catch {
    return false;
  }
}

/** The facts for `decide`, by this computer's clock; null when no one is logged in. */
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
