import { useSyncExternalStore } from 'react';
import { isTokenKey, readToken, writeToken } from '../storage/keys.ts';
import { decodeToken, type TokenClaims } from './token.ts';

/** Why a person is logged out, so that the login page can say it. */
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

let current: Session = SIGNED_OUT;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: Session): void {
  current = next;
  clearTimeout(timer);
  if (next.claims) timer = setTimeout(expire, Math.min(LONGEST_TIMER, Math.max(0, next.claims.expires - Date.now())));
  for (const listener of listeners) listener();
}

function expire(): void {
  if (!current.claims) return;
  if (current.claims.expires > Date.now()) set(current);
  else endSession('expired');
}

/** Reads what local storage holds: absent, malformed or expired is removed and counts as logged out (AUTH-04). */
function load(reason: LogoutReason): void {
  const token = readToken();
  const claims = token === null ? null : decodeToken(token);
  if (token !== null && claims && claims.expires > Date.now()) {
    if (token !== current.token) set({ signedIn: true, token, claims, reason: 'none' });
    return;
  }
  if (token !== null) writeToken(null);
  const why = token !== null && claims ? 'expired' : reason;
  if (current.signedIn || current.reason !== why) set({ ...SIGNED_OUT, reason: why });
}

/** Decides the login state from local storage; call once, before anything renders (ROUTE-03). */
export function startSession(): void {
  load('none');
  // Another tab logged in, renewed its token or logged out.
  window.addEventListener('storage', (event) => {
    if (isTokenKey(event.key)) load('signed-out');
  });
  // A machine that slept has missed its timers.
  document.addEventListener('visibilitychange', () => {
    if (current.signedIn) expire();
  });
}

/** Keeps a token that the server gave; false when it cannot be read. */
export function keepToken(token: string): boolean {
  const claims = decodeToken(token);
  if (!claims || claims.expires <= Date.now()) return false;
  writeToken(token);
  set({ signedIn: true, token, claims, reason: 'none' });
  return true;
}

/** Forgets the token, in every tab; `reason` tells the login page why. */
export function endSession(reason: LogoutReason): void {
  writeToken(null);
  if (current.signedIn) set({ ...SIGNED_OUT, reason });
}

export const getSession = (): Session => current;
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
export const useSession = (): Session => useSyncExternalStore(onSession, getSession);
