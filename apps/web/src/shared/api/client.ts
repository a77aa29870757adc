import {
  TEXTS,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  type ReplyShape,
} from '@clinic/contract';
import { endSession, getSession } from '../session/session-store.ts';
import { noteReplyDate } from '../server-clock.ts';
import { isAtWork, noteForegroundCall } from '../session/activity.ts';
import { fieldRefusals, refusalWords, type FieldRefusal } from './refusal-words.ts';

/** An error whose message is written for users. The message of any other error is never shown. */
export class SaidError extends Error {
  override readonly name: string = 'SaidError';
}

/** Thrown when the server refuses a request. `detail` says why: a string, an object with conflicts, or null. */
export class ApiError extends SaidError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly detail: unknown;
  /** Messages about single fields, which a form shows beside those fields. The error message includes them too. */
  readonly fields: readonly FieldRefusal[];
  constructor(status: number, detail: unknown) {
    const text = detailText(detail);
    super(text === null ? `The server refused this without a reason (${status}).` : refusalWords(text));
    this.status = status;
    this.detail = detail;
    this.fields = text === null ? [] : fieldRefusals(text);
  }
}

/** An error's messages about single fields; empty unless the error is a refusal. */
export const fieldsIn = (error: unknown): readonly FieldRefusal[] => (error instanceof ApiError ? error.fields : []);

const NO_REPLY = {
  offline: 'There is no connection.',
  silent: 'The server did not reply.',
  unreadable: 'The server’s reply could not be read.',
} as const;

/**
 * Thrown when no reply arrives that the contract knows: the network or the server is down, a gateway or a login page
 * replied in the server's place, or the reply was damaged. `status` is the status of such a reply; null if none came.
 */
export class NoReplyError extends SaidError {
  override readonly name = 'NoReplyError';
  readonly why: keyof typeof NO_REPLY;
  readonly status: number | null;
  /** Whether the server may have carried the request out and so have saved something. */
  readonly maySave: boolean;
  constructor(why: keyof typeof NO_REPLY, endpoint: Endpoint, status: number | null = null) {
    super(status !== null && status >= 500 ? `The server cannot be reached (${status}).` : NO_REPLY[why]);
    this.why = why;
    this.status = status;
    this.maySave = why !== 'offline' && endpoint.method !== 'GET' && endpoint.writes !== false;
  }
}

/**
 * Begins to watch a request. The result says why it got no reply: without a connection before and after, nothing was
 * sent; in every other case, no one knows.
 */
export function watchSilence(): () => 'offline' | 'silent' {
  const offline = (): boolean => navigator.onLine === false;
  const before = offline();
  return () => (before && offline() ? 'offline' : 'silent');
}

/** Thrown, instead of sending a request, when no one is logged in. */
export class NotSignedInError extends SaidError {
  override readonly name = 'NotSignedInError';
}

/** The message in a refusal's `detail`, which may be a string or an object (DATA-06); null when there is none. */
export function detailText(detail: unknown): string | null {
  if (typeof detail === 'string' && detail !== '') return detail;
  if (typeof detail === 'object' && detail !== null && 'message' in detail && typeof detail.message === 'string')
    return detail.message;
  return null;
}

/**
 * The error for a reply whose status is not a success. Our server gives a `detail` with every refusal, so a 5xx without
 * a `detail` comes from a gateway. The server may then have carried out the request.
 */
export function errorOfReply(endpoint: Endpoint, status: number, body: string): ApiError | NoReplyError {
  const detail = detailOf(body);
  return status >= 500 && detail === null
    ? new NoReplyError('unreadable', endpoint, status)
    : new ApiError(status, detail);
}

/** The JSON of a successful reply, undefined for an empty one. Throws NoReplyError unless it has the contract's shape. */
export function replyOf<E extends Endpoint>(endpoint: E, status: number, text: string): ReplyOf<E> {
  const reply = endpoint.shape === undefined ? undefined : parsed(text);
  if (!isReply(endpoint, status, reply)) throw new NoReplyError('unreadable', endpoint, status);
  return reply;
}

const isReply = <E extends Endpoint>(endpoint: E, status: number, reply: unknown): reply is ReplyOf<E> =>
  endpoint.shape === undefined ? status === 204 : fits(endpoint.shape, reply);

const fits = (shape: ReplyShape, value: unknown): boolean => {
  if (shape === 0) return value !== undefined;
  if (shape instanceof Array) return Array.isArray(value) && value.every((entry) => fits(shape[0], entry));
  return isRecord(value) && Object.entries(shape).every(([name, field]) => fits(field, value[name]));
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The `detail` of a refusal; null when the body has none. */
function detailOf(body: string): unknown {
  const refusal = parsed(body);
  return (isRecord(refusal) ? refusal['detail'] : null) ?? null;
}

type Part<K extends string, V> = [V] extends [undefined] ? { [P in K]?: undefined } : { [P in K]: V };
export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>> & {
    signal?: AbortSignal | undefined;
    headers?: Record<string, string> | undefined;
    /**
     * True for a request that the page makes without any action by the user. By default, a request counts as user
     * activity if someone has used the page in the last 30 seconds (see session/activity.ts).
     */
    background?: boolean | undefined;
    /** Sends the body as a form instead of JSON. */
    form?: boolean | undefined;
    /** What to do on a 401: log out (the default), or throw. */
    on401?: 'log-out' | 'throw' | undefined;
  };

const BASE = '/api';
/** After this long, a request for JSON counts as having no reply. Even the longest solve is done sooner. */
const LONGEST_WAIT_MS = 300_000;

/** A request's address. Query values that are null or undefined are left out. */
export function addressOf(endpoint: Endpoint, params: unknown, query: unknown): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value != null);
  const search = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]));
  return BASE + path + (pairs.length > 0 ? `?${search}` : '');
}

/**
 * Sends a request and returns the raw response. Throws ApiError when the server refuses, NoReplyError when no reply
 * arrives, and NotSignedInError when there is no token. When the request is aborted, throws what fetch throws.
 */
export async function send<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Response> {
  const { token } = getSession();
  const headers = new Headers(input.headers);
  if (endpoint.access !== 'public') {
    if (token === null) throw new NotSignedInError(TEXTS.authRequired);
    headers.set('Authorization', `Bearer ${token}`);
    if (input.background ?? !isAtWork()) headers.set('X-Background', '1');
    else noteForegroundCall();
  }
  let signal = input.signal ?? null;
  if (!headers.has('Accept')) {
    headers.set('Accept', 'application/json');
    const limit = AbortSignal.timeout(LONGEST_WAIT_MS);
    signal = signal ? AbortSignal.any([signal, limit]) : limit;
  }
  let body: string | URLSearchParams | null = null;
  if (input.body !== undefined) {
    if (input.form) body = new URLSearchParams(input.body as Record<string, string>);
    else {
      body = JSON.stringify(input.body);
      headers.set('Content-Type', 'application/json');
    }
  }
  const silence = watchSilence();
  const response = await fetch(addressOf(endpoint, input.params, input.query), {
    method: endpoint.method,
    headers,
    body,
    signal,
  }).catch((error: unknown) => {
    if (input.signal?.aborted) throw error;
    throw new NoReplyError(silence(), endpoint);
  });
  noteReplyDate(response.headers.get('Date'));
  // A redirect may turn a request into the reading of another page, so it does not prove that anything was saved.
  if (response.redirected && endpoint.method !== 'GET') throw new NoReplyError('unreadable', endpoint, response.status);
  if (response.ok) return response;
  const error = errorOfReply(endpoint, response.status, await response.text().catch(() => ''));
  // Logs out only if the refused token is still the current one: another tab may have stored a newer token.
  if (response.status === 401 && endpoint.access !== 'public' && input.on401 !== 'throw')
    if (getSession().token === token) endSession('refused');
  throw error;
}

/** The text of a reply, which may break off: then no one knows what the server did. */
const textOf = (endpoint: Endpoint, response: Response, signal?: AbortSignal): Promise<string> =>
  response.text().catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new NoReplyError('silent', endpoint);
  });

/** Sends a request and returns the reply's JSON; undefined for an empty reply. Fails as `send` and `replyOf` do. */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ReplyOf<E>> {
  const response = await send(endpoint, input);
  return replyOf(endpoint, response.status, await textOf(endpoint, response, input.signal));
}
