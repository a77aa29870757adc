import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '@clinic/contract';
import { codeOf } from '../start-error.ts';
import { SessionUnfit } from '../db/session.ts';
import { recordNamedClients } from '../access/named-clients.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { constraintRefusal } from './constraint-refusals.ts';
import { hasHungUp } from '../access/hang-up.ts';
import { describeError } from './logger.ts';

/**
 * Turns any error into a reply with `{detail}` and a status. Logs only errors with a 5xx status and violated database
 * constraints, and never the data in them. An error that only means that the client closed the connection is neither
 * logged nor counted as a 5xx. While the database is away, the log has one such error a minute and not one a request;
 * the line of each request has its status.
 */
export function mapError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const meant = refusalFor(error, !READS.has(request.method));
  const gone = hasHungUp(request);
  if (meant.status >= 500 && !(gone && (error instanceof Refusal || isOfConnection(error)))) {
    if (!isKnownTrouble(meant.code, request.server.server))
      request.log.error({ err: describeError(error) }, 'request failed');
  }
  // Features check for violations before they write, so if this happens often, a check is missing.
  else if (constraintRefusal(error))
    request.log.warn({ err: describeError(error) }, 'refused by a database constraint');
  const refusal = gone && meant.status >= 500 ? new Refusal('hung-up') : meant;
  for (const [name, value] of Object.entries(refusal.headers)) reply.header(name, value);
  if (refusal.status === 503 && !refusal.headers['retry-after']) reply.header('retry-after', '2');
  reply.header('cache-control', 'no-store');
  return reply.code(refusal.status).type('application/json; charset=utf-8').send({ detail: refusal.detail });
}

/** Like `mapError`, but sends a refusal that names clients only after recording it in the audit trail. */
export function recordingErrors(deps: Parameters<typeof recordNamedClients>[0]) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      if (error instanceof Refusal) await recordNamedClients(deps, request, error);
    } catch (failure) {
      return mapError(failure, request, reply);
    }
    return mapError(error, request, reply);
  };
}

/** What requests are refused with while the database as a whole is in trouble; the server logs that trouble itself. */
const OF_THE_DATABASE = new Set<ErrorCode>(['database-away', 'unsure', 'read-only', 'disk-full']);
const ALARM_EVERY_MS = 60_000;
const alarms = new WeakMap<object, Map<ErrorCode, number>>();

/** Whether this server has logged the same trouble of the database within the last minute. */
function isKnownTrouble(code: ErrorCode, server: object): boolean {
  if (!OF_THE_DATABASE.has(code)) return false;
  const last = alarms.get(server) ?? new Map<ErrorCode, number>();
  alarms.set(server, last);
  const now = performance.now();
  if (now - (last.get(code) ?? -Infinity) < ALARM_EVERY_MS) return true;
  last.set(code, now);
  return false;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Makes the refusal for a thrown error; `written` is whether the request may have written something. */
function refusalFor(error: unknown, written: boolean): Refusal {
  if (error instanceof Refusal) return error;
  const known = error as Partial<FastifyError> & { validationContext?: string };
  if (Array.isArray(known.validation)) return fieldsWrong(known.validation);
  const code = known.code ?? '';
  if (isNotReached(error)) return new Refusal('database-away');
  if (isLost(code, error)) return new Refusal(written ? 'unsure' : 'database-away');
  const ruled = constraintRefusal(error);
  if (ruled) return ruled;
  const byCode = FASTIFY_CODES[code] ?? DATABASE_CODES[code];
  if (byCode) return new Refusal(byCode);
  const status = known.statusCode;
  if (status !== undefined && status >= 400 && status < 500) {
    return refusal('request-unreadable', STATUS_CODES[status] ?? String(status));
  }
  return new Refusal('internal');
}

const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad-request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad-request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad-request',
  FST_ERR_BAD_URL: 'bad-request',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_REQ_FILE_TOO_LARGE: 'too-large',
  FST_FILES_LIMIT: 'too-large',
  FST_FIELDS_LIMIT: 'too-large',
  FST_PARTS_LIMIT: 'too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported-media',
};

const DATABASE_CODES: Readonly<Record<string, ErrorCode>> = {
  '40001': 'busy',
  '40P01': 'busy',
  '53100': 'disk-full',
  '53200': 'busy', // PostgreSQL has run out of memory
  '53300': 'busy',
  '55P03': 'busy',
  '57014': 'busy', // the statement exceeded its time limit
  '25006': 'read-only',
  '57P01': 'database-away', // PostgreSQL is stopping; it still finishes a commit that has begun
  '57P03': 'database-away',
  ECONNREFUSED: 'database-away', // the connection was never made
  EHOSTUNREACH: 'database-away',
  ENOENT: 'database-away',
  ENOTFOUND: 'database-away',
};

/**
 * Whether an error only means that some connection closed. It does not say which one; if the client has disconnected,
 * `mapError` assumes that it was the client's.
 */
const isOfConnection = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(codeOf(error) ?? '');

/** Whether no database connection was available, so that no statement was sent. */
function isNotReached(error: unknown): boolean {
  return (
    error instanceof SessionUnfit ||
    (error instanceof Error &&
      /^(timeout exceeded when trying|Connection terminated due to connection t)/.test(error.message))
  );
}

/** Whether the database connection broke during use, so that a commit may have succeeded unnoticed. */
function isLost(code: string, error: unknown): boolean {
  if (code.startsWith('08') || ['57P02', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code)) return true;
  // `pg` sets an empty code. A statement after the break, such as the rollback after a commit without a reply, fails
  // because the client is not queryable.
  return code === '' && error instanceof Error && /^Connection terminated|is not queryable$/.test(error.message);
}

/** Makes the refusal that names the first three fields that fail the schema, and says what is wrong with each field. */
function fieldsWrong(issues: readonly { instancePath?: string; message?: string }[]): Refusal {
  if (issues.length === 0) return new Refusal('invalid');
  const faults = issues.slice(0, 3).map(({ instancePath, message }) => {
    const field = (instancePath ?? '').replace(/^\//, '').replaceAll('/', '.');
    return { field: field || 'the request', fault: message ?? 'is not right' };
  });
  return refusal('fields-wrong', faults);
}
