import { beforeAll, expect, test } from 'vitest';
import { API, ERRORS, refusalsOf, timeSchema, type Endpoint } from '@clinic/contract';
import { parseTime } from '@clinic/domain';
import { ROUTES } from '../reliability/testing/route-table.ts';
import { SCIM_ROUTES } from '../reliability/testing/route-table-sign-on.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { openApiOf, type OpenApi, type Operation } from './openapi.ts';

/** Routes that are not API calls: the documentation itself, and the metrics for monitoring. */
/** Browsers open the addresses of the sign-on; programs do not. */
const NAVIGATION = ['GET /api/sign-on', 'GET /api/sign-on/callback', 'GET /api/sign-on/end'];
const NOT_DOCUMENTED = [
  ...Object.keys(SCIM_ROUTES), // SCIM describes itself
  ...NAVIGATION,
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/docs/style.css',
  'GET /metrics',
];

let document: OpenApi;
const t = useApp(() => buildTestApp());
beforeAll(async () => {
  document = (await t.app.inject({ url: '/api/openapi.json' })).json<OpenApi>();
});

const operations = (): [route: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      operation,
    ]),
  );
const operationOf = (name: string): Operation => {
  const found = operations().find(([, { operationId }]) => operationId === name);
  if (!found) throw new Error(`no operation ${name}`);
  return found[1];
};
const typesOf = (operation: Operation, status: number): string[] =>
  Object.keys(operation.responses[status]?.content ?? {});

test('[requirements] every route of the server is documented with its access, and no other route is documented', () => {
  // What is read in FHIR is documented in FHIR's own way: /fhir/r4/metadata.
  const documented = Object.keys(ROUTES).filter(
    (route) => !NOT_DOCUMENTED.includes(route) && !route.includes(' /fhir/r4/'),
  );
  expect(
    operations()
      .map(([route]) => route)
      .sort(),
  ).toEqual(documented.sort());
  for (const [route, operation] of operations())
    expect(operation.security !== undefined, route).toBe(ROUTES[route]?.access !== 'public');
});

test('every pattern is written so that the regular expressions of other languages can read it', () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\\\]|\\\\.)*")/g)].map(
    ([, text]) => JSON.parse(text ?? '') as string,
  );
  expect(patterns.length).toBeGreaterThan(10);
  for (const pattern of new Set(patterns)) {
    expect(() => new RegExp(pattern), pattern).not.toThrow();
    // Classes of Unicode, looking ahead and behind, back references and named groups differ from language to language.
    expect(pattern).not.toMatch(/\\[pPkKbB1-9]|\(\?[^:]|\[\^\]|\\ud[89a-f]/i);
  }
});

test('each documented endpoint lists its input, its reply and every refusal, and all refusals have the same shape', () => {
  const names = operations().map(([, { operationId }]) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const [name, endpoint] of Object.values(API).flatMap((group) => Object.entries<Endpoint>(group))) {
    const operation = operationOf(name);
    expect(Object.keys(operation.requestBody?.content ?? {}), name).toEqual(
      endpoint.body ? [endpoint.bodyType ?? 'application/json'] : [],
    );
    expect(typesOf(operation, endpoint.status ?? 200), name).toEqual([
      ...(endpoint.reply ? ['application/json'] : []),
      ...(endpoint.otherReply?.types ?? []),
    ]);
    for (const code of refusalsOf(endpoint)) {
      const { status } = ERRORS[code];
      expect(operation.responses[status]?.description, `${name}: ${code}`).toBeDefined();
      if (endpoint.alsoReplies?.[status]) continue;
      expect(operation.responses[status]?.description).toContain(ERRORS[code].text);
      expect(operation.responses[status]?.content).toEqual({
        'application/json': { schema: { $ref: '#/components/schemas/Detail' } },
      });
    }
  }
});

test('the document describes forms, uploaded files, empty replies, files in replies and event streams', () => {
  expect(Object.keys(operationOf('token').requestBody?.content ?? {})).toEqual(['application/x-www-form-urlencoded']);
  const form = operationOf('importFiles').requestBody?.content['multipart/form-data']?.schema;
  expect(Object.keys((form as { properties: object }).properties)).toEqual([
    'therapists',
    'clients',
    'appointments',
    'authorizations',
    'credentials',
    'answers',
  ]);
  expect(operationOf('signOut').responses[204]?.content).toBeUndefined();
  expect(typesOf(operationOf('workbook'), 200)).toEqual([
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ]);
  expect(typesOf(operationOf('events'), 200)).toEqual(['text/event-stream']);
  expect(document.components.schemas).toHaveProperty('ClinicEvent');
});

test("the document lists the headers for a commit's key and id, for waiting before a retry, and for logging in", () => {
  const submit = operationOf('actions');
  expect(submit.parameters).toContainEqual({
    name: 'idempotency-key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  });
  expect(Object.keys(submit.responses[200]?.headers ?? {})).toContain('x-commit');
  for (const status of [429, 503])
    expect(Object.keys(submit.responses[status]?.headers ?? {}), String(status)).toEqual(['retry-after']);
  expect(Object.keys(submit.responses[401]?.headers ?? {})).toEqual(['www-authenticate']);
  expect(document.components.securitySchemes).toMatchObject({ bearer: { type: 'http', scheme: 'bearer' } });
});

test('dates and times are documented in the format that the server reads', () => {
  const slots = operationOf('slots');
  expect(slots.parameters.find(({ name }) => name === 'date')?.schema).toEqual({ type: 'string', format: 'date' });
  const { pattern } = propertyOf('StoredAbsence', 'startTime') as { pattern: string };
  for (const hour of ['00', '09', '12', '19', '23', '24', '25', '3', '']) {
    for (const minute of ['00', '07', '59', '60', '5', '']) {
      const text = `${hour}:${minute}`;
      expect(new RegExp(pattern, 'u').test(text), text).toBe(parseTime(text) !== null);
      expect(timeSchema.safeParse(text).success, text).toBe(parseTime(text) !== null);
    }
  }
  expect(propertyOf('SessionReply', 'session_ends')).toMatchObject({ type: 'string', format: 'date-time' });
});

test('given a route whose endpoint is not in the contract, making the OpenAPI document fails', () => {
  const endpoint: Endpoint = { method: 'GET', path: '/x', access: 'public', at: 'none', audit: 'none', summary: 'x' };
  expect(() => openApiOf([{ url: '/api/x', endpoint }])).toThrow('not in the contract');
});

function propertyOf(schema: string, name: string): unknown {
  return (document.components.schemas[schema] as { properties: Record<string, unknown> }).properties[name];
}
