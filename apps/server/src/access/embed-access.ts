import type { App } from './deps.ts';

/** The API calls that the embedded dialog makes. */
const PATHS = new Set(['/api/timeslots']);

/**
 * Lets pages on the configured sites make the embedded dialog's API calls, and no others, by adding CORS headers. Must
 * be called before the access guard, because without these headers a page cannot read a refusal.
 */
export function embedAccess(app: App, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    if (!PATHS.has(request.url.split('?', 1)[0] ?? '')) return;
    reply.header('vary', 'Origin');
    if (!origin || !origins.includes(origin)) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', 'retry-after')
      .header('cross-origin-resource-policy', 'cross-origin');
    if (request.method === 'OPTIONS') {
      reply
        .header('access-control-allow-methods', 'GET')
        .header('access-control-allow-headers', 'authorization')
        .header('access-control-max-age', '600');
      return reply.code(204).send();
    }
  });
}
