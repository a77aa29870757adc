import * as z from 'zod/mini';
import { isMigrated, readMigrations } from '../../db/migrate.ts';
import type { App, Deps } from '../../platform/deps.ts';

const healthSchema = z.object({ status: z.enum(['ok', 'unavailable']) });

/** `/healthz`: the process answers. `/readyz`: it can work: the database answers, is up to date, and no stop has begun. */
export function healthRoutes(app: App, deps: Deps): void {
  const migrations = readMigrations();
  let stopping = false;
  app.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  app.route({
    method: 'GET',
    url: '/healthz',
    config: { access: 'public', rateLimit: false },
    schema: { summary: 'The server answers', response: { 200: healthSchema } },
    async handler(_request, reply) {
      return reply.header('cache-control', 'no-store').send({ status: 'ok' as const });
    },
  });
  app.route({
    method: 'GET',
    url: '/readyz',
    config: { access: 'public', rateLimit: false },
    schema: {
      summary: 'The server can work: its database answers and is up to date',
      response: { 200: healthSchema, 503: healthSchema },
    },
    async handler(_request, reply) {
      const ready = !stopping && (await isMigrated(deps.pool, migrations).catch(() => false));
      reply.header('cache-control', 'no-store');
      return ready ? reply.send({ status: 'ok' as const }) : reply.code(503).send({ status: 'unavailable' as const });
    },
  });
}
