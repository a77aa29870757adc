import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { authenticate } from '../access/access.ts';
import { isFromThisMachine } from '../access/reach.ts';
import type { App, Deps } from '../access/deps.ts';
import { Refusal } from '../platform/refusal.ts';

/**
 * `GET /metrics`, in Prometheus's format: only for this machine, or with an administrator's token. Labels are methods,
 * route patterns and statuses, never the contents of requests.
 */
export function metricsRoutes(app: App, deps: Deps): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its reply',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.4, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
  app.route({
    method: 'GET',
    url: '/metrics',
    config: { access: 'public' },
    async handler(request, reply) {
      if (!isFromThisMachine(request)) {
        const caller = await authenticate(request, deps);
        if (!caller) throw new Refusal('not-signed-in');
        if (caller.role !== 'admin') throw new Refusal('forbidden');
      }
      return reply
        .type(registry.contentType)
        .header('cache-control', 'no-store')
        .send(await registry.metrics());
    },
  });
}
