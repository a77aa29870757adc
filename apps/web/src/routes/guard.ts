import { redirect } from '@tanstack/react-router';
import { getSession } from '../shared/session/session-store.ts';

/** A path of this site that one may be sent to after the login, or null. */
export function safeNext(next: unknown): string | null {
  if (typeof next !== 'string' || !next.startsWith('/') || next.startsWith('//') || next.includes('\\')) return null;
  const path = next.split(/[?#]/)[0];
  return path === '/' || path === '/login' || path === '/login.html' ? null : next;
}

/** ROUTE-02: every path but /login needs a login; a deep link other than `/` is returned to afterwards. */
export function requireLogin({ location }: { location: { href: string } }): void {
  if (getSession().signedIn) return;
  const next = safeNext(location.href);
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router's way to redirect
  throw redirect({ to: '/login', search: next === null ? {} : { next }, replace: true });
}
