import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import type { App } from '../access/deps.ts';
import { refusal, Refusal } from '../platform/refusal.ts';

/** These limits are far above what pages send: at most 7 levels, and strings of at most 4,000 characters. */
const LIMITS = { depth: 25, values: 200_000, text: 64 * 1024 };
const HALF_A_CHARACTER = /\p{Surrogate}/u;

/** The maximum number of bytes in a body, unless its route sets another limit. */
export const BODY_LIMIT = 256 * 1024;
/** The maximum number of bytes in a body that holds only a password, a name or an id. */
export const SMALL_BODY_LIMIT = 16 * 1024;

/**
 * Refuses bodies that are nested too deep, have too many values or contain too long a string, before their schema reads
 * them. Also refuses strings that would be altered on the way to the database: PostgreSQL cannot store the null
 * character, and half a surrogate pair becomes U+FFFD, as does a letter in another encoding than UTF-8. With such a
 * string, a name could be free when it is checked and taken when it is written.
 */
export function guardInput(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (!isUtf8(body)) done(refusal('not-utf8'));
    else void parse(request, body.toString(), done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.is404) return done(); // a page of the application, or nothing: no value is read
    checkText(String(request.headers['idempotency-key'] ?? '')); // the only header whose value is stored
    check([request.params, request.query, request.body]);
    done();
  });
}

/** Identifies the sender of a request, for limits: the account or, before login, the IP address. */
export const senderOf = (request: FastifyRequest): string => request.account?.id ?? request.ip;

/** Throws a refusal if a value is beyond the limits, or contains a string that would be altered on the way to the database. */
function check(value: unknown, depth = 0, count = { values: 0 }): void {
  if (++count.values > LIMITS.values) throw new Refusal('too-large');
  if (typeof value === 'string') return checkText(value);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if (depth > LIMITS.depth) throw refusal('nested-too-deep');
  if (Array.isArray(value)) {
    for (const inner of value) check(inner, depth + 1, count);
    return;
  }
  for (const key in value) {
    checkText(key);
    check((value as Record<string, unknown>)[key], depth + 1, count);
  }
}

function checkText(text: string): void {
  if (text.length > LIMITS.text) throw refusal('text-too-long');
  if (text.includes('\0')) throw refusal('null-character');
  if (HALF_A_CHARACTER.test(text)) throw refusal('half-character');
}
