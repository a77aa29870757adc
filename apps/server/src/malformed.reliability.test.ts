import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoDate } from '@clinic/domain';
import { loadDemo } from './db/demo/load-demo.ts';
import { buildTestApp, type SignedIn, type TestApp } from './db/testing/test-app.ts';

// Requests made from the server's own OpenAPI document: each call with parameters and bodies that are right, nearly right
// or nonsense. Nothing may end in a 5xx, and every refusal has the one shape.
const REQUESTS = 20_000;
const SEED = 20_261_120;

let t: TestApp;
let caller: SignedIn;
beforeAll(async () => {
  t = await buildTestApp({ config: { solverSeconds: 1 } });
  await loadDemo(t.deps.db, { today: isoDate('2026-11-20'), passwordHasher: (password) => Promise.resolve(password) });
  for (const table of ['therapist', 'client'] as const) {
    const rows = await t.deps.db
      .selectFrom(table)
      .select(['id', 'display_name'])
      .where('location', '=', 'altamonte')
      .limit(2)
      .execute();
    WORDS.push(...rows.flatMap((row) => [row.id, row.display_name]));
  }
  caller = await t.signIn({ role: 'admin' });
});
afterAll(() => t.close());

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
}

interface Operation {
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Target extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Signing out would end the session that the others are made with; the multipart and event calls have tests of their own. */
const LEFT_OUT = new Set(['/api/sign-out', '/api/events', '/api/token']);

function targets(): Target[] {
  const paths = t.app.swagger().paths as unknown as Record<string, Record<string, Operation>>;
  return Object.entries(paths)
    .filter(([path]) => !LEFT_OUT.has(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    );
}

/** Mulberry32: the same requests in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const random = randomFrom(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const WORDS = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    'null',
    'true',
    'NaN',
    '__proto__',
    'constructor',
    'toString',
    '%00',
    '%',
    '\u0000',
    '\ud800',
  ],
  ...[
    '2026-02-30',
    '2026-11-20',
    '0000-01-01',
    '9999-12-31',
    '+010000-01-01',
    '2026-11-20T09:00:00Z',
    '24:00',
    '23:59',
    '25:99',
    '08:30',
    '8:30 AM - 9:30 AM',
  ],
  ...[
    'altamonte',
    'palm beach',
    'Palm Beach',
    'miami',
    'Option 1',
    'Option 0',
    'p_x.1.1',
    'T-0001',
    'C-0001',
    'Bo Lee',
    "' or 1=1 --",
    '<b>x</b>',
    '=1+1',
    '../../etc/passwd',
  ],
  ...[
    '\u202e',
    'e\u0301',
    '👩‍👩‍👧',
    'x'.repeat(300),
    '00000000-0000-4000-8000-000000000000',
    'Unassigned',
    'therapist',
    'client',
    'gender',
    'scheduled',
  ],
];
const NUMBERS = [0, -1, 1, 1.5, 15, 1440, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, Number.MIN_VALUE];
const nonsense = (): unknown =>
  pick([
    null,
    true,
    [],
    {},
    [[]],
    [null],
    { a: 1 },
    pick(NUMBERS),
    pick(WORDS),
    pick(WORDS),
    [pick(WORDS)],
    { [pick(WORDS)]: pick(WORDS) },
  ]);

/** A value that fits a schema, but for the mistakes that `wrong` (0 to 1) puts in. */
function valueFor(schema: Schema | boolean | undefined, wrong: number, depth = 0): unknown {
  if (schema === undefined || typeof schema === 'boolean' || depth > 8 || random() < wrong) return nonsense();
  const choice = schema.anyOf ?? schema.oneOf;
  if (choice) return valueFor(pick(choice), wrong, depth + 1);
  if ('const' in schema) return schema.const;
  if (schema.enum) return pick(schema.enum);
  const type = typeof schema.type === 'string' ? schema.type : pick(schema.type ?? ['object']);
  if (type === 'string') return textFor(schema);
  if (type === 'number' || type === 'integer') return pick(NUMBERS);
  if (type === 'boolean') return random() < 0.5;
  if (type === 'null') return null;
  if (type === 'array')
    return Array.from({ length: pick([0, 1, 1, 2, 5]) }, () => valueFor(schema.items, wrong, depth + 1));
  const known = Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name) || random() < 0.5)
    .map(([name, each]) => [name, valueFor(each, wrong, depth + 1)]);
  const open =
    schema.additionalProperties && !schema.properties
      ? [[pick(WORDS), valueFor(schema.additionalProperties, wrong, depth + 1)]]
      : [];
  return Object.fromEntries([...known, ...open]);
}

function textFor(schema: Schema): string {
  if (schema.format === 'date') return pick(['2026-11-20', '2026-11-19', '2024-02-29']);
  if (schema.format === 'date-time') return '2026-11-20T12:00:00Z';
  if (schema.format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (schema.format === 'email') return `${Math.floor(random() * 1e9)}@fuzz.example`;
  return pick(WORDS);
}

function requestFor(target: Target) {
  const wrong = pick([0, 0.02, 0.1, 0.4]);
  const encode = (value: unknown) =>
    encodeURIComponent(
      (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\p{Surrogate}/gu, '\ufffd'),
    );
  let url = target.path;
  const query: string[] = [];
  for (const parameter of target.parameters ?? []) {
    const value = valueFor(parameter.schema, wrong);
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, encode(value) || 'x');
    else if (parameter.in === 'query' && (parameter.required || random() < 0.5))
      query.push(`${parameter.name}=${encode(value)}`);
  }
  if (random() < 0.05) query.push(pick(['x=1', 'date=1&date=2', '__proto__=1', '%=%', 'location[]=a', '']));
  if (query.length > 0) url += `?${query.join('&')}`;
  const schema = Object.values(target.requestBody?.content ?? {})[0]?.schema;
  if (!schema) return { url, headers: {} };
  const body = valueFor(schema, wrong);
  const text = random() < 0.03 ? JSON.stringify(body).slice(0, -2) : JSON.stringify(body);
  const type =
    random() < 0.02
      ? pick(['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded', ''])
      : 'application/json';
  const key = random() < 0.1 ? { 'idempotency-key': pick(['k', '', 'x'.repeat(500), 'ü']) } : {};
  return { url, payload: text, headers: { 'content-type': type, accept: pick(['*/*', 'application/json']), ...key } };
}

test(`${REQUESTS} malformed requests: none ends in a 5xx, every refusal has the one shape`, async () => {
  const all = targets();
  expect(all.length).toBeGreaterThan(20);
  const faults = new Map<string, number>();
  const statuses = new Map<number, number>();
  for (let made = 0; made < REQUESTS; made += 8) {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const target = pick(all);
        const request = requestFor(target);
        const reply = await caller.call({ method: target.method, ...request });
        statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1);
        const problem = problemWith(reply.statusCode, reply.body);
        if (problem) {
          const line = `${target.method} ${target.path}: ${problem}`;
          if (!faults.has(line))
            console.error(
              line,
              request.url.slice(0, 300),
              request.payload?.slice(0, 600),
              t.logLines.at(-2)?.slice(0, 600),
            );
          faults.set(line, (faults.get(line) ?? 0) + 1);
        }
      }),
    );
  }
  expect([...faults]).toEqual([]);
  // It reaches past the schemas: some are right, and are answered.
  expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 50);
  expect(statuses.get(422) ?? 0).toBeGreaterThan(REQUESTS / 20);
});

function problemWith(status: number, body: string): string | undefined {
  if (status >= 500) return String(status);
  if (status < 400) return undefined;
  const detail = (JSON.parse(body) as { detail?: unknown }).detail;
  if (typeof detail === 'string') return detail === '' ? `${status} without a text` : undefined;
  const { message, conflicts } = (detail ?? {}) as { message?: unknown; conflicts?: unknown };
  return [409, 410].includes(status) && typeof message === 'string' && Array.isArray(conflicts)
    ? undefined
    : `${status} of another shape`;
}
