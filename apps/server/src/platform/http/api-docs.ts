import swagger from '@fastify/swagger';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { renderApiDocs } from './api-docs.page.ts';
import type { App } from '../deps.ts';

/** `/api/openapi.json`, made from the contract's schemas, and the same to read at `/api/docs`: plain HTML, no script. */
export async function apiDocs(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Clinic Scheduler',
        version: '1',
        description: 'Every call of the scheduler. Errors are `{"detail": …}`.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: createJsonSchemaTransform({ skipList: [] }),
  });
  app.after(() => {
    const config = { access: 'public' as const };
    app.get('/api/openapi.json', { config, schema: { hide: true } }, () => app.swagger());
    app.get('/api/docs', { config, schema: { hide: true } }, (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(renderApiDocs(app.swagger())),
    );
    app.get('/api/docs/style.css', { config, schema: { hide: true } }, (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(STYLE),
    );
  });
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin: 2.5rem 0 .25rem; font: 600 1rem ui-monospace, monospace; }
h3 { margin: 1rem 0 .25rem; font-size: .85rem; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; font-size: .8rem; }
nav ul { columns: 2; padding-left: 1rem; font: .85rem ui-monospace, monospace; }
`;
