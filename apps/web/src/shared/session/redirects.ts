import type { Place, Redirect } from '../router/history.ts';
import type { Session } from './session-store.ts';

/** A path of this site that one may be sent to after the login, or null. */
export function safeNext(next: unknown): string | null {
  if (typeof next !== 'string' || !next.startsWith('/') || next.startsWith('//') || next.includes('\\')) return null;
  const path = next.split(/[?#]/)[0];
  return path === '/' || path === '/login' || path === '/login.html' ? null : next;
}

/**
 * Where a place leads instead, or null. ROUTE-02: every path but /login needs a login, and a deep link other than `/`
 * is returned to after it, unless one meant to leave.
 */
export function redirectFor(place: Place, session: Pick<Session, 'signedIn' | 'reason'>): Redirect | null {
  if (place.path === '/login.html') return { to: '/login', wanted: place.wanted };
  if (place.path === '/login') return session.signedIn ? { to: safeNext(place.wanted) ?? '/calendar' } : null;
  if (session.signedIn) return null;
  return { to: '/login', wanted: session.reason === 'signed-out' ? null : safeNext(place.href) };
}
