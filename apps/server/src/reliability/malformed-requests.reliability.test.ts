import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomFrom, type Random } from '@clinic/testkit';
import { buildAbsence, buildAppointment, buildClient, buildTherapist } from '../testing/builders.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { doseOf, keepFigures, LASTING, seedOfRun, timeLimit } from './testing/doses.ts';
import { makeValue, replyFault, withoutReferences, type JsonSchema } from './testing/json-schema.ts';

const COUNT = doseOf('malformed-requests');
const DAY = '2026-11-23';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema?: JsonSchema;
}
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

let t: TestApp;
let admin: SignedIn;
let own: SignedIn;
let operations: Operation[];
let ids: string[];
beforeAll(async () => {
  t = await buildTestApp({
    config: { ...LASTING, logLevel: 'error', rateLimit: 1_000_000, clock: '2026-11-20T12:20:00Z' },
  });
  admin = await t.signIn({ role: 'admin' });
  const { db } = t.deps;
  const therapist = await buildTherapist(db, { first: 'Ana', last: 'Ruiz' });
  const client = await buildClient(db, { first: 'Bo', last: 'Lee' });
  own = await t.signIn({ role: 'therapist', therapistId: therapist, locations: ['altamonte'] });
  const report = { from_date: DAY, from_time: '08:00', to_date: DAY, to_time: '12:00', cause: 'sick' };
  await own.call({ method: 'POST', url: '/api/me/absences', payload: report });
  const reported = await db.selectFrom('absence_report').select('id').executeTakeFirstOrThrow();
  ids = [
    therapist,
    client,
    await buildAppointment(db, { therapist, client, date: DAY, start: '09:00', end: '10:00' }),
    await buildAbsence(db, { client, date: DAY }),
    reported.id,
    'sick',
    '00000000-0000-4000-8000-000000000000',
    'nobody',
  ];
  const reply = await t.app.inject({ url: '/api/openapi.json' });
  const { paths } = withoutReferences(
    reply.json<{ paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>> }>(),
  );
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, path, method: method.toUpperCase() })),
  );
}, 300_000);
afterAll(() => t.close());

/** The page for therapists is closed to all other accounts. */
const callerOf = (path: string): SignedIn => (path.startsWith('/api/me') ? own : admin);

const FORM = 'application/x-www-form-urlencoded';

/**
 * These paths are requested seldom, because most of them check or hash passwords, which is slow by design. Two are
 * never requested: `/api/sign-out` would end the session, and the reply of `/api/events` has no end.
 */
const SELDOM = new Set([
  '/api/token',
  '/api/sign-out',
  '/api/events',
  '/api/accounts',
  '/api/accounts/{id}',
  '/api/password',
  '/api/sessions/end-others',
]);

function request(random: Random, { method, path, parameters = [], requestBody }: Operation): InjectOptions {
  // Half of the requests have few wrong parts, the other half many.
  const wrong = random.pick([0.02, 0.05, 0.2, 0.5]);
  const text = (schema?: JsonSchema): string => {
    const value = makeValue(random, schema, wrong);
    return typeof value === 'string' ? value.replaceAll('\ud800', '') : (JSON.stringify(value) ?? '');
  };
  const url = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(random.chance(wrong) ? text() : random.pick(ids)));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && !random.chance(wrong))
    .map(({ name, schema }) => `${name}=${random.chance(wrong) ? '%' : ''}${encodeURIComponent(text(schema))}`);
  const content = Object.entries(requestBody?.content ?? {})[0];
  const headers: Record<string, string> = { authorization: `Bearer ${callerOf(path).token}`, 'x-background': '1' };
  const options: InjectOptions = {
    method: method,
    url: query.length > 0 ? `${url}?${query.join('&')}` : url,
    headers,
  };
  if (!content) return options;
  headers['content-type'] = random.chance(wrong / 4)
    ? random.pick(['text/plain', '', 'application/xml'])
    : content[0] === FORM
      ? FORM
      : 'application/json';
  if (random.chance(0.05)) headers['idempotency-key'] = text();
  const value = makeValue(random, content[1].schema, wrong);
  const body =
    headers['content-type'] === FORM
      ? new URLSearchParams(
          Object.entries(value ?? {}).map(([name, each]): [string, string] => [name, String(each)]),
        ).toString()
      : (JSON.stringify(value) ?? '');
  const cut = random.chance(wrong / 4) ? body.slice(0, random.int(0, body.length)) : body;
  return { ...options, payload: random.chance(0.02) ? `{"__proto__": ${cut || 1}}` : cut };
}

test(
  'given any request, no reply is a server error or differs from the OpenAPI document',
  async () => {
    const began = performance.now();
    const faults: string[] = [];
    const statuses = new Map<number, number>();
    let fine = 0;
    const often = operations.filter(({ path }) => !SELDOM.has(path));
    const seldom = operations.filter(
      ({ path }) => SELDOM.has(path) && !['/api/sign-out', '/api/events'].includes(path),
    );
    expect(often.length).toBeGreaterThan(20);
    for (let n = 0; n < COUNT; n++) {
      const random = randomFrom(seedOfRun() + n);
      const operation = n % 200 === 0 ? random.pick(seldom) : (often[n % often.length] as Operation);
      const sent = request(random, operation);
      const reply = await t.app.inject(sent);
      statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1);
      if (reply.statusCode < 300) fine++;
      const status = reply.statusCode;
      const type = String(reply.headers['content-type'] ?? '');
      const fault =
        status >= 500 ? `${status} ${reply.body}` : replyFault(operation, { status, type, body: reply.body });
      if (fault !== null) faults.push(`${n}: ${operation.method} ${sent.url as string}: ${fault}`.slice(0, 400));
    }
    keepFigures('malformed-requests', COUNT, began, {
      '5xx': [...statuses].filter(([status]) => status >= 500).reduce((sum, [, times]) => sum + times, 0),
      'replies outside the schema': faults.length,
      'answered with a success': fine,
    });
    expect(faults.slice(0, 20)).toEqual([]);
    // Some requests passed the first checks, and some were refused.
    expect(fine).toBeGreaterThan(COUNT / 50);
    expect(statuses.get(422) ?? 0).toBeGreaterThan(COUNT / 5);
  },
  timeLimit(COUNT, 100),
);
