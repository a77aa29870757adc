import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import type { App } from '../access/deps.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { signalOf } from '../access/hang-up.ts';
import { scanJson, type JsonExcess, type JsonLimits } from './json-scan.ts';
import { makeTurns, type EndTurn } from '../platform/turns.ts';

/** These limits are far above what pages send: at most 7 levels, and strings of at most 4,000 characters. */
const LIMITS: JsonLimits = { depth: 25, values: 200_000, text: 64 * 1024 };
const HALF_A_CHARACTER = /\p{Surrogate}/u;

/** The maximum number of bytes in a body, unless its route sets another limit. */
export const BODY_LIMIT = 256 * 1024;
/** The maximum number of bytes in a body that holds only a password, a name or an id. */
export const SMALL_BODY_LIMIT = 16 * 1024;
/** A larger body waits for its turn to be read, because it costs memory and processor time. */
const LARGE_BODY = BODY_LIMIT;
const LARGE_AT_ONCE = { all: 8, ofOne: 2 };
const LARGE_WAITING = 20;
const LARGE_PATIENCE_MS = 10_000;

/**
 * Refuses bodies that are nested too deep, have too many values or contain too long a string, before they are parsed.
 * Also refuses strings that would be altered on the way to the database: PostgreSQL cannot store the null character,
 * and half a surrogate pair becomes U+FFFD, as does a letter in another encoding than UTF-8. With such a string, a name
 * could be free when it is checked and taken when it is written. Must be called after the access guard, because large bodies take turns by account.
 */
export function guardInput(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const excess = scanJson(body, LIMITS);
    if (excess) done(refusalOf(excess));
    else if (!isUtf8(body)) done(refusal('not-utf8'));
    else void parse(request, body.toString(), done);
  });
  paceLargeBodies(app);
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.is404) return done(); // a page of the application, or nothing: no value is read
    check(request.headers['idempotency-key']); // this is the only header whose value is stored
    if (request.params) check(request.params);
    if (request.query) check(request.query);
    if (request.body && typeof request.body === 'object') check(request.body);
    done();
  });
}

function refusalOf(excess: JsonExcess): Refusal {
  if (excess === 'depth') return refusal('nested-too-deep');
  if (excess === 'text') return refusal('text-too-long');
  return new Refusal('too-large');
}

/**
 * Reads only a few large bodies at a time, and fewer from one account (before login, from one IP address). The other
 * bodies wait unread.
 */
function paceLargeBodies(app: App): void {
  const turns = makeTurns({
    atOnce: LARGE_AT_ONCE.all,
    ofOne: { sender: LARGE_AT_ONCE.ofOne },
    fairBy: 'sender',
    mostWaiting: LARGE_WAITING,
    patienceMs: LARGE_PATIENCE_MS,
  });
  const reading = new WeakMap<FastifyRequest, EndTurn>();
  const end = (request: FastifyRequest): void => reading.get(request)?.();
  app.addHook('onRequest', async (request, reply) => {
    if (!mayBeLarge(request)) return;
    const turn = await turns.take({ sender: senderOf(request) }, signalOf(request));
    reading.set(request, turn);
    reply.raw.once('close', turn); // the turn also ends when the client closes the connection early
  });
  app.addHook('preHandler', (request, _reply, done) => {
    // A request without a parsed body is an upload, whose handler reads the files itself.
    if (request.body !== undefined) end(request);
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    end(request);
    done();
  });
}

/** Whether the body may be larger than `LARGE_BODY`: its declared length is larger, or no length is declared. */
function mayBeLarge({ headers, routeOptions }: FastifyRequest): boolean {
  if ((routeOptions.bodyLimit ?? 0) <= LARGE_BODY) return false; // larger bodies are refused while they are read
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > LARGE_BODY;
}

/** Identifies the sender of a request, for limits: the account or, before login, the IP address. */
export const senderOf = (request: FastifyRequest): string => request.account?.id ?? request.ip;

/** Throws a refusal if a value contains a string that would be altered on the way to the database. */
function check(value: unknown): void {
  if (typeof value === 'string') return checkText(value);
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if (Array.isArray(value)) {
    for (const inner of value) check(inner);
    return;
  }
  for (const key in value) {
    checkText(key);
    check((value as Record<string, unknown>)[key]);
  }
}

function checkText(text: string): void {
  if (text.includes('\0')) throw refusal('null-character');
  if (HALF_A_CHARACTER.test(text)) throw refusal('half-character');
}
