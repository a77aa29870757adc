import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  API,
  ERRORS,
  actionsEndpoints,
  authEndpoints,
  calendarEndpoints,
  causesEndpoints,
  profilesEndpoints,
  proposalsEndpoints,
  type Endpoint,
} from '@clinic/contract';
import { ApiError, NoReplyError, SaidError, call, errorOfReply, replyOf } from './client.ts';
import { failureWords, saidWords } from './failure-words.ts';

const { health: _, ...OF_PAGES } = API;
/** The calls of the pages, without those that return a file or a stream. */
const ENDPOINTS = Object.values(OF_PAGES)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter((endpoint) => endpoint.reply !== undefined || endpoint.otherReply === undefined)
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);
const PARAMS = { id: 'x', key: 'x' };
const LOGIN_PAGE = '<!doctype html><title>Log in</title><form></form>';

/** A fetch that gets this reply; the request that it was sent is in `sent`. */
function reply(respond: () => Response | Promise<Response>): void {
  vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve().then(respond));
}
const online = (onLine: boolean): void => void vi.stubGlobal('navigator', { onLine });
/** Makes a call that needs no login. */
const callFreely = (endpoint: Endpoint): Promise<unknown> =>
  call<Endpoint>({ ...endpoint, access: 'public' }, { params: PARAMS, query: undefined, body: undefined });
const failureOf = (endpoint: Endpoint): Promise<unknown> =>
  callFreely(endpoint).then(
    (value) => expect.unreachable(`was taken for a success: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe.each(ENDPOINTS)('%s', (_, endpoint) => {
  const isWrite = endpoint.method !== 'GET' && endpoint.writes !== false;

  test('given a reply with success that is not in the contract, it is no success, and never reads as JavaScript', async () => {
    for (const body of [LOGIN_PAGE, 'null', '{}', '{"status":"ok"}', '"ok"', '1', '{"data":{"2026-11', '', '[null]']) {
      reply(() => new Response(body));
      const error = await failureOf(endpoint);
      expect(error, body).toBeInstanceOf(NoReplyError);
      expect(failureWords(error, 'the list')).toBe(
        isWrite
          ? 'The server’s reply could not be read. It may have been saved. Check the list before trying again.'
          : 'Not saved. The server’s reply could not be read. Try again.',
      );
    }
  });

  test('given the page of a gateway, a captive portal or a broken connection, a write may have been saved', async () => {
    for (const respond of [
      () => new Response(LOGIN_PAGE, { status: 502 }),
      () => new Response(LOGIN_PAGE, { status: 511 }),
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => new Response(new ReadableStream({ start: (c) => c.error(new TypeError('network error')) })),
    ]) {
      reply(respond);
      const error = await failureOf(endpoint);
      expect(error).toMatchObject({ name: 'NoReplyError', maySave: isWrite });
      expect(failureWords(error, 'the list')).not.toMatch(/fetch|network error|TypeError|Unexpected token/);
    }
  });

  test('without a connection, nothing is saved, and the message says so', async () => {
    online(false);
    reply(() => Promise.reject(new TypeError('Failed to fetch')));
    const error = await failureOf(endpoint);
    expect(failureWords(error, 'the list')).toBe('Not saved: there is no connection. Try again when it is back.');
  });

  test('given an empty reply, only a call that returns nothing succeeded', async () => {
    reply(() => new Response(null, { status: 204 }));
    if (endpoint.reply === undefined) expect(await callFreely(endpoint)).toBeUndefined();
    else expect(await failureOf(endpoint)).toBeInstanceOf(NoReplyError);
  });
});

test('given a write that was redirected to another page, it may have been saved, even if the page is JSON', async () => {
  reply(() => Object.defineProperty(Response.json([{}]), 'redirected', { value: true }));
  const error = await failureOf(causesEndpoints.createCause);
  expect(error).toMatchObject({ why: 'unreadable', maySave: true });
});

test('given a connection that comes back while a request is under way, the request may have been sent', async () => {
  online(false);
  reply(() => {
    online(true);
    return Promise.reject(new TypeError('Failed to fetch'));
  });
  expect(await failureOf(causesEndpoints.createCause)).toMatchObject({ why: 'silent', maySave: true });
});

test.each<readonly [string, Endpoint, unknown]>([
  ['CAL-09', calendarEndpoints.slots, { appointments: [null, {}], availabilities: [] }],
  ['AUTH-02', authEndpoints.token, { access_token: 'a.b.c' }],
  ['SOL-09', proposalsEndpoints.refresh, { output: { possible_solutions: {} }, metadata: {}, message: '' }],
  ['PROF-09', profilesEndpoints.listTherapists, []],
  ['PROF-09', profilesEndpoints.listClients, [{ id: 7, first_name: 'Bo' }]],
  ['PROF-09', profilesEndpoints.createClient, { id: 'C-1', first_name: 'Bo' }],
])('[%s] a reply with only the fields of the specification is accepted', (_id, endpoint, body) => {
  expect(replyOf(endpoint, 200, JSON.stringify(body))).toEqual(body);
});

test('a profile is saved only if the profile comes back', () => {
  for (const body of ['null', '{}', '[]', '{"message":"ok"}'])
    expect(() => replyOf(profilesEndpoints.updateTherapist, 200, body)).toThrow(NoReplyError);
});

test('given a refusal by the server, then the message is the server’s own', () => {
  for (const { status, text } of [ERRORS.busy, ERRORS.internal, ERRORS.forbidden]) {
    const error = errorOfReply(actionsEndpoints.undo, status, JSON.stringify({ detail: text }));
    expect(error).toBeInstanceOf(ApiError);
    expect(failureWords(error, 'the list')).toBe(text);
  }
  expect(errorOfReply(actionsEndpoints.undo, 404, '').message).toBe('The server refused this without a reason (404).');
  expect(errorOfReply(actionsEndpoints.undo, 502, LOGIN_PAGE).message).toBe('The server cannot be reached (502).');
});

test('the message of an error that was not written for users is never shown', () => {
  const fault = new TypeError("Cannot read properties of null (reading 'map')");
  for (const words of [failureWords(fault, 'the list'), saidWords(fault)]) expect(words).not.toContain('Cannot read');
  expect(saidWords(new SaidError('Ana’s session was cancelled.'))).toBe('Ana’s session was cancelled.');
});

test('given a connection on which no reply ever comes, then after three minutes the request counts as having no reply', async () => {
  const limit = new AbortController();
  const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('timed out', 'TimeoutError')));
      }),
  );
  const reply = call(authEndpoints.token, { body: { username: 'a', password: 'b' }, form: true });
  expect(asked).toHaveBeenCalledWith(300_000);
  limit.abort();
  await expect(reply).rejects.toBeInstanceOf(NoReplyError);
});
