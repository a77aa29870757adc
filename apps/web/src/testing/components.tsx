import '@fontsource-variable/instrument-sans/wdth.css';
import '../styles/tokens.css';
import '../styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import type { Endpoint } from '@clinic/contract';
import type { ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { queryClient } from '../shared/api/query-client.ts';
import { endSession, keepToken } from '../shared/session/session-store.ts';
import { dismissToasts, Toasts } from '../shared/ui/toast.tsx';
import { UnsavedQuestion } from '../shared/unsaved/unsaved-question.tsx';

/** Renders a component with what the shell gives every page: the queries, a session, the messages, the question before edits are lost. */
export async function show(element: ReactNode) {
  const claims = { sub: 'someone', iat: Date.now() / 1000, exp: Date.now() / 1000 + 3600 };
  keepToken(`head.${btoa(JSON.stringify(claims))}.signature`, 3600);
  onTestFinished(() => {
    queryClient.clear();
    dismissToasts();
    endSession('signed-out');
  });
  return render(
    <QueryClientProvider client={queryClient}>
      {element}
      <UnsavedQuestion />
      <Toasts />
    </QueryClientProvider>,
  );
}

/** The writes that reached the server of `serve`, each with its body. */
export type Requests = { readonly path: string; readonly body: unknown }[];

/**
 * A reply for each endpoint: JSON, or as `Response` says, or `null` if the connection breaks, or a function that makes
 * one of these when the request comes.
 */
export type Replies = readonly (readonly [Endpoint, unknown])[];

/** Stands in for the network. A request for which there is no reply fails as a broken connection does. */
export const serve = (...replies: Replies): Requests => watch(...replies).requests;

/** Like `serve`; `asked` are the paths of all requests. */
export function watch(...replies: Replies): { requests: Requests; asked: string[] } {
  const requests: Requests = [];
  const asked: string[] = [];
  const real = globalThis.fetch;
  vi.stubGlobal('fetch', async (...input: Parameters<typeof fetch>) => {
    const request = new Request(...input);
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/api/')) return real(...input);
    const path = pathname.slice('/api'.length);
    const text = await request.text();
    asked.push(path);
    const isJson = request.headers.get('content-type')?.includes('json') === true;
    if (request.method !== 'GET') requests.push({ path, body: isJson ? JSON.parse(text) : text });
    const given = replies.find(
      ([{ method, path: pattern }]) => method === request.method && matches(pattern, path),
    )?.[1];
    const reply = isMaker(given) ? await given(new URL(request.url)) : given;
    if (reply === undefined || reply === null) throw new TypeError('Failed to fetch');
    return reply instanceof Response ? reply.clone() : Response.json(reply);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return { requests, asked };
}

const isMaker = (given: unknown): given is (url: URL) => unknown => typeof given === 'function';

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path);
