import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import type { App } from '../access/deps.ts';
import { watchWork, type Work } from '../db/watched-work.ts';
import { describeError } from './logger.ts';
import { VERSION } from '../platform/version.ts';

const SEND_EVERY_MS = 5000;
const SEND_PATIENCE_MS = 10_000;
/** How many spans wait at most while the receiver is away; what comes then is dropped. */
const MOST_WAITING = 5000;
const MOST_AT_ONCE = 500;
/** Kinds of spans, as OTLP numbers them. */
const KINDS = { internal: 1, server: 2, client: 3 } as const;
const FAILED = 2;

/** The request or work within which others begin. */
interface Place {
  readonly tracer: symbol;
  readonly traceId: string;
  readonly spanId: string;
}

type Attributes = Readonly<Record<string, string | number>>;

declare module 'fastify' {
  interface FastifyRequest {
    place?: Place & { readonly parent: string; readonly began: bigint };
  }
}

const current = new AsyncLocalStorage<Place>();
const newId = (bytes: number): string => randomBytes(bytes).toString('hex');
const nowNs = (): bigint => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6));

/** W3C trace context: what a proxy in front says that the request belongs to. */
const PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/**
 * Sends spans of requests, their statements and solves to an OpenTelemetry collector (OTLP over HTTP, JSON). They say
 * methods, route patterns, statuses, kinds of statements and tables: never a value, an address or an account. A collector
 * that is away costs the spans and nothing else.
 */
export function traceRequests(app: App, endpoint: string): void {
  const tracer = Symbol('tracer');
  const sender = makeSender(`${endpoint.replace(/\/$/, '')}/v1/traces`, (error) =>
    app.log.warn({ err: describeError(error) }, 'traces could not be sent'),
  );
  app.addHook('onRequest', (request, _reply, done) => {
    const [, traceId = newId(16), parent = ''] = PARENT.exec(String(request.headers['traceparent'] ?? '')) ?? [];
    const place = { tracer, traceId, spanId: newId(8), parent, began: nowNs() };
    request.place = place;
    current.run(place, done);
  });
  // After a body was read, Node.js goes on outside of what `onRequest` began.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.place) current.run(request.place, done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { place, method } = request;
    const route = request.routeOptions.url ?? 'none';
    const attributes = {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
    };
    if (place) {
      const failed = reply.statusCode >= 500;
      sender.add(spanOf({ ...place, name: `${method} ${route}`, kind: KINDS.server, attributes, failed }));
    }
    done();
  });
  const unwatch = watchWork((work) => {
    const inside = current.getStore();
    if (inside?.tracer !== tracer) return;
    const began = nowNs();
    const end = (failed: boolean): void => {
      const { traceId, spanId: parent } = inside;
      sender.add(spanOf({ ...describeWork(work), traceId, spanId: newId(8), parent, began, failed }));
    };
    work.result.then(
      () => end(false),
      () => end(true),
    );
  });
  app.addHook('onClose', async () => {
    unwatch();
    await sender.close();
  });
}

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string;
  readonly began: bigint;
  readonly failed: boolean;
  readonly attributes: Attributes;
}

const attributesOf = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** A span that ends now, as OTLP writes it. */
function spanOf({ name, kind, traceId, spanId, parent, began, failed, attributes }: Span): object {
  return {
    traceId,
    spanId,
    ...(parent && { parentSpanId: parent }),
    name,
    kind,
    startTimeUnixNano: String(began),
    endTimeUnixNano: String(nowNs()),
    attributes: attributesOf(attributes),
    status: failed ? { code: FAILED } : {},
  };
}

/** The name of a statement: its first word and its first table. Nothing that was written into it as a value. */
function describeWork({ kind, text }: Work): Pick<Span, 'name' | 'kind' | 'attributes'> {
  if (kind === 'solve') return { name: `solve ${text}`, kind: KINDS.internal, attributes: {} };
  const bare = text.replace(/'(?:[^']|'')*'/g, "''").toLowerCase();
  const operation = /^\s*([a-z]+)/.exec(bare)?.[1] ?? 'statement';
  const table = /\b(?:from|into|update|join)\s+"?([a-z_]+)"?/.exec(bare)?.[1];
  return {
    name: table === undefined ? operation : `${operation} ${table}`,
    kind: KINDS.client,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table !== undefined && { 'db.collection.name': table }),
    },
  };
}

/** Keeps spans, and sends them together every few seconds. */
function makeSender(url: string, onTrouble: (error: unknown) => void) {
  let waiting: object[] = [];
  let isAway = false;
  let sending: Promise<void> | undefined;
  const resource = {
    attributes: attributesOf({
      'service.name': 'clinic-scheduler',
      'service.version': VERSION,
      'service.instance.id': randomUUID(),
    }),
  };
  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, MOST_AT_ONCE);
      waiting = waiting.slice(MOST_AT_ONCE);
      const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'clinic-scheduler' }, spans }] }] };
      try {
        const reply = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(SEND_PATIENCE_MS),
          redirect: 'error',
        });
        await reply.arrayBuffer();
        if (!reply.ok) throw new Error(`the collector replied ${reply.status}`);
        isAway = false;
      } catch (error) {
        // Said once, until it works again.
        if (!isAway) onTrouble(error);
        isAway = true;
        return;
      }
    }
  };
  const flush = (): Promise<void> => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const timer = setInterval(() => void flush(), SEND_EVERY_MS).unref();
  return {
    add(span: object): void {
      if (waiting.length < MOST_WAITING) waiting.push(span);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
      if (!isAway) await flush();
    },
  };
}
