import type { Endpoint } from '@clinic/contract';
import { renderApiDocs } from './api-docs.page.ts';
import { openApiOf, type DocumentedRoute, type OpenApi } from './openapi.ts';
import type { App } from '../access/deps.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint in the contract that this route serves; its documentation comes from there. */
    endpoint?: Endpoint;
  }
}

/**
 * Serves the API's description, made from the contract: as JSON at `/api/openapi.json`, and as a plain HTML page at
 * `/api/docs`. Must be called before any route is registered.
 */
export function apiDocs(app: App): void {
  const routes: DocumentedRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.endpoint && config.endpoint.method === method) routes.push({ url, endpoint: config.endpoint });
  });
  let made: OpenApi | undefined;
  const document = (): OpenApi => (made ??= openApiOf(routes));
  const config = { access: 'public' as const };
  app.get('/api/openapi.json', { config }, () => document());
  app.get('/api/docs', { config }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(renderApiDocs(document())),
  );
  app.get('/api/docs/style.css', { config }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(STYLE),
  );
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2.5rem 0 .25rem; font: 600 1rem ui-monospace, monospace; }
h3 { margin: 1rem 0 .25rem; font-size: .85rem; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; font-size: .8rem; }
nav ul { columns: 2; padding-left: 1rem; font: .85rem ui-monospace, monospace; }
`;
