import { healthEndpoints, healthSchema } from '@clinic/contract';
import { isMigrated, readMigrations, type Migration } from '../../db/migrate.ts';
import type { App, Deps } from '../../access/deps.ts';
import { VERSION } from '../../platform/version.ts';

/**
 * `/healthz` replies as long as the process runs. `/readyz` also checks that the server can serve requests: the
 * database responds, accepts writes and is up to date, and no shutdown has begun.
 */
export function healthRoutes(app: App, deps: Deps): void {
  const migrations = readMigrations();
  app.addHook('preClose', (done) => {
    app.drain.begun = true;
    done();
  });
  const unsubscribe = deps.link.onState((state) => {
    if (state === 'ok') app.log.info('the database is back');
    else app.log.warn({ state }, REASONS[state]);
  });
  app.addHook('onClose', (_app, done) => {
    unsubscribe();
    done();
  });
  app.route({
    method: 'GET',
    url: healthEndpoints.healthz.path,
    config: { access: 'public', rateLimit: false, endpoint: healthEndpoints.healthz },
    schema: { response: { 200: healthSchema } },
    async handler(_request, reply) {
      return reply.header('cache-control', 'no-store').send({ status: 'ok' as const, version: VERSION });
    },
  });
  app.route({
    method: 'GET',
    url: healthEndpoints.readyz.path,
    config: { access: 'public', rateLimit: false, endpoint: healthEndpoints.readyz },
    schema: { response: { 200: healthSchema, 503: healthSchema } },
    async handler(_request, reply) {
      reply.header('cache-control', 'no-store');
      const reason = app.drain.begun ? REASONS.stopping : await whyNot(deps, migrations);
      if (reason === undefined) return reply.send({ status: 'ok' as const, ...warningOf(deps.servers.unequal()) });
      return reply.code(503).send({ status: 'unavailable' as const, reason });
    },
  });
}

const REASONS = {
  stopping: 'The server is shutting down.',
  lost: 'The database does not reply.',
  'read-only': 'The database does not accept writes: it is a standby or was set to read-only.',
  full: 'The database’s disk is full: reading works, changes are refused.',
  behind: 'The database has not been brought up to date by this version.',
} as const;

/** Names the settings in which the servers differ; never a value. */
function warningOf(settings: readonly string[]): { warning?: string } {
  if (settings.length === 0) return {};
  return { warning: `The servers on this database have different settings: ${settings.join(', ')}.` };
}

/** Says why the server cannot serve requests right now; undefined when it can. */
async function whyNot({ link, pool, room }: Deps, migrations: readonly Migration[]): Promise<string | undefined> {
  const state = link.state();
  if (state !== 'ok') return REASONS[state];
  const none = room.none();
  if (none) return REASONS[none];
  const migrated = await isMigrated(pool, migrations).catch(() => undefined);
  if (migrated === undefined) return REASONS.lost;
  return migrated ? undefined : REASONS.behind;
}
