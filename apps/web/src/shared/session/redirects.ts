import type { Place, Redirect } from '../router/history.ts';
import type { Session } from './session-store.ts';

/** The path of invitation links. Users who open them cannot log in yet. */
export const WELCOME = '/welcome';

/** Returns the path to open after the login; null if it is on another site, or is the start page or the login page. */
export function safeNext(next: unknown): string | null {
  if (typeof next !== 'string' || !next.startsWith('/') || next.startsWith('//') || next.includes('\\')) return null;
  const path = next.split(/[?#]/)[0];
  return path === '/' || path === '/login' || path === '/login.html' ? null : next;
}

/**
 * Where to redirect, or null to stay. Every path except /login and the invitation link needs a login (ROUTE-02). The
 * login then opens the requested page, unless that was `/` or the user had just logged out. `/ledgers` opens the first
 * of the ledgers.
 */
export function redirectFor(place: Place, session: Pick<Session, 'signedIn' | 'reason'>): Redirect | null {
  if (place.path === '/login.html') return { to: '/login', wanted: place.wanted };
  if (place.path === '/login') return session.signedIn ? { to: safeNext(place.wanted) ?? '/calendar' } : null;
  if (place.path === '/ledgers') return { to: place.href.replace('/ledgers', '/ledgers/hours'), wanted: place.wanted };
  if (session.signedIn || place.path === WELCOME) return null;
  return { to: '/login', wanted: session.reason === 'signed-out' ? null : safeNext(place.href) };
}
