// This file is over 250 lines because it tests every route with every role.
import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { API, RECORD_SCOPES, type Endpoint, type Role } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { isoAt } from '../platform/clock.ts';
import { DATE } from '../testing/small-clinic.ts';
import { buildAppointment, buildClient, buildTherapist, type TherapistPlan } from '../testing/builders.ts';
import { buildServiceAccount } from '../testing/service-account.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import { hashPassword } from '../access/passwords.ts';
import type { OpenApi } from '../http/openapi.ts';
import { replyFault, withoutReferences } from './testing/json-schema.ts';
import { buildScene, type Scene } from './testing/route-scene.ts';
import { PASSWORD } from './testing/route-expected.ts';
import type { Expected } from './testing/route-expected.ts';
import { ROUTES } from './testing/route-table.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];
const CALLERS = [
  ...(['nobody', 'expired', 'disabled', 'of another location', 'scheduler', 'admin', 'admin of one location'] as const),
  ...(['director', 'viewer', 'viewer of another location'] as const),
  ...(['therapist', 'therapist of another location', 'therapist who left'] as const),
  ...(['program', 'program of another location', 'program for changes', 'program that was ended'] as const),
] as const;
type CallerKind = (typeof CALLERS)[number];
/** A path says the methods that it has before it looks at who calls: one caller of each sort shows that. */
const ONE_OF_EACH_SORT: readonly CallerKind[] = ['nobody', 'scheduler', 'therapist', 'program'];

const passwordHash = hashPassword(PASSWORD);

let scene: Scene;
let document: OpenApi;
const accounts = new Map<CallerKind, string>();
const t = useApp(() => buildTestApp({ config: { logLevel: 'error', solverSeconds: 20 } }));
beforeAll(async () => {
  scene = await buildScene(t.opened);
  document = withoutReferences((await t.app.inject({ url: '/api/openapi.json' })).json<OpenApi>());
  const locations: Location[] = ['tampa'];
  accounts.set('scheduler', await account('scheduler', null));
  accounts.set('admin', await account('admin', null));
  accounts.set('admin of one location', await account('admin', ['altamonte']));
  accounts.set('director', await account('director', null));
  accounts.set('viewer', await account('viewer', ['altamonte']));
  accounts.set('viewer of another location', await account('viewer', locations));
  accounts.set('of another location', await account('scheduler', locations));
  accounts.set('expired', await account('admin', null));
  accounts.set('disabled', await account('admin', null, new Date().toISOString()));
  const there = { location: 'tampa', last: 'Away' } as const;
  accounts.set('therapist', await therapistAccount({ last: 'Own' }));
  accounts.set('therapist of another location', await therapistAccount(there));
  accounts.set('therapist who left', await therapistAccount({ lastDay: '2026-01-30', last: 'Gone' }));
  const fhir = ['fhir.read' as const];
  accounts.set('program', await buildServiceAccount(t.deps.db, { scopes: [...RECORD_SCOPES] }));
  accounts.set('program of another location', await buildServiceAccount(t.deps.db, { scopes: fhir, locations }));
  accounts.set('program for changes', await buildServiceAccount(t.deps.db, { scopes: ['changes.read'] }));
  accounts.set('program that was ended', await buildServiceAccount(t.deps.db, { scopes: fhir, disabled: true }));
}, 300_000);

const isProgram = (kind: CallerKind): boolean => kind.startsWith('program');

const therapistAccount = async (plan: TherapistPlan): Promise<string> =>
  account('therapist', [plan.location ?? 'altamonte'], null, await buildTherapist(t.deps.db, plan));

async function account(
  role: Role,
  locations: Location[] | null,
  disabled_at: string | null = null,
  therapist_id: string | null = null,
): Promise<string> {
  const row = { email: `${randomUUID()}@clinic.example`, name: 'Someone', role, locations, disabled_at, therapist_id };
  const { id } = await t.deps.db
    .insertInto('account')
    .values({ ...row, password_hash: await passwordHash })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Begins a session and returns its authorization header. Every request gets a session of its own, since some requests
 * end their session.
 */
async function authorization(kind: CallerKind): Promise<Record<string, string>> {
  const account_id = accounts.get(kind);
  if (account_id === undefined) return {};
  if (isProgram(kind)) {
    const subject = { serviceAccountId: account_id, key: 'key', scopes: RECORD_SCOPES };
    return { authorization: `Bearer ${await t.deps.tokens.issueService(subject, 300)}` };
  }
  const now = Date.now();
  const at = (ms: number): string => isoAt(now + ms);
  const ends = kind === 'expired' ? -1000 : 3_600_000;
  const { id } = await t.deps.db
    .insertInto('session')
    .values({ account_id, created_at: at(-60_000), last_seen_at: at(-2000), expires_at: at(ends) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const token = await t.deps.tokens.issue({ sessionId: id, accountId: account_id }, 600);
  return { authorization: `Bearer ${token}` };
}

/** The method and pattern of every route of the application, read from the framework's own tree. */
function routesOf(): { method: Method; url: string }[] {
  const above: string[] = [];
  return t.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^([│├└─\s]*)(\/\S*|\S+)(?: \(([A-Z, ]+)\))?$/.exec(line);
      if (!found?.[2]) return [];
      const depth = (found[1] ?? '').length / 4;
      above.length = Math.max(0, depth - 1);
      above[depth - 1] = found[2];
      return (
        (found[3] ?? '')
          .split(', ')
          .filter((method) => method !== '')
          // The one wildcard is printed without what stands before it.
          .map((method) => ({ method: method as Method, url: above.join('').replace(/^\*$/, '/scim/v2/*') }))
      );
    });
}

/** The routes that only show something: what directors and viewers may call, written as the table of routes does. */
const READS = new Set(
  Object.values(API)
    .flatMap((group) => Object.values<Endpoint>(group))
    .filter(({ method, audit, writes }) => audit !== 'change' && (method === 'GET' || writes === false))
    .map(({ method, path }) => `${method} /api${path}`),
);

function expectedOf(key: string, kind: CallerKind): number {
  // `.search` has one method; any other is asked of whatever has that name.
  const expected = ROUTES[key] ?? ROUTES[key.replace('.search', key.includes('Users') ? ':id' : '*')];
  if (!expected) return 405; // the path exists, with other methods
  if (expected.access === 'public') return expected.ok;
  if (kind === 'program that was ended') return 401;
  if (isProgram(kind)) return expectedOfProgram(key, kind, expected);
  if (kind === 'nobody' || kind === 'expired' || kind === 'disabled' || kind === 'therapist who left') return 401;
  const isTherapist = kind === 'therapist' || kind === 'therapist of another location';
  // A therapist's account is refused by every route that is not meant for therapists, whatever else the route declares.
  if (isTherapist) return expected.access === 'own' || expected.access === 'therapist' ? expected.ok : 403;
  if (expected.access === 'therapist') return 403;
  if (expected.access === 'records' && kind !== 'admin' && kind !== 'admin of one location') return 403;
  if (kind === 'director' || kind === 'viewer' || kind === 'viewer of another location') {
    if (expected.access === 'own') return expected.ok;
    if (!READS.has(key) || (kind !== 'director' && expected.access !== 'signed-in')) return 403;
    return kind === 'viewer of another location' ? (expected.other ?? expected.ok) : expected.ok;
  }
  const isAdmin = kind === 'admin' || kind === 'admin of one location';
  if (expected.access === 'admin' && !isAdmin) return 403;
  if (expected.access === 'clinic' && kind !== 'admin') return 403;
  if (kind === 'of another location') return expected.other ?? expected.ok;
  return (kind === 'admin of one location' ? expected.local : undefined) ?? expected.ok;
}

/** A program may use only the routes of records, and of these only the ones for which it has the scope. */
function expectedOfProgram(key: string, kind: CallerKind, expected: Expected): number {
  if (key === 'GET /metrics') return 401; // it asks for a person by itself
  const isChanges = key === 'GET /api/changes';
  if (expected.access !== 'records' || ((kind === 'program for changes') !== isChanges && kind !== 'program'))
    return 403;
  return (kind === 'program of another location' ? expected.elsewhere : undefined) ?? expected.ok;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function ask(method: Method, url: string, kind: CallerKind): Promise<Answer> {
  const known = ROUTES[`${method === 'HEAD' ? 'GET' : method} ${url}`];
  const given: Omit<InjectOptions, 'method' | 'url'> = (await known?.request?.(scene)) ?? {};
  const reply = await t.app.inject({
    remoteAddress: '192.0.2.7',
    ...given,
    method,
    url: known?.url ? await known.url(scene) : url.replaceAll(/:\w+/g, randomUUID()),
    headers: { ...given.headers, ...(await authorization(kind)) },
    payloadAsStream: true, // the event stream does not end, so its reply is read as a stream
  });
  const stream = reply.stream();
  if (url === '/api/events' && reply.statusCode === 200) {
    stream.destroy();
    return { status: 200, type: String(reply.headers['content-type']), body: '' };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const type = String(reply.headers['content-type'] ?? '');
  return { status: reply.statusCode, type, body: Buffer.concat(chunks).toString('utf8') };
}

/**
 * Says how a call's reply differs from the API's document; null if it matches, or if the document does not have the
 * call.
 */
function undocumented(method: Method, url: string, answer: Answer): string | null {
  const operation = document.paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  return operation ? replyFault(operation, answer) : null;
}

test('every route is in the route-access table, and every route in that table exists', () => {
  const found = routesOf().filter(({ method }) => method !== 'HEAD');
  expect(found.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(Object.keys(ROUTES).sort());
});

test('[AUTH-06] every route gives each type of caller the right reply, without other locations’ names', async () => {
  const unexpected: string[] = [];
  const leaks: string[] = [];
  const notAsDocumented: string[] = [];
  const urls = [...new Set(routesOf().map(({ url }) => url))];
  let asked = 0;
  for (const url of urls) {
    for (const method of METHODS) {
      const key = `${method === 'HEAD' ? 'GET' : method} ${url}`;
      const callers = ROUTES[key] ? CALLERS : ONE_OF_EACH_SORT;
      for (const kind of callers) {
        const answer = await ask(method, url, kind);
        const { status, body } = answer;
        asked++;
        const fault = undocumented(method, url, answer);
        if (fault !== null) notAsDocumented.push(`${method} ${url}, ${kind}: ${fault}`);
        if (status !== expectedOf(key, kind))
          unexpected.push(`${method} ${url}, ${kind}: ${status} ${body.slice(0, 200)}`);
        const mayKnow = ['scheduler', 'admin', 'admin of one location', 'program', 'director', 'viewer'].includes(kind);
        if (!mayKnow && /Ana|Ruiz|Bo Lee|Mo Diaz/.test(body)) leaks.push(`${method} ${url}, ${kind}`);
      }
    }
  }
  expect(unexpected).toEqual([]);
  expect(leaks).toEqual([]);
  expect(notAsDocumented).toEqual([]);
  expect(asked).toBeGreaterThan(Object.keys(ROUTES).length * CALLERS.length);
});

/** Requests, by staff at one location, whose refusal or repeated reply names a client. */
const TELLING: { what: string; request: () => Promise<InjectOptions> }[] = [
  {
    what: 'deleting a therapist who has sessions',
    request: () => Promise.resolve({ method: 'DELETE', url: `/api/therapists/${scene.therapist.id}` }),
  },
  {
    what: 'deleting a therapist who has sessions at another location',
    request: () => Promise.resolve({ method: 'DELETE', url: `/api/therapists/${planted.lent}` }),
  },
  { what: 'booking over a session here', request: () => Promise.resolve(bookingOf(planted.here)) },
  { what: 'booking over a session elsewhere', request: () => Promise.resolve(bookingOf(planted.lentName)) },
  {
    what: 'a name that is nearly right',
    request: () => Promise.resolve(bookingOf(planted.here, { client: `${planted.name}x` })),
  },
  {
    what: 'the timeslots of a name that is nearly right',
    request: () =>
      Promise.resolve({
        method: 'GET',
        url: `/api/timeslots?location=altamonte&start_date=${DATE}&client_name=${encodeURIComponent(`${planted.name}x`)}`,
      }),
  },
  {
    what: 'a commit again',
    request: () => Promise.resolve({ method: 'POST', url: '/api/actions', payload: scene.submitBody }),
  },
  {
    what: 'an undo twice',
    request: () => Promise.resolve({ method: 'POST', url: `/api/commits/${scene.commit}/undo` }),
  },
];
const planted = { name: 'Quimby Vell', elsewhere: 'Xanthe Orr', here: 'Hera Bo', lentName: 'Lent Out', lent: '' };
const bookingOf = (therapist: string, more: object = {}): InjectOptions => ({
  method: 'POST',
  url: '/api/appointments',
  payload: {
    location: 'altamonte',
    client: 'Ida Fox',
    therapist,
    date: DATE,
    start: '09:00',
    end: '10:00',
    subject: 'Direct Therapy',
    ...more,
  },
});

/**
 * Plants a client with two sessions at Altamonte, and a client with one session at Orlando that a therapist from
 * Altamonte gives.
 */
async function plant(): Promise<void> {
  const { db } = t.deps;
  const [first = '', last = ''] = planted.name.split(' ');
  const client = await buildClient(db, { first, last });
  const [otherFirst = '', otherLast = ''] = planted.elsewhere.split(' ');
  const other = await buildClient(db, { first: otherFirst, last: otherLast, location: 'orlando' });
  const hera = await buildTherapist(db, { first: 'Hera', last: 'Bo' });
  planted.lent = await buildTherapist(db, { first: 'Lent', last: 'Out' });
  const at = { date: DATE, start: '09:00', end: '10:00' };
  await buildAppointment(db, { therapist: hera, client, ...at });
  await buildAppointment(db, { therapist: scene.therapist.id, client, ...at, start: '10:00', end: '11:00' });
  await buildAppointment(db, { therapist: planted.lent, client: other, ...at, location: 'orlando' });
}

test('each reply that names a client is in the audit trail, and names no other location’s client', async () => {
  await plant();
  const { db } = t.deps;
  const clients = await db.selectFrom('client').select(['id', 'display_name', 'location']).execute();
  const local = await t.signIn({ role: 'admin', locations: ['altamonte'] });
  const unrecorded: string[] = [];
  const leaks: string[] = [];
  let named = 0;
  const judge = async (what: string, options: InjectOptions): Promise<void> => {
    const before = await db.selectFrom('audit').select(['chain', 'number']).execute();
    const known = new Set(before.map((row) => `${row.chain} ${row.number}`));
    const reply = await local.call({ remoteAddress: '192.0.2.7', ...options });
    const entries = (
      await db.selectFrom('audit').selectAll().where('account_id', '=', local.accountId).execute()
    ).filter((row) => !known.has(`${row.chain} ${row.number}`));
    const asked = JSON.stringify([options.url, options.payload ?? null]);
    for (const client of clients) {
      if (!reply.body.includes(client.display_name)) continue;
      named++;
      if (client.location !== 'altamonte' && !asked.includes(client.display_name))
        leaks.push(`${what}: ${reply.body.slice(0, 300)}`);
      const found = entries.some(
        (row) =>
          (row.location === null || row.location === client.location) &&
          (reply.statusCode < 400 || row.subject_ids.includes(client.id)),
      );
      if (!found) unrecorded.push(`${what}: ${reply.statusCode} names ${client.display_name}`);
    }
    if (
      options.method === 'GET' &&
      typeof options.url === 'string' &&
      options.url.endsWith('/series') &&
      !entries.some((row) => row.action === 'series.read')
    )
      unrecorded.push(what);
  };
  for (const [key, expected] of Object.entries(ROUTES)) {
    const [method = '', url = ''] = key.split(' ');
    if (url === '/api/events' || url === '/api/sign-out' || expected.access === 'public') continue;
    const given = (await expected.request?.(scene)) ?? {};
    const path = expected.url ? await expected.url(scene) : url;
    await judge(key, { ...given, method: method, url: path });
  }
  for (const { what, request } of TELLING) await judge(what, await request());
  expect(unrecorded).toEqual([]);
  expect(leaks).toEqual([]);
  expect(named).toBeGreaterThan(15);
});
