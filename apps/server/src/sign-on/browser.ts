import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const SECRET = /^[\w-]{43}$/;

/** The cookie's name; the prefix makes browsers take it only from this host, over TLS. */
const nameOf = (secure: boolean): string => (secure ? '__Host-sign-on' : 'sign-on');

/** The secret of the browser that began a sign-on; empty without one. */
export function browserOf({ headers }: FastifyRequest, secure: boolean): string {
  const name = `${nameOf(secure)}=`;
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(name))?.slice(name.length) ?? '';
  return SECRET.test(value) ? value : '';
}

/**
 * Gives the browser the secret that binds a sign-on to it, for as long as the sign-on may take. A secret that it has
 * already stays, so that two tabs can sign on at once. The cookie gives no rights: only with the code in the address of
 * the login page does it begin a session.
 */
export function bindBrowser(request: FastifyRequest, reply: FastifyReply, secure: boolean, seconds: number): string {
  const secret = browserOf(request, secure) || randomBytes(32).toString('base64url');
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  reply.header('set-cookie', `${nameOf(secure)}=${secret}; ${attributes}`);
  return secret;
}
