import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@clinic/contract';
import { endSession, getSession } from '../session/session-store.ts';
import { noteReplyDate } from '../server-clock.ts';
import { isAtWork, noteForegroundCall } from '../session/activity.ts';
import { fieldRefusals, refusalWords, type FieldRefusal } from './refusal-words.ts';

/** The server replied with a refusal. `detail` is what it said: text, an object with conflicts, or null. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly detail: unknown;
  /** What it says about single fields, for the form that has them; the message contains this too. */
  readonly fields: readonly FieldRefusal[];
  constructor(status: number, detail: unknown) {
    const text = detailText(detail);
    super(text === null ? `Server error: ${status}` : refusalWords(text));
    this.status = status;
    this.detail = detail;
    this.fields = text === null ? [] : fieldRefusals(text);
  }
}

/** What a refusal says about single fields; empty for any other failure. */
export const fieldsIn = (error: unknown): readonly FieldRefusal[] => (error instanceof ApiError ? error.fields : []);

/** No reply came: the network or the server is down. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';
  constructor() {
    super(navigator.onLine ? 'The server did not reply.' : 'There is no connection.');
  }
}

/** No one is signed in, so nothing was sent. */
export class NotSignedInError extends Error {
  override readonly name = 'NotSignedInError';
}

/** The text of a `detail`, which may be an object with a message (DATA-06); null when it has no text. */
export function detailText(detail: unknown): string | null {
  if (typeof detail === 'string' && detail !== '') return detail;
  if (typeof detail === 'object' && detail !== null && 'message' in detail && typeof detail.message === 'string')
    return detail.message;
  return null;
}

/** A successful reply with content other than the call promises: another program replied, or the reply was damaged. */
export const unreadableReply = (status: number): ApiError =>
  new ApiError(status, 'The server’s reply could not be read. Reload the page to see what was saved.');

type Part<K extends string, V> = [V] extends [undefined] ? { [P in K]?: undefined } : { [P in K]: V };
export type CallInput<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>> & {
    signal?: AbortSignal | undefined;
    headers?: Record<string, string> | undefined;
    /**
     * True: the page's own call, which does not count as a person's work. Left out: it counts if someone touched the
     * page lately (see session/activity), so a reload set off by an event does not.
     */
    background?: boolean | undefined;
    /** Form-encoded instead of JSON. */
    form?: boolean | undefined;
    /** On 401: sign out (the default), or let the caller decide. */
    on401?: 'log-out' | 'throw' | undefined;
  };

const BASE = '/api';

/** The address of a call; query values that are null or undefined are left out. */
export function addressOf(endpoint: Endpoint, params: unknown, query: unknown): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value != null);
  const search = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]));
  return BASE + path + (pairs.length > 0 ? `?${search}` : '');
}

/**
 * Sends one call of the contract and returns the raw response of a success. Throws ApiError when the server refuses,
 * NoReplyError when no reply comes, NotSignedInError when there is no token; aborting throws as fetch does.
 */
export async function send<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Response> {
  const { token } = getSession();
  const headers = new Headers(input.headers);
  if (endpoint.access !== 'public') {
    if (token === null) throw new NotSignedInError('Authentication required. Please log in.');
    headers.set('Authorization', `Bearer ${token}`);
    if (input.background ?? !isAtWork()) headers.set('X-Background', '1');
    else noteForegroundCall();
  }
  if (!headers.has('Accept')) headers.set('Accept', 'application/json');
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
    signal: input.signal ?? null,
  }).catch((error: unknown) => {
    if (input.signal?.aborted) throw error;
    throw new NoReplyError();
  });
  noteReplyDate(response.headers.get('Date'));
  if (response.ok) return response;
  const detail = detailOf(await response.text().catch(() => ''));
  // Only the refused token ends: another tab may have stored a newer one in the meantime.
  if (response.status === 401 && endpoint.access !== 'public' && input.on401 !== 'throw')
    if (getSession().token === token) endSession('refused');
  throw new ApiError(response.status, detail);
}

/** The `detail` in a refusal's body; null if there is none. */
export function detailOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { detail?: unknown } | null)?.detail ?? null;
  } catch {
    return null;
  }
}

/**
 * Like `send`, but returns the reply's JSON; undefined for an empty reply. A success that is not JSON throws ApiError.
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
