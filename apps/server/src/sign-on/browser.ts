import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SIGN_OFF_PATH } from '@clinic/contract';
import type { Seal } from '../access/seal.ts';

const SECRET = /^[\w-]{43}$/;
/** Browsers drop a cookie over 4,096 bytes; an ID token with many groups can be longer. */
const LONGEST_COOKIE = 4000;

/** The cookie's name; the prefix makes browsers take it only from this host, over TLS. */
const nameOf = (secure: boolean): string => (secure ? '__Host-sign-on' : 'sign-on');

/** The secret of the browser that began a sign-on; empty without one. */
export function browserOf({ headers }: FastifyRequest, secure: boolean): string {
  const value = cookieIn(headers.cookie, nameOf(secure));
  return SECRET.test(value) ? value : '';
}

function cookieIn(cookies = '', name: string): string {
  const pairs = cookies.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
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

/** The cookie that only the address of the logout gets; the prefix makes browsers take it only over TLS. */
const hintName = (secure: boolean): string => (secure ? '__Secure-sign-off' : 'sign-off');
const HINT = 'sign-off';

function setHint(reply: FastifyReply, secure: boolean, value: string, seconds: number): void {
  const attributes = `Path=${SIGN_OFF_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  reply.header('set-cookie', `${hintName(secure)}=${value}; ${attributes}`);
}

/**
 * Leaves the ID token with the browser, sealed, until it logs out: with it, the issuer ends the login without asking. It
 * stands in no database, and a computer that is found says no name.
 */
export function leaveHint(reply: FastifyReply, seal: Seal, secure: boolean, idToken: string, seconds: number): void {
  const sealed = seal.close(Buffer.from(idToken), HINT).toString('base64url');
  if (sealed.length <= LONGEST_COOKIE) setHint(reply, secure, sealed, seconds);
}

/** Takes the ID token back from the browser; null without one. */
export function takeHint({ headers }: FastifyRequest, reply: FastifyReply, seal: Seal, secure: boolean): string | null {
  const sealed = cookieIn(headers.cookie, hintName(secure));
  if (sealed === '') return null;
  setHint(reply, secure, '', 0);
  return seal.open(Buffer.from(sealed, 'base64url'), HINT)?.toString() ?? null;
}
