import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS } from '@clinic/contract';
import type { App } from '../access/deps.ts';

/** The folders of the built pages. `embed` contains two folders: `embed` (the timeslot dialog) and `legacy`. */
export interface PageFolders {
  readonly web: string;
  readonly embed: string;
}

const REPOSITORY = join(import.meta.dirname, '../../../..');
export const BUILT_PAGES: PageFolders = {
  web: join(REPOSITORY, 'apps/web/dist'),
  embed: join(REPOSITORY, 'apps/embed/dist'),
};

/**
 * Serves the pages. Files below `/assets` have a hash in their name and may be cached for a year; browsers must
 * revalidate all others. Browsers that accept compression get the copies that the build compressed. Any other URL, even
 * `/login.html`, returns the single-page application; only `/help`, the guide, is a page of its own. Unknown URLs of the
 * API or of files get a 404 in JSON.
 */
export async function pageRoutes(
  app: App,
  folders: PageFolders,
  embedOrigins: readonly string[],
  methodsOf: (path: string) => string[],
): Promise<void> {
  const serve = async (root: string, prefix: string, decorateReply: boolean) => {
    if (!existsSync(root)) return;
    await app.register(async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, access: 'public', rateLimit: false };
      });
      await scope.register(fastifyStatic, {
        root,
        prefix,
        decorateReply,
        wildcard: false,
        index: false,
        preCompressed: true,
        cacheControl: false,
        schemaHide: true,
        globIgnore: ['**/*.br', '**/*.gz', ...(prefix === '/' ? ['**/index.html'] : [])],
        setHeaders(reply, path) {
          reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
          // Pages on another site may run the embedded script only if `EMBED_ORIGINS` lists that site.
          if (prefix === '/embed/' && embedOrigins.length > 0)
            reply.header('cross-origin-resource-policy', 'cross-origin');
        },
      });
      if (existsSync(join(root, 'help.html'))) scope.get('/help', (_request, reply) => reply.sendFile('help.html'));
    });
  };
  await serve(folders.web, '/', true);
  await serve(join(folders.embed, 'embed'), '/embed/', false);
  await serve(join(folders.embed, 'legacy'), '/legacy/', false);
  const index = join(folders.web, 'index.html');
  const shell = existsSync(index) ? readFileSync(index) : undefined;
  const limit = app.rateLimit();
  // Pages have no rate limit, because many people at a clinic open them from one IP address.
  const preHandler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isCall(request)) await limit.call(app, request, reply);
  };
  app.setNotFoundHandler({ preHandler }, (request, reply) => {
    const path = pathOf(request);
    const isPage = !['GET', 'HEAD'].includes(request.method) && !isCallPath(path);
    const methods = isPage ? ['GET', 'HEAD'] : methodsOf(path);
    return methods.length > 0 ? refuseMethod(reply, methods) : answerNotFound(request, reply, shell);
  });
}

/** Whether a request is for the API or a file, rather than for a page of the application. */
function isCall(request: FastifyRequest): boolean {
  return !['GET', 'HEAD'].includes(request.method) || isCallPath(pathOf(request));
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

const isCallPath = (path: string): boolean =>
  /^\/(api|feeds|fhir|scim|embed|assets|legacy)(\/|$)/.test(path) || /\.(?!html$)\w+$/.test(path);

function refuseMethod(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  const { status, text } = ERRORS['method-not-allowed'];
  return reply
    .code(status)
    .header('allow', methods.join(', '))
    .header('cache-control', 'no-store')
    .send({ detail: text });
}

function answerNotFound(request: FastifyRequest, reply: FastifyReply, shell: Buffer | undefined): FastifyReply {
  if (isCall(request)) {
    return reply.code(404).header('cache-control', 'no-store').send({ detail: ERRORS['not-found'].text });
  }
  if (!shell) {
    return reply
      .code(503)
      .type('text/plain; charset=utf-8')
      .send('The pages are not built yet: `npm start` builds them.\n');
  }
  return reply.code(200).type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(shell);
}
