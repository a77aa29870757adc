import { useSyncExternalStore } from 'react';
import { learnServerNow, serverNow } from '../server-clock.ts';
import { hasLoggedOut, isTokenKey, readToken, writeToken } from '../storage/keys.ts';
import { noteLogin } from './activity.ts';
import { decodeToken, type TokenClaims } from './token.ts';

/** Why the user was logged out; the login page shows it. */
export type LogoutReason = 'none' | 'expired' | 'refused' | 'signed-out';

export interface Session {
  signedIn: boolean;
  token: string | null;
  claims: TokenClaims | null;
  reason: LogoutReason;
}

const SIGNED_OUT: Session = { signedIn: false, token: null, claims: null, reason: 'none' };
/** The longest time that a browser's timer can wait, rounded down, in milliseconds. */
const LONGEST_TIMER = 2_000_000_000;
const ENDING_TOGETHER_MS = 2000;

let current: Session = SIGNED_OUT;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const endings = new Set<() => void>();

function set(next: Session): void {
  if (next.signedIn && !current.signedIn) noteLogin();
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

/** Reads the stored token. A malformed or expired token is removed and counts as logged out (AUTH-04). */
function load(reason: LogoutReason): void {
  const token = readToken();
  const claims = token === null ? null : decodeToken(token);
  if (token !== null && claims && claims.expires > serverNow()) {
    // Another account has logged in, in another tab: what this page shows and holds belongs to the last one.
    if (current.claims && current.claims.subject !== claims.subject) window.location.reload();
    else if (token !== current.token) set({ signedIn: true, token, claims, reason: 'none' });
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

/** Reads from storage who is logged in. Called once, before anything is rendered (ROUTE-03). */
export function startSession(): void {
  load('none');
  // Storage changes when another tab has logged in, renewed its token, or logged out.
  window.addEventListener('storage', (event) => {
    if (!isTokenKey(event.key)) return;
    // All tabs share a token, so it ends in all of them. The first tab to notice removes the token; the other tabs must
    // not take this for a logout, which would drop what is typed in them.
    const ended = current.claims !== null && current.claims.expires <= serverNow() + ENDING_TOGETHER_MS;
    load(hasLoggedOut() ? 'signed-out' : ended ? 'expired' : 'refused');
  });
  // Timers do not run while a computer sleeps.
  document.addEventListener('visibilitychange', () => {
    if (current.signedIn) expire();
  });
}

/**
 * Stores a token that the server has just sent, valid for `seconds`. Learns the server's time from the token, since
 * this computer's clock may be wrong. Returns false when the token cannot be read.
 */
export function keepToken(token: string, seconds: number): boolean {
  const claims = decodeToken(token);
  if (!claims) return false;
  learnServerNow(claims.issued ?? claims.expires - seconds * 1000);
  writeToken(token);
  set({ signedIn: true, token, claims, reason: 'none' });
  return true;
}

/**
 * Calls the listener just before a login session ends without a logout. This is the last chance to keep unsaved work
 * (see drafts.ts).
 */
export function onSessionLost(listener: () => void): () => void {
  endings.add(listener);
  return () => void endings.delete(listener);
}

/** Removes the token in all tabs. The login page shows the reason. */
export function endSession(reason: LogoutReason): void {
  writeToken(null, reason === 'signed-out');
  if (current.signedIn) end(reason);
}

export const getSession = (): Session => current;
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
export const useSession = (): Session => useSyncExternalStore(onSession, getSession);
