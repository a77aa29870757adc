import { TEXTS, type BodyOf, type Endpoint, type ParamsOf, type QueryOf, type ReplyOf } from '@clinic/contract';
import { endSession, getSession } from '../session/session-store.ts';
import { noteReplyDate } from '../server-clock.ts';
import { isAtWork, noteForegroundCall } from '../session/activity.ts';
import { fieldRefusals, refusalWords, type FieldRefusal } from './refusal-words.ts';

/** Thrown when the server refuses a request. `detail` says why: a string, an object with conflicts, or null. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly detail: unknown;
  /** Messages about single fields, which a form shows beside those fields. The error message includes them too. */
  readonly fields: readonly FieldRefusal[];
  constructor(status: number, detail: unknown) {
    const text = detailText(detail);
    super(text === null ? `Server error: ${status}` : refusalWords(text));
    this.status = status;
    this.detail = detail;
    this.fields = text === null ? [] : fieldRefusals(text);
  }
}

/** An error's messages about single fields; empty unless the error is a refusal. */
export const fieldsIn = (error: unknown): readonly FieldRefusal[] => (error instanceof ApiError ? error.fields : []);

/**
 * Thrown when no reply from the server arrives, because the network or the server is down. The server may have carried
 * out the request. `status` is the status of a gateway that replied in the server's place; null if none did.
 */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';
  readonly status: number | null;
  constructor(status: number | null = null) {
    const silent = navigator.onLine ? 'The server did not reply.' : 'There is no connection.';
    super(status === null ? silent : `Server error: ${status}.`);
    this.status = status;
  }
}

/** Thrown, instead of sending a request, when no one is logged in. */
export class NotSignedInError extends Error {
  override readonly name = 'NotSignedInError';
}

/** The message in a refusal's `detail`, which may be a string or an object (DATA-06); null when there is none. */
export function detailText(detail: unknown): string | null {
  if (typeof detail === 'string' && detail !== '') return detail;
  if (typeof detail === 'object' && detail !== null && 'message' in detail && typeof detail.message === 'string')
    return detail.message;
  return null;
}

/** The error for a reply that cannot be read: another program sent it, or it was damaged. */
export const unreadableReply = (status: number): ApiError =>
  new ApiError(status, 'The server’s reply could not be read. Reload the page to see what was saved.');

/**
 * The error for a reply whose status is not a success. Our server gives a `detail` with every refusal, so a 5xx without
 * a `detail` comes from a gateway. The server may then have carried out the request.
 */
export function errorOfReply(status: number, body: string): ApiError | NoReplyError {
  const detail = detailOf(body);
  return status >= 500 && detail === null ? new NoReplyError(status) : new ApiError(status, detail);
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
const LONGEST_WAIT_MS = 180_000;

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
  const response = await fetch(addressOf(endpoint, input.params, input.query), {
    method: endpoint.method,
    headers,
    body,
    signal,
  }).catch((error: unknown) => {
    if (input.signal?.aborted) throw error;
    throw new NoReplyError();
  });
  noteReplyDate(response.headers.get('Date'));
  if (response.ok) return response;
  const error = errorOfReply(response.status, await response.text().catch(() => ''));
  // Logs out only if the refused token is still the current one: another tab may have stored a newer token.
  if (response.status === 401 && endpoint.access !== 'public' && input.on401 !== 'throw')
    if (getSession().token === token) endSession('refused');
  throw error;
}

/** The `detail` of a refusal; null when the body has none. */
function detailOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { detail?: unknown } | null)?.detail ?? null;
  } catch {
    return null;
  }
}

/**
 * Sends a request and returns the reply's JSON; undefined for an empty reply. A success without JSON throws ApiError.
 */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ReplyOf<E>> {
  const response = await send(endpoint, input);
  if (response.status === 204) return undefined as ReplyOf<E>;
  const text = await response.text().catch((error: unknown) => {
    if (input.signal?.aborted) throw error;
    throw new NoReplyError();
  });
  try {
    return JSON.parse(text) as ReplyOf<E>;
  } catch {
    throw unreadableReply(response.status);
  }
}
