import type { Place, Redirect } from '../router/history.ts';
import type { Session } from './session-store.ts';

/** Where a link of an invitation leads; no one who opens it can log in yet. */
const WELCOME = '/welcome';

/** A path on this site to go to after sign-in, or null. */
export function safeNext(next: unknown): string | null {
  if (typeof next !== 'string' || !next.startsWith('/') || next.startsWith('//') || next.includes('\\')) return null;
  const path = next.split(/[?#]/)[0];
  return path === '/' || path === '/login' || path === '/login.html' ? null : next;
}

/**
 * Where to redirect from a place, or null. ROUTE-02: every path except /login requires a sign-in, and a deep link other
 * than `/` is opened after it, unless the person signed out on purpose.
 */
export function redirectFor(place: Place, session: Pick<Session, 'signedIn' | 'reason'>): Redirect | null {
  if (place.path === '/login.html') return { to: '/login', wanted: place.wanted };
  if (place.path === '/login') return session.signedIn ? { to: safeNext(place.wanted) ?? '/calendar' } : null;
  if (session.signedIn || place.path === WELCOME) return null;
  return { to: '/login', wanted: session.reason === 'signed-out' ? null : safeNext(place.href) };
}
