// This file is over 250 lines because it has a request for every endpoint that writes.
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API, type CallsReply, type Endpoint, type LeaveOutcome, type OwnWeek, type Therapist } from '@clinic/contract';
import { addDays } from '@clinic/domain';
import { buildAbsence, buildAppointment, buildClient } from '../testing/builders.ts';
import { commitEveryone, propose, submitBody } from '../testing/calls.ts';
import { openMailReceiver, type MailReceiver } from '../testing/mail-receiver.ts';
import { addPasskey, PAGE } from '../testing/passkeys.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { wallNow } from '../platform/wall-clock.ts';
import { buildScene, type Scene } from './testing/route-scene.ts';
import { PASSWORD } from './testing/route-expected.ts';
import { ROUTES } from './testing/route-table.ts';

/** Two servers on one database. */
let one: TestApp;
let other: TestApp;
let mail: MailReceiver;
let scene: Scene;
let staff: SignedIn;
let admin: SignedIn;
beforeAll(async () => {
  mail = await openMailReceiver();
  const config = {
    smtpUrl: mail.url,
    mailFrom: 'clinic@clinic.example',
    solverSeconds: 20,
    logLevel: 'error' as const,
  };
  one = await buildTestApp({ config });
  other = await buildTestApp({ config, database: one.database });
  scene = await buildScene(one);
  staff = await one.signIn();
  admin = await one.signIn({ role: 'admin' });
}, 300_000);
afterAll(async () => {
  await other.close();
  await one.close();
  await mail.close();
});

/** A request, and the account that sends it; null for a request without an account. */
interface Sent {
  readonly by: Pick<SignedIn, 'token'> | null;
  readonly request: InjectOptions;
}
const post = (by: Sent['by'], url: string, payload: object = {}, headers: Record<string, string> = {}): Sent => ({
  by,
  request: { method: 'POST', url: `/api${url}`, payload, headers },
});

/** A therapist with an account of their own. */
async function therapist(): Promise<SignedIn & { readonly therapistId: string }> {
  const therapistId = await scene.ownTherapist();
  return { ...(await one.signIn({ role: 'therapist', therapistId, locations: ['altamonte'] })), therapistId };
}

let near = 0;
/** A date within the reach of therapists’ own pages. */
const nearDate = (): string => addDays(wallNow(one.deps.clock, 'altamonte').date, 1 + (near++ % 13));

/** A day with an open call list on which a therapist has got a session from another, and the lines of its list. */
async function changedDay(date = scene.freeDate()) {
  const { db } = one.deps;
  const now = await therapist();
  const client = await buildClient(db, { last: `Twice${scene.number()}` });
  const mother = { client_id: client, name: 'Mother', email: `m${scene.number()}@home.example`, rank: 1 };
  await db
    .insertInto('contact')
    .values({ ...mother, preferred: 'email' })
    .execute();
  const before = await scene.ownTherapist();
  const key = await buildAppointment(db, { therapist: before, client, date, start: '10:00', end: '12:00' });
  await sql`insert into call_day (location, date) values ('altamonte', ${date}::date) on conflict do nothing`.execute(
    db,
  );
  await db.updateTable('appointment').set({ therapist_id: now.therapistId }).where('id', '=', key).execute();
  const on = { location: 'altamonte', date } as const;
  const { lines } = (await staff.call({ url: '/api/calls', query: on })).json<CallsReply>();
  const line = lines.find(({ id }) => id === now.therapistId);
  if (!line) throw new Error('the therapist has no line');
  const answer = (more: object) => ({ ...on, kind: 'therapist', id: line.id, version: line.version, ...more });
  return { on, line, now, answer };
}

/** A day with options that cover a session of an absent therapist. */
async function offered() {
  const date = scene.freeDate();
  const people = { therapist: scene.therapist.id, client: scene.client.id };
  await buildAppointment(one.deps.db, { ...people, date, start: '09:00', end: '10:00' });
  return propose(staff, { therapist: scene.therapist.name, date });
}

/** Requests that the table of routes has not, or has only in a form that writes nothing. */
const OWN: Readonly<Record<string, () => Promise<Sent>>> = {
  'POST /api/actions': async () => post(staff, '/actions', submitBody(await offered()), { accept: 'application/json' }),
  async 'POST /api/commits/:id/undo'() {
    const { commit } = await commitEveryone(staff, await offered());
    return post(staff, `/commits/${commit}/undo`);
  },
  async 'POST /api/appointments/:key/take-back'() {
    const people = { client: scene.client.name, therapist: scene.therapist.name, location: 'altamonte', anyway: true };
    const at = { date: scene.freeDate(), start: '09:00', end: '10:00', subject: 'Direct Therapy' };
    const reply = await staff.call({ method: 'POST', url: '/api/appointments', payload: { ...people, ...at } });
    return post(staff, `/appointments/${reply.json<{ key: string }[]>()[0]?.key}/take-back`);
  },
  async 'POST /api/calls/answer'() {
    return post(staff, '/calls/answer', (await changedDay()).answer({ answer: 'told' }));
  },
  async 'POST /api/calls/answer, a no until a time'() {
    const no = { scope: 'until', until: '13:00' };
    return post(staff, '/calls/answer', (await changedDay()).answer({ answer: 'said-no', no }));
  },
  async 'POST /api/calls/answer, a no to the session'() {
    const no = { scope: 'session' };
    return post(staff, '/calls/answer', (await changedDay()).answer({ answer: 'said-no', no, note: 'No car' }));
  },
  async 'POST /api/calls/answer, a no without more'() {
    return post(staff, '/calls/answer', (await changedDay()).answer({ answer: 'said-no' }));
  },
  async 'POST /api/calls/answer, not told after all'() {
    const { answer } = await changedDay();
    await one.app.inject(signed(post(staff, '/calls/answer', answer({ answer: 'told' }))));
    return post(staff, '/calls/answer', answer({ answer: 'not-told' }));
  },
  async 'POST /api/calls/said-no/take-back'() {
    const { on, answer } = await changedDay();
    const no = { scope: 'until', until: '13:00' };
    const reply = await one.app.inject(signed(post(staff, '/calls/answer', answer({ answer: 'said-no', no }))));
    return post(staff, '/calls/said-no/take-back', { ...on, id: reply.json<CallsReply>().declined[0]?.id });
  },
  async 'POST /api/calls/claim'() {
    const { on, line } = await changedDay();
    return post(staff, '/calls/claim', { ...on, kind: line.kind, id: line.id, ringing: true });
  },
  'POST /api/calls/release': async () => post(staff, '/calls/release', (await changedDay()).on),
  async 'POST /api/me/answer'() {
    const { on, now, line } = await changedDay(nearDate());
    return post(now, '/me/answer', { ...on, version: line.version, answer: 'yes' });
  },
  async 'POST /api/me/answer, cannot'() {
    const { on, now, line } = await changedDay(nearDate());
    return post(now, '/me/answer', { ...on, version: line.version, answer: 'cannot' });
  },
  async 'POST /api/me/absences'() {
    const date = nearDate();
    const times = { from_date: date, from_time: '09:00', to_date: date, to_time: '12:00', cause: 'sick' };
    return post(await therapist(), '/me/absences', times);
  },
  async 'POST /api/me/absences/:id/withdraw'() {
    const sick = await therapist();
    const date = nearDate();
    const times = { from_date: date, from_time: '09:00', to_date: date, to_time: '12:00', cause: 'sick' };
    await one.app.inject(signed(post(sick, '/me/absences', times)));
    const { reports } = (await sick.call({ url: '/api/me' })).json<OwnWeek>();
    return post(sick, `/me/absences/${reports[0]?.id}/withdraw`);
  },
  'POST /api/me/feed': async () => post(await therapist(), '/me/feed'),
  async 'DELETE /api/me/feed'() {
    const by = await therapist();
    await one.app.inject(signed(post(by, '/me/feed')));
    return { by, request: { method: 'DELETE', url: '/api/me/feed' } };
  },
  async 'DELETE /api/causes/:id'() {
    const id = `twice-${scene.number()}`;
    await one.deps.db.insertInto('cause').values({ id, label: id }).execute();
    return { by: admin, request: { method: 'DELETE', url: `/api/causes/${id}` } };
  },
  async 'POST /api/imports'() {
    const { request } = await fromTable('POST /api/imports');
    const row = `twice-${scene.number()},Cy,Twice${scene.number()},altamonte,Male,[]`;
    if (typeof request.payload !== 'string') throw new Error('the table imports no text');
    const payload = request.payload.replace('restrictions\r\n', `restrictions\r\n${row}\r\n`);
    return { by: admin, request: { ...request, payload, url: '/api/imports?dry_run=false' } };
  },
  async 'POST /api/folder-imports/differences'() {
    const { db } = one.deps;
    const people = { therapist: scene.therapist.id, client: scene.client.id };
    const id = await buildAppointment(db, { ...people, date: scene.freeDate(), start: '09:00', end: '10:00' });
    const key = `id:twice-${scene.number()}`;
    await sql`insert into import_row (kind, key, content_hash, target_id, target_version)
      values ('appointment', ${key}, 'theirs', ${id}, 0)`.execute(db);
    await sql`insert into import_difference (key, appointment_id, hash, version, both_changed, theirs)
      values (${key}, ${id}, 'theirs', 1, false, '{}')`.execute(db);
    return post(admin, '/folder-imports/differences', { take: 'theirs', rows: [{ key, version: 1 }] });
  },
  async 'POST /api/welcome'() {
    const reply = await one.app.inject(signed(await fromTable('POST /api/invitations')));
    return post(null, '/welcome', { secret: reply.json<{ secret: string }>().secret, password: PASSWORD });
  },
  async 'PUT /api/passkeys/:id/name'() {
    const by = await one.signIn();
    const { id } = await addPasskey(by);
    const request = {
      method: 'PUT',
      url: `/api/passkeys/${id}/name`,
      payload: { name: 'Key' },
      headers: PAGE,
    } as const;
    return { by, request };
  },
  async 'POST /api/passkeys/:id/remove'() {
    const by = await one.signIn();
    const { id } = await addPasskey(by);
    return post(by, `/passkeys/${id}/remove`, { current_password: by.password }, PAGE);
  },
  async 'PUT /api/therapists/:id'() {
    const id = await scene.ownTherapist();
    const reply = await staff.call({ url: `/api/therapists/${id}` });
    const contacts = [{ name: 'Self', phone: '407 555 0100', preferred: 'phone' }];
    const payload = { ...reply.json<Therapist>(), contacts, tags: [{ tag: 'Spanish' }] };
    return { by: staff, request: { method: 'PUT', url: `/api/therapists/${id}`, payload } };
  },
  async 'POST /api/makeup'() {
    const last = `Owed${scene.number()}`;
    const client = await buildClient(one.deps.db, { first: 'Ola', last });
    const lost = addDays(wallNow(one.deps.clock, 'altamonte').date, -3);
    const at = { therapist: null, client, start: '09:00', end: '10:00', status: 'cancelled' } as const;
    await buildAppointment(one.deps.db, { ...at, date: lost });
    const piece = { client: `Ola ${last}`, therapist: scene.therapist.name, date: scene.freeDate() };
    return post(staff, '/makeup', { location: 'altamonte', pieces: [{ ...piece, start: '09:00', end: '10:00' }] });
  },
  async 'POST /api/absences/restore'() {
    const date = scene.freeDate();
    const { id: therapistId, name } = scene.therapist;
    await buildAbsence(one.deps.db, { therapist: therapistId, date });
    const payload = { location: 'altamonte', date, type: 'therapist', name };
    await one.app.inject(signed(post(staff, '/absences/withdraw', payload)));
    return post(staff, '/absences/restore', payload);
  },
  async 'POST /api/leave/:id/undo'() {
    const id = await scene.ownLeave();
    const date = scene.nearDate();
    const end = post(staff, `/leave/${id}/end`, { location: 'altamonte', date, scope: 'all' });
    const { changed_at } = (await one.app.inject(signed(end))).json<LeaveOutcome>();
    return post(staff, `/leave/${id}/undo`, { location: 'altamonte', changed_at });
  },
  'POST /api/locations/:location/merge': async () => {
    const label = `merged ${scene.number()}`;
    const place = { label, group: 'Arizona', zone: 'America/New_York', hours: [] };
    expect((await one.app.inject(signed(post(admin, '/locations', place)))).statusCode).toBe(201);
    return post(admin, `/locations/${label}/merge`, { into: 'orlando', from: '2032-01-05' });
  },
};

/** Endpoints whose second request cannot be the same: its challenge is made by the first and works once. */
const ONCE = [
  'POST /api/sign-on/token',
  'POST /api/second-factor/confirm',
  'POST /api/second-factor/codes',
  'POST /api/second-factor/remove',
  'POST /api/token/passkey',
  'POST /api/welcome/passkey',
  'POST /api/passkeys',
];
/** Endpoints of the link for a passkey, which write only a challenge. */
const CHALLENGE = ['POST /api/welcome/passkey/options'];

/** The tables in which a request sent twice leaves twice as many rows, and why that is meant. */
const TWICE: Readonly<Record<string, readonly string[]>> = {
  // Each reply has options of its own, and only one of them is submitted.
  'POST /api/proposals': ['proposal', 'proposal_revision'],
  'POST /api/api/scheduler/process': ['proposal', 'proposal_revision'],
  'POST /api/standing': ['proposal', 'proposal_revision'],
  'POST /api/refresher': ['proposal_revision'],
  // The page says to look for the new profile before it is sent again (docs/reliability.md).
  'POST /api/therapists': ['therapist'],
  'POST /api/clients': ['client'],
  // A new link replaces the earlier one.
  'POST /api/invitations': ['invitation'],
  'POST /api/colleague-invitations': ['invitation'],
  // The page shows the new account or address before it is made again; each has keys or a secret of its own.
  'POST /api/service-accounts': ['service_account'],
  'POST /api/webhooks': ['webhook'],
  // Every sending of the sheet stays.
  'POST /api/calls/day-sheet': ['day_sheet'],
};

/** One import at a time: the second is refused whole. */
const IN_TURN = ['POST /api/imports'];

/** Tables about what changed, who did what and who is logged in, and tables in which one row is for all requests. */
const ASIDE = [
  'audit',
  'audit_head',
  'session',
  'login_budget',
  'passkey_challenge',
  'sign_on',
  'location_day',
  'setting',
  'record_change',
  'record_floor',
  'record_state',
];

const signed = ({ by, request }: Sent): InjectOptions => ({
  ...request,
  headers: { ...request.headers, ...(by ? { authorization: `Bearer ${by.token}` } : {}) },
});

async function fromTable(key: string): Promise<Sent> {
  const [method = '', pattern = ''] = key.split(' ');
  const route = ROUTES[key];
  if (!route || route.ok >= 300) throw new Error(`${key} needs a request that succeeds`);
  const accounts = {
    admin: () => admin,
    clinic: () => admin,
    records: () => admin,
    'signed-in': () => staff,
    public: () => null,
  };
  // What concerns the account itself may end its session, so it has one of its own.
  const by =
    route.access === 'own' || route.access === 'therapist'
      ? await one.signIn({ password: PASSWORD })
      : accounts[route.access]();
  const url = (await route.url?.(scene)) ?? pattern;
  const request = await route.request?.(scene);
  return { by, request: { ...request, method, url } };
}

/** How many rows each table has. */
async function rows(): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname <> all(${ASIDE})`.execute(one.deps.db);
  const counts = tables
    .map(({ name }) => `select '${name}' as name, count(*)::int as n from ${name}`)
    .join(' union all ');
  const found = await sql.raw<{ name: string; n: number }>(counts).execute(one.deps.db);
  return Object.fromEntries(found.rows.map(({ name, n }) => [name, n]));
}

/** Which tables have got rows, and how many, by this work. */
async function added<T>(work: () => Promise<T>): Promise<{ result: T; rows: Record<string, number> }> {
  const before = await rows();
  const result = await work();
  const after = await rows();
  const more = Object.keys(after).map((name): [string, number] => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
  return { result, rows: Object.fromEntries(more.filter(([, n]) => n !== 0)) };
}

const isSuccess = ({ statusCode }: LightMyRequestResponse): boolean => statusCode < 300;

/** Every endpoint that may write, as the table of routes spells it. */
const WRITES = Object.values(API)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter(({ method }) => method !== 'GET')
  .map(({ method, path }) => `${method} /api${path}`);
const CASES = [...new Set([...WRITES, ...Object.keys(OWN)])].filter((key) => ![...ONCE, ...CHALLENGE].includes(key));

test.each(CASES)(
  'given two servers, %s sent twice at once and once more has the effect of one request',
  async (key) => {
    const make = OWN[key] ?? (() => fromTable(key));
    const single = signed(await make());
    const alone = await added(() => one.app.inject(single));
    expect(isSuccess(alone.result), alone.result.body).toBe(true);
    const same = signed(await make());
    const thrice = await added(async () => {
      const together = await Promise.all([one.app.inject(same), other.app.inject(same)]);
      return [...together, await one.app.inject(same)];
    });
    expect(thrice.result.filter(isSuccess)).not.toEqual([]);
    for (const { statusCode, body } of thrice.result)
      expect([200, 201, 204, 401, 404, 409, 422, ...(IN_TURN.includes(key) ? [503] : [])], body).toContain(statusCode);
    const meant = TWICE[key] ?? [];
    const once = (found: Record<string, number>) => Object.entries(found).filter(([name]) => !meant.includes(name));
    expect(Object.fromEntries(once(thrice.rows))).toEqual(Object.fromEntries(once(alone.rows)));
    for (const name of meant) expect(thrice.rows[name], name).toBeGreaterThan(alone.rows[name] ?? 0);
  },
);
