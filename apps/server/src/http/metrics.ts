import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { authenticate } from '../access/access.ts';
import { bearsToken } from '../access/bears-token.ts';
import { isFromThisMachine } from '../access/reach.ts';
import type { App, Deps } from '../access/deps.ts';
import { isoAt } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import { waiting } from '../platform/sending/outbox.queries.ts';
import { VERSION } from '../platform/version.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What `GET /metrics` returns. Every part of the server adds its own. */
    metrics: Registry;
  }
}

/**
 * What Node.js measures, of the whole process. Its timers and observers never end, so each application of a process
 * shares these.
 */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

/**
 * `GET /metrics`, in Prometheus's format: only for this machine, with `METRICS_TOKEN`, or with an administrator's token.
 * Labels are methods, route patterns, statuses and words of our own, never the contents of requests.
 */
export function metricsRoutes(app: App, deps: Deps): void {
  const registry = app.metrics;
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its reply',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.4, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // A counter of its own, since Prometheus misses the first of a series that begins with it.
  const faults = new Counter({
    name: 'scheduler_faults_total',
    help: 'Requests that failed by a fault of the server (status 500)',
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 500) faults.inc();
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  serverGauges(registry, deps);
  const readStored = storedGauges(registry, deps);
  app.route({
    method: 'GET',
    url: '/metrics',
    config: { access: 'public' },
    async handler(request, reply) {
      if (!isFromThisMachine(request) && !bearsToken(request, deps.config.metricsToken)) {
        const caller = await authenticate(request, deps);
        if (!caller) throw new Refusal('not-signed-in');
        if (caller.role !== 'admin') throw new Refusal('forbidden');
      }
      await readStored();
      return reply
        .type(registry.contentType)
        .header('cache-control', 'no-store')
        .send(await Registry.merge([ofProcess, registry]).metrics());
    },
  });
}

/** Adds a value that is read whenever the metrics are. */
export const addGauge = (registry: Registry, name: string, help: string, read: () => number): void =>
  void new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });

const STATES = ['ok', 'lost', 'read-only', 'full'] as const;

/** What the process knows by itself. */
function serverGauges(registry: Registry, { link, room, pool, writes, servers }: Deps): void {
  new Gauge({
    name: 'scheduler_info',
    help: 'Always 1; the label is the running version',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  new Gauge({
    name: 'scheduler_database_state',
    help: '1 for the state of the database, 0 for the others',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const reached = link.state();
      const now = reached === 'ok' ? (room.none() ?? 'ok') : reached;
      for (const state of STATES) this.set({ state }, state === now ? 1 : 0);
    },
  });
  new Gauge({
    name: 'scheduler_database_connections',
    help: 'Connections of the pools: open, of these unused, and requests that wait for one',
    labelNames: ['pool', 'what'],
    registers: [registry],
    collect() {
      for (const [name, each] of Object.entries({ reads: pool, writes })) {
        this.set({ pool: name, what: 'open' }, each.totalCount);
        this.set({ pool: name, what: 'unused' }, each.idleCount);
        this.set({ pool: name, what: 'waiting' }, each.waitingCount);
      }
    },
  });
  addGauge(
    registry,
    'scheduler_settings_unequal',
    'Settings in which the servers on this database differ',
    () => servers.unequal().length,
  );
}

/** How long the metrics wait for the database: without its values, the others are still worth having. */
const PATIENCE_MS = 2000;

/** What only the database knows. Returns how to read it; a value that could not be read is left out. */
function storedGauges(registry: Registry, { db, link, accessClock }: Deps): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const gauges = [
    ['waiting', gauge('scheduler_outbox_waiting', 'Messages that are neither sent, failed nor dropped')],
    ['oldest', gauge('scheduler_outbox_oldest_seconds', 'How long the oldest of these messages has waited')],
    ['backup', gauge('scheduler_backup_timestamp_seconds', 'When the last backup was made; 0 if none was')],
    ['import', gauge('scheduler_import_timestamp_seconds', 'When data was last imported; 0 if it never was')],
  ] as const;
  return async () => {
    const ending = new AbortController();
    const late = delay(PATIENCE_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    const asked = link.state() === 'lost' ? undefined : select(db, isoAt(accessClock.now())).catch(() => undefined);
    const found = await Promise.race([asked, late]);
    ending.abort();
    for (const [name, each] of gauges) {
      if (found) each.set(found[name]);
      else each.remove();
    }
  };
}

async function select(db: Deps['db'], now: string) {
  const last = (action: string) => sql`coalesce((select extract(epoch from at) from audit
    where action = ${sql.lit(action)} order by at desc limit 1), 0)::float8`;
  const { rows } = await sql<Record<'waiting' | 'oldest' | 'backup' | 'import', number>>`
    select count(*)::float8 as waiting,
      greatest(0, coalesce(extract(epoch from ${now}::timestamptz - min(released_at)), 0))::float8 as oldest,
      ${last('backup.made')} as backup, ${last('import.applied')} as import
    from message where ${waiting()} and next_try_at < 'infinity'`.execute(db);
  return rows[0];
}
