import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Routes } from '../access/deps.ts';
import { propose } from '../testing/calls.ts';
import { openSmallClinic } from '../testing/small-app.ts';
import { DATE } from '../testing/small-clinic.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.optional(z.string()),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.string()) })),
  status: z.object({ code: z.optional(z.number()) }),
});
const bodySchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
});
type Span = z.infer<typeof spanSchema>;

/** An OpenTelemetry collector that keeps what it gets. */
let collector: Server;
let endpoint: string;
let received: { path: string; text: string }[] = [];
let small: Awaited<ReturnType<typeof openSmallClinic>>;
beforeAll(async () => {
  collector = createServer((request, reply) => {
    let text = '';
    request.on('data', (part) => (text += String(part)));
    request.on('end', () => {
      received.push({ path: request.url ?? '', text });
      reply.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  small = await openSmallClinic(undefined);
});
afterAll(async () => {
  await small.app.close();
  collector.close();
});

/** Runs requests on an application that sends traces, and returns the spans that it sent until its end. */
async function traced(
  work: (t: TestApp) => Promise<void>,
  to = endpoint,
  extraRoutes: readonly Routes[] = [],
): Promise<Span[]> {
  received = [];
  const t = await buildTestApp({ database: small.app.database, config: { traceEndpoint: to }, extraRoutes });
  try {
    await work(t);
  } finally {
    await t.close();
  }
  return received.flatMap(({ text }) =>
    bodySchema
      .parse(JSON.parse(text))
      .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

test('given a collector, then a request, its statements and its solve are one trace, without a name or a value', async () => {
  const spans = await traced(async (t) => {
    const who = await t.signIn();
    const url = `/api/slots?date=${DATE}&location=altamonte`;
    const reply = await who.call({ url, headers: { traceparent: `00-${TRACE}-${PARENT}-01` } });
    expect(reply.statusCode, reply.body).toBe(200);
    await propose(who, { therapist: 'Ana Ruiz' });
  });
  expect(received[0]?.path).toBe('/v1/traces');
  const slots = spans.find(({ name }) => name === 'GET /api/slots');
  expect(slots).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2, status: {} });
  expect(slots?.attributes).toEqual([
    { key: 'http.request.method', value: { stringValue: 'GET' } },
    { key: 'http.route', value: { stringValue: '/api/slots' } },
    { key: 'http.response.status_code', value: { intValue: '200' } },
  ]);
  expect(BigInt(slots?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(slots?.startTimeUnixNano ?? 0));
  const within = spans.filter(({ parentSpanId }) => parentSpanId === slots?.spanId);
  expect(within.length).toBeGreaterThan(1);
  expect(within.every(({ traceId, kind }) => traceId === TRACE && kind === 3)).toBe(true);
  expect(within.map(({ name }) => name)).toContain('select appointment');
  // The solve belongs to the request whose body asked for it.
  const solve = spans.find(({ name }) => name === 'solve options');
  const asking = spans.find(({ spanId }) => spanId === solve?.parentSpanId);
  expect(asking?.name).toMatch(/^POST \/api\//);
  const text = received.map((each) => each.text).join('\n');
  for (const secret of [
    'Bo Lee',
    'Lee',
    'Ana',
    'Ruiz',
    DATE,
    'altamonte',
    'clinic.example',
    small.who.accountId,
    '127.0.0.1',
  ])
    expect(text, secret).not.toContain(secret);
});

test('given a statement with a value written into it, then its span has the first word and the first table', async () => {
  const planted: Routes = (app, { db }) => {
    app.get('/api/planted', { config: { access: 'public' } }, async () => {
      await sql`select 'from anna; drop table' as x, id from client where display_name = 'Zora''s from secret'`.execute(
        db,
      );
      return {};
    });
  };
  const spans = await traced(async (t) => void (await t.app.inject({ url: '/api/planted' })), endpoint, [planted]);
  expect(spans.map(({ name }) => name)).toContain('select client');
  expect(received.map(({ text }) => text).join('')).not.toMatch(/anna|Zora|secret/i);
});

test.each(['', 'x', `00-${'0'.repeat(32)}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01; name=Anna`, `ff-${TRACE}`])(
  'given the header traceparent “%s”, then the request begins a trace of its own',
  async (traceparent) => {
    const [span] = await traced(async (t) => void (await t.app.inject({ url: '/healthz', headers: { traceparent } })));
    expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect([span?.traceId === TRACE, span?.parentSpanId]).toEqual([false, undefined]);
  },
);

test('given a collector that is away, then requests work and the server ends', async () => {
  const spans = await traced(async (t) => {
    expect((await t.app.inject({ url: '/healthz' })).statusCode).toBe(200);
  }, 'http://127.0.0.1:1');
  expect(spans).toEqual([]);
});

test('given no collector, then nothing is sent', async () => {
  received = [];
  const t = await buildTestApp({ database: small.app.database });
  await t.app.inject({ url: '/healthz' });
  await t.close();
  expect(received).toEqual([]);
});
