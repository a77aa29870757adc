import { useSyncExternalStore } from 'react';
import { learnServerNow, serverNow } from '../server-clock.ts';
import { isTokenKey, readToken, writeToken } from '../storage/keys.ts';
import { decodeToken, type TokenClaims } from './token.ts';

/** Why a person was signed out, for the login page to show. */
export type LogoutReason = 'none' | 'expired' | 'refused' | 'signed-out';

export interface Session {
  signedIn: boolean;
  token: string | null;
  claims: TokenClaims | null;
  reason: LogoutReason;
}

const SIGNED_OUT: Session = { signedIn: false, token: null, claims: null, reason: 'none' };
/** Timers longer than this overflow in browsers. */
const LONGEST_TIMER = 2_000_000_000;
const ENDING_TOGETHER_MS = 2000;

let current: Session = SIGNED_OUT;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const endings = new Set<() => void>();

function set(next: Session): void {
  current = next;
  clearTimeout(timer);
  if (next.claims) timer = setTimeout(expire, Math.min(LONGEST_TIMER, Math.max(0, next.claims.expires - serverNow())));
  for (const listener of listeners) listener();
}

function expire(): void {
  if (!current.claims) return;
  if (current.claims.expires > serverNow()) set(current);
  else endSession('expired');
}

/** Reads local storage: a token that is missing, malformed or expired is removed and counts as signed out (AUTH-04). */
function load(reason: LogoutReason): void {
  const token = readToken();
  const claims = token === null ? null : decodeToken(token);
  if (token !== null && claims && claims.expires > serverNow()) {
    if (token !== current.token) set({ signedIn: true, token, claims, reason: 'none' });
    return;
  }
  if (token !== null) writeToken(null);
  const why = token !== null && claims ? 'expired' : reason;
  if (current.signedIn || current.reason !== why) end(why);
}

function end(reason: LogoutReason): void {
  if (current.signedIn && reason !== 'signed-out') for (const listener of endings) listener();
  set({ ...SIGNED_OUT, reason });
}

/** Reads the sign-in state from local storage; call once, before anything renders (ROUTE-03). */
export function startSession(): void {
  load('none');
  // Another tab signed in, renewed its token or signed out.
  window.addEventListener('storage', (event) => {
    // Tabs share a token, so it ends for all at once: a tab that notices first must not take this for a sign-out.
    const ended = current.claims !== null && current.claims.expires <= serverNow() + ENDING_TOGETHER_MS;
    if (isTokenKey(event.key)) load(ended ? 'expired' : 'signed-out');
  });
  // A computer that slept has missed its timers.
  document.addEventListener('visibilitychange', () => {
    if (current.signedIn) expire();
  });
}

/**
 * Stores a token just received from the server; false when it cannot be read. `seconds`: how long it is valid. The
 * token says when it was made, so the server's clock is known from here on, whatever this computer's clock says.
 */
export function keepToken(token: string, seconds: number): boolean {
  const claims = decodeToken(token);
  if (!claims) return false;
  learnServerNow(claims.issued ?? claims.expires - seconds * 1000);
  writeToken(token);
  set({ signedIn: true, token, claims, reason: 'none' });
  return true;
}

/** Called just before a session ends without a sign-out: the last chance to keep what is selected (see drafts). */
export function onSessionLost(listener: () => void): () => void {
  endings.add(listener);
  return () => void endings.delete(listener);
}

/** Forgets the token in every tab; `reason` tells the login page why. */
export function endSession(reason: LogoutReason): void {
  writeToken(null);
  if (current.signedIn) end(reason);
}

export const getSession = (): Session => current;
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
export const useSession = (): Session => useSyncExternalStore(onSession, getSession);
