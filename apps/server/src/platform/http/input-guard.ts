import type { FastifyRequest } from 'fastify';
import type { App } from '../deps.ts';
import { refusal, Refusal } from '../refusal.ts';
import { signalOf } from './hang-up.ts';
import { scanJson, type JsonExcess, type JsonLimits } from './json-scan.ts';
import { makeTurns, type EndTurn } from '../turns.ts';

/** A reply of ours sent back is 7 deep; the longest text of the contract has 4,000 characters. */
const LIMITS: JsonLimits = { depth: 25, values: 200_000, text: 64 * 1024 };
const HALF_A_CHARACTER = /\p{Surrogate}/u;

/** Bytes of a request's body at most, where its route says nothing else. */
export const BODY_LIMIT = 256 * 1024;
/** Where nothing but a password, a name or an id comes. */
export const SMALL_BODY_LIMIT = 16 * 1024;
/** Beyond this a body waits for its turn to be read: each takes memory and the processor for a moment. */
const LARGE_BODY = BODY_LIMIT;
const LARGE_AT_ONCE = { all: 8, ofOne: 2 };
const LARGE_WAITING = 20;
const LARGE_PATIENCE_MS = 10_000;

/**
 * Refuses, before anything is made of them, bodies nested too deep, with too many values or too long a text; and, before
 * any schema sees them, texts that would not come back as they were sent: PostgreSQL cannot hold the zero character, and
 * half of a surrogate pair becomes U+FFFD on the way to it, so that a name could be free when it is compared and taken
 * when it is written. Must be called after the access guard: whose body it is decides whose turn it takes.
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
    check(request.headers['idempotency-key']); // the one header that is kept
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

/** Reads few large bodies at a time, and few of one account (of one address, before sign-in); the others wait unread. */
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
    reply.raw.once('close', turn); // also of one who hangs up in the middle
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

/** Whether a body of more than `LARGE_BODY` may come: the request says so, or does not say how much. */
function mayBeLarge({ headers, routeOptions }: FastifyRequest): boolean {
  if ((routeOptions.bodyLimit ?? 0) <= LARGE_BODY) return false; // refused unread, or when it has become too much
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > LARGE_BODY;
}

/** Who sends a request, for shares and limits: the account, or the address where nobody is signed in. */
export const senderOf = (request: FastifyRequest): string => request.account?.id ?? request.ip;

/** Throws a Refusal for a text outside the rules. */
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
