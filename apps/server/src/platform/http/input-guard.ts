import type { FastifyRequest } from 'fastify';
import type { App } from '../deps.ts';
import { refusal, Refusal } from '../refusal.ts';
import { signalOf } from './hang-up.ts';
import { scanJson, type JsonExcess, type JsonLimits } from './json-scan.ts';
import { makeTurns, type EndTurn } from '../turns.ts';

/** Our own replies, sent back, are 7 deep; the longest text in the contract has 4,000 characters. */
const LIMITS: JsonLimits = { depth: 25, values: 200_000, text: 64 * 1024 };
const HALF_A_CHARACTER = /\p{Surrogate}/u;

/** The largest body in bytes, unless its route says otherwise. */
export const BODY_LIMIT = 256 * 1024;
/** For bodies with only a password, a name or an id. */
export const SMALL_BODY_LIMIT = 16 * 1024;
/** Larger bodies wait for their turn to be read: each takes memory and processor time. */
const LARGE_BODY = BODY_LIMIT;
const LARGE_AT_ONCE = { all: 8, ofOne: 2 };
const LARGE_WAITING = 20;
const LARGE_PATIENCE_MS = 10_000;

/**
 * Refuses bodies nested too deep, with too many values or too long a text before they are parsed; and, before any
 * schema sees them, texts that would be changed on the way: PostgreSQL cannot store the null character, and half a
 * surrogate pair becomes U+FFFD, so that a name could be free when compared and taken when written. Must be called
 * after the access guard, since the account decides whose turn a body takes.
 */
export function guardInput(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const excess = scanJson(body, LIMITS);
    if (excess) done(refusalOf(excess));
    else void parse(request, body.toString(), done);
  });
  paceLargeBodies(app);
  app.addHook('preValidation', (request, _reply, done) => {
    check(request.headers['idempotency-key']); // the only header that is stored
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
 * Reads few large bodies at a time, and few of one account (before sign-in: of one address); the others wait unread.
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
    reply.raw.once('close', turn); // also when the client hangs up in the middle
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.body !== undefined) end(request); // files are read by their route's handler
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    end(request);
    done();
  });
}

/** Whether the body may exceed `LARGE_BODY`: the request says that it does, or does not give its length. */
function mayBeLarge({ headers, routeOptions }: FastifyRequest): boolean {
  if ((routeOptions.bodyLimit ?? 0) <= LARGE_BODY) return false; // refused unread, or once it is too large
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > LARGE_BODY;
}

/** The sender of a request, for shares and limits: the account, or before sign-in the address. */
export const senderOf = (request: FastifyRequest): string => request.account?.id ?? request.ip;

/** Throws a Refusal for a text that would be changed on the way. */
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
