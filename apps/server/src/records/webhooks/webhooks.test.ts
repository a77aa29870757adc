// This file is over 250 lines because it plays the receivers of webhooks in all their moods.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { Webhook as Receiver } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BodyOf, recordsEndpoints, Webhook } from '@clinic/contract';
import { buildAppointment, buildClient } from '../../testing/builders.ts';
import { changesReadable } from '../../testing/changes-readable.ts';
import { buildTestApp, type SignedIn } from '../../testing/test-app.ts';
import { useApp } from '../../testing/use-app.ts';
import { isClosed, readAddress } from './address.ts';
import { deliverDue, startDelivering } from './deliver.ts';
import { send } from './send.ts';
import { sealSecrets } from './secrets.ts';
import { makeSeal } from '../../access/seal.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const t = useApp(() => buildTestApp());
const DATE = '2030-11-22';
let admin: SignedIn;
let server: Server;
let url: string;
let received: Received[];
/** The status of the next replies; 204 when empty. */
let statuses: number[];
let now: number;
const clock = { now: () => now };

beforeEach(async () => {
  now = Date.now();
  received = [];
  statuses = [];
  server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      const status = statuses.shift() ?? 204;
      reply.writeHead(status, status === 302 ? { location: `${url}elsewhere` } : {}).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  admin ??= await t.signIn({ role: 'admin' });
  await sql`truncate webhook cascade`.execute(t.db);
});
afterEach(() => new Promise((done) => server.close(done)));

type Body = BodyOf<typeof recordsEndpoints.addWebhook>;
const add = (more: Partial<Body> = {}) =>
  admin.call({
    method: 'POST',
    url: '/api/webhooks',
    payload: { url, events: ['appointment.changed'], locations: null, ...more },
  });
async function open(more: Partial<Body> = {}): Promise<{ webhook: Webhook; secret: string }> {
  const reply = await add(more);
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json();
}
const list = async (): Promise<Webhook[]> => (await admin.call({ url: '/api/webhooks' })).json();
const put = (webhook: Webhook, more: object) => {
  const { events, locations, disabled, version } = webhook;
  const payload = { url: webhook.url, events, locations, disabled, version, ...more };
  return admin.call({ method: 'PUT', url: `/api/webhooks/${webhook.id}`, payload });
};
const post = (webhook: Webhook, what: 'secret' | 'replay') =>
  admin.call({ method: 'POST', url: `/api/webhooks/${webhook.id}/${what}` });

async function book(location: 'altamonte' | 'tampa' = 'altamonte'): Promise<string> {
  const client = await buildClient(t.db, { location });
  return buildAppointment(t.db, { therapist: null, client, date: DATE, start: '09:00', end: '10:00', location });
}
async function deliver(): Promise<void> {
  await changesReadable(t.db);
  while ((await deliverDue({ db: t.db, clock, seal: t.deps.seal })) > 0);
}
/** Checks a message as the public library of Standard Webhooks does; returns its content. */
function verified({ headers, body }: Received, secret: string) {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  return new Receiver(secret).verify(body, own);
}

test('an address is told of a change by ids and version, signed so that the public library accepts it', async () => {
  const { webhook, secret } = await open();
  const id = await book();
  await deliver();
  expect(received).toHaveLength(1);
  const [message] = received as [Received];
  expect(verified(message, secret)).toEqual({
    type: 'appointment.changed',
    timestamp: new Date(now).toISOString(),
    data: { id, version: 1, location: 'altamonte', date: DATE },
  });
  expect(() => verified({ ...message, body: message.body.replace('1', '2') }, secret)).toThrow();
  expect(() => verified(message, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow();
  expect(await list()).toMatchObject([{ id: webhook.id, waiting: 0, failed: 0, failing_since: null }]);
  await deliver();
  expect(received).toHaveLength(1);
});

test('an address gets only the events and locations that it is set for, and nothing from before it was made', async () => {
  await book();
  await open({ events: ['day.changed'], locations: ['tampa'] });
  await book('tampa');
  await sql`insert into location_day (location, date, version) values ('tampa', '2030-11-22', 1), ('orlando', '2030-11-22', 1)`.execute(
    t.db,
  );
  await deliver();
  expect(received.map(({ body }) => (JSON.parse(body) as { data: object }).data)).toEqual([
    { id: 'tampa/2030-11-22', version: 1, location: 'tampa', date: DATE },
  ]);
});

test('a message that is refused is tried again later with its id, signed for the new moment, until it is accepted', async () => {
  const { secret } = await open();
  statuses = [500, 302];
  await book();
  await deliver();
  expect(received).toHaveLength(1);
  expect(await list()).toMatchObject([
    { waiting: 1, fault: 'The address replied with 500.', failing_since: expect.any(String) as string },
  ]);
  now += 4000;
  await deliver();
  expect(received).toHaveLength(1);
  now += 2000;
  await deliver();
  expect(received).toHaveLength(2); // a redirect is not followed
  now += 300_000;
  await deliver();
  expect(received).toHaveLength(3);
  const [first, second, third] = received as [Received, Received, Received];
  expect(new Set([first, second, third].map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set([first, second, third].map(({ headers }) => headers['webhook-signature'])).size).toBe(3);
  expect(Number(third.headers['webhook-timestamp'])).toBe(Math.floor(now / 1000));
  const fresh = { ...third.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
  expect(() => verified({ headers: fresh, body: third.body }, secret)).toThrow(); // another moment was signed
  expect(await list()).toMatchObject([{ waiting: 0, failed: 0, failing_since: null }]);
});

test('a message that is never accepted is given up, shown, and sent again when an administrator asks', async () => {
  const { webhook } = await open();
  await book();
  await sql`update webhook set failing_since = null`.execute(t.db);
  for (let tries = 0; tries < 12; tries++) {
    statuses = [503];
    await deliver();
    await sql`update webhook set failing_since = ${new Date(now).toISOString()}`.execute(t.db); // not for five days
    now += 86_400_000;
  }
  expect(received).toHaveLength(10);
  expect(await list()).toMatchObject([
    { waiting: 0, failed: 1, disabled: false, fault: 'The address replied with 503.' },
  ]);
  expect((await post(webhook, 'replay')).json()).toEqual({ deliveries: 1 });
  statuses = [];
  await deliver();
  expect(received).toHaveLength(11);
  expect(received[10]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  expect(await list()).toMatchObject([{ waiting: 0, failed: 0 }]);
});

test('an address that fails for five days, or wants no more, is disabled, and the page says why; enabled again, it starts anew', async () => {
  await open();
  await book();
  statuses = [500];
  await deliver();
  now += 5 * 86_400_000;
  statuses = [500];
  await deliver();
  const [failing] = await list();
  expect(failing).toMatchObject({ disabled: true, disabled_why: 'Nothing could be delivered for five days.' });
  await book();
  await deliver();
  expect(received).toHaveLength(2);
  if (!failing) throw new Error('there is no webhook');
  expect((await put(failing, { disabled: false })).json()).toMatchObject({ disabled: false, disabled_why: null });
  await book();
  statuses = [410];
  now += 86_400_000;
  await deliver();
  expect(await list()).toMatchObject([{ disabled: true, disabled_why: expect.stringMatching(/410/) as string }]);
});

test('a new secret signs at once, and for a day the one before signs too', async () => {
  const { webhook, secret } = await open();
  const renewed = (await post(webhook, 'secret')).json<{ secret: string }>().secret;
  expect(renewed).not.toBe(secret);
  await book();
  await deliver();
  const [message] = received as [Received];
  for (const each of [secret, renewed]) expect(verified(message, each)).toMatchObject({ type: 'appointment.changed' });
  await sql`update webhook set old_until = now() - interval '1 second'`.execute(t.db);
  await book();
  await deliver();
  expect(verified(received[1] as Received, renewed)).toMatchObject({ type: 'appointment.changed' });
  expect(() => verified(received[1] as Received, secret)).toThrow();
  expect(JSON.stringify(await list())).not.toContain('whsec_');
  const trail = await t.db
    .selectFrom('audit')
    .selectAll()
    .where(sql<boolean>`subject_ids @> array[${webhook.id}]`)
    .execute();
  expect(trail.map(({ action }) => action).sort()).toEqual(['webhook.added', 'webhook.secret']);
  expect(JSON.stringify(trail)).not.toContain('whsec_');
});

test('two servers that look at the same time send each message once', async () => {
  await open();
  await Promise.all(Array.from({ length: 25 }, () => book()));
  const other = await buildTestApp({ database: t.opened.database });
  const stops = [t.db, other.deps.db].map((db) =>
    startDelivering(
      { db, clock, seal: t.deps.seal },
      { everyMs: 5, onTrouble: (error) => expect.unreachable(String(error)) },
    ),
  );
  await expect.poll(() => received.length).toBe(25);
  await Promise.all(stops.map((stop) => stop()));
  await other.close();
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(25);
  expect(new Set(received.map(({ body }) => body)).size).toBe(25);
});

test('a message that a killed server had taken is sent later by another one, with the same id', async () => {
  await open();
  await book();
  await changesReadable(t.db);
  const killed = deliverDue({ db: t.db, clock, seal: t.deps.seal, send: () => Promise.reject(new Error('killed')) });
  await expect(killed).rejects.toThrow('killed');
  await deliver();
  expect(received).toEqual([]);
  now += 61_000;
  await deliver();
  expect(received).toHaveLength(1);
});

test.each([
  ['http://hooks.example/', false],
  ['https://hooks.example/in?x=1', true],
  ['https://user:secret@hooks.example/', false],
  ['ftp://hooks.example/', false],
  ['https://10.1.2.3/hooks', true],
  ['http://10.1.2.3/hooks', false],
  ['https://169.254.169.254/latest/meta-data', false],
  ['https://[fe80::1]/', false],
  ['https://[::ffff:169.254.169.254]/', false],
  ['https://0.0.0.0/', false],
  ['https://2852039166/', false], // 169.254.169.254 as a number
  ['http://127.0.0.1:9000/', true],
  ['http://localhost/', true],
  ['nothing', false],
])('the address %s may be sent to: %s', async (address, may) => {
  expect(readAddress(address) !== null).toBe(may);
  const reply = await add({ url: address });
  expect(reply.statusCode).toBe(may ? 201 : 422);
});

test('a name that leads to this machine or to a link is not sent to, although its address was accepted', async () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '169.254.1.1',
    '0.1.2.3',
    'fe80::2',
    '255.255.255.255',
    'name',
  ])
    expect([address, isClosed(address)]).toEqual([address, true]);
  for (const address of ['10.0.0.1', '192.168.1.1', '93.184.216.34', '2606:2800:220:1::1'])
    expect([address, isClosed(address)]).toEqual([address, false]);
  // Each machine has this name for itself, and it is not one by which this machine may be meant.
  const out = { id: 'msg_1', body: '{}', secrets: ['whsec_AAAA'], at: now };
  const sent = await send({ ...out, url: `https://localhost.localdomain:${new URL(url).port}/` });
  expect(sent).toMatchObject({ ok: false });
  expect(received).toEqual([]);
});

test('only an administrator of all locations manages addresses, and an older version is not saved over', async () => {
  for (const by of [t.staff, await t.signIn({ role: 'admin', locations: ['altamonte'] })])
    expect((await by.call({ url: '/api/webhooks' })).statusCode).toBe(403);
  const { webhook } = await open();
  expect((await put(webhook, { events: ['day.changed'] })).json()).toMatchObject({
    version: 2,
    events: ['day.changed'],
  });
  expect((await put(webhook, {})).statusCode).toBe(409);
  expect((await put({ ...webhook, version: 2 }, { url: 'https://169.254.169.254/' })).statusCode).toBe(422);
});

test('the database keeps secrets sealed, also those of a version before, which then sign as they did', async () => {
  const { webhook, secret } = await open();
  await post(webhook, 'secret');
  const stored = () =>
    t.db.selectFrom('webhook').select(['secret', 'old_secret']).where('id', '=', webhook.id).executeTakeFirstOrThrow();
  const kept = await stored();
  for (const text of [kept.secret, kept.old_secret]) expect(text).toMatch(/^sealed:[\w-]+$/);
  await t.db.updateTable('webhook').set({ secret, old_secret: null }).where('id', '=', webhook.id).execute();
  expect(await sealSecrets(t.db, t.deps.seal)).toBe(1);
  expect(await sealSecrets(t.db, t.deps.seal)).toBe(0);
  expect((await stored()).secret).toMatch(/^sealed:/);
  await book();
  await deliver();
  expect(verified(received[0] as Received, secret)).toMatchObject({ type: 'appointment.changed' });
});

test('after TOKEN_KEY was replaced, nothing is sent with a wrong signature, and the administrator is told', async () => {
  await open();
  await book();
  const seal = makeSeal('another key, just as long as the first one');
  await changesReadable(t.db);
  while ((await deliverDue({ db: t.db, clock, seal })) > 0);
  expect(received).toEqual([]);
  expect((await list())[0]?.fault).toContain('make a new secret');
});
