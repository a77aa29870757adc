import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClinicEvent } from '@clinic/contract';
import { buildTestApp, tokenFor, type SignedIn, type TestApp } from '../testing/test-app.ts';
import { publishEvent, type ServerEvent } from '../platform/events.ts';

let t: TestApp;
let other: TestApp; // stands in for another process on the same database
let url: string;
beforeAll(async () => {
  t = await buildTestApp();
  other = await buildTestApp({ database: t.database });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await other.close();
  await t.close();
});

interface Stream {
  readonly status: number;
  /** The next event's data; undefined once the stream has ended. */
  next(): Promise<unknown>;
}

async function open(one: SignedIn, query = ''): Promise<Stream> {
  const reply = await fetch(`${url}/api/events${query}`, { headers: { authorization: `Bearer ${one.token}` } });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const stream = {
    status: reply.status,
    async next(): Promise<unknown> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          if (block.startsWith('data: ')) return JSON.parse(block.slice(6)) as unknown;
          if (block === ': connected') return 'connected';
          continue;
        }
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) return undefined;
        text += value;
      }
    },
  };
  if (reply.ok) expect(await stream.next()).toBe('connected');
  return stream;
}

const event = (location: 'tampa' | 'orlando', date = '2026-11-20'): ClinicEvent => ({
  kind: 'appointments',
  location,
  dates: [date],
});

/** Collects all events that this process receives from now on. */
function heard(): ServerEvent[] {
  const events: ServerEvent[] = [];
  t.deps.events.subscribe((each) => events.push(each));
  return events;
}

test('events that one process publishes reach the pages of another process', async () => {
  const stream = await open(await t.signIn());
  await publishEvent(other.deps.db, event('tampa'));
  expect(await stream.next()).toEqual(event('tampa'));
});

test('an event published in a transaction is sent on commit, and not at all after a rollback', async () => {
  const stream = await open(await t.signIn());
  await expect(
    t.deps.db.transaction().execute(async (trx) => {
      await publishEvent(trx, event('tampa', '2026-01-01'));
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await t.deps.db.transaction().execute((trx) => publishEvent(trx, event('tampa', '2026-01-02')));
  expect(await stream.next()).toEqual(event('tampa', '2026-01-02'));
});

test('a page receives the events of all its account’s locations, or of the location that it requests', async () => {
  const bound = await t.signIn({ locations: ['tampa'] });
  const [all, one] = [await open(bound), await open(await t.signIn(), '?location=orlando')];
  await publishEvent(t.deps.db, event('orlando'));
  await publishEvent(t.deps.db, event('tampa'));
  expect(await all.next()).toEqual(event('tampa'));
  expect(await one.next()).toEqual(event('orlando'));
  expect((await open(bound, '?location=orlando')).status).toBe(403);
  expect((await open(bound, '?location=miami')).status).toBe(422);
});

test('when a session ends, its stream ends at once in every process', async () => {
  const one = await t.signIn();
  const [mine, another] = [await open(one), await open(await t.signIn())];
  const told = heard();
  await other.app.inject({ method: 'POST', url: '/api/sign-out', headers: { authorization: `Bearer ${one.token}` } });
  expect(await mine.next()).toBeUndefined();
  // The other process published this event; without it, the stream would end only at the next heartbeat.
  expect(told).toContainEqual({ kind: 'session-ended', session: expect.any(String) as string });
  await publishEvent(t.deps.db, event('tampa'));
  expect(await another.next()).toEqual(event('tampa'));
});

test('when an account is disabled, its stream ends', async () => {
  const admin = await t.signIn({ role: 'admin' });
  const one = await t.signIn();
  const stream = await open(one);
  const told = heard();
  const payload = { email: one.email, name: 'X', role: 'scheduler', locations: null, disabled: true };
  await admin.call({ method: 'PUT', url: `/api/accounts/${one.accountId}`, payload });
  expect(await stream.next()).toBeUndefined();
  expect(told).toContainEqual({ kind: 'account-ended', account: one.accountId });
});

test("when an account's locations change, its stream ends, and a new stream carries only events of the new location", async () => {
  const admin = await t.signIn({ role: 'admin' });
  const one = await t.signIn({ locations: ['tampa'] });
  const stream = await open(one);
  const payload = { email: one.email, name: 'X', role: 'scheduler', locations: ['orlando'] };
  const { db } = other.deps;
  await admin.call({ method: 'PUT', url: `/api/accounts/${one.accountId}`, payload });
  await publishEvent(db, event('tampa'));
  expect(await stream.next()).toBeUndefined();
  const anew = await open(one);
  await publishEvent(db, event('tampa'));
  await publishEvent(db, event('orlando'));
  expect(await anew.next()).toEqual(event('orlando'));
});

test('given an account with the maximum number of streams, only other accounts can open more', async () => {
  const greedy = await t.signIn();
  const opened = await Promise.all(Array.from({ length: 50 }, () => open(greedy)));
  expect(new Set(opened.map((stream) => stream.status))).toEqual(new Set([200]));
  expect((await open(greedy)).status).toBe(429);
  expect((await open(await t.signIn())).status).toBe(200);
  await other.app.inject({
    method: 'POST',
    url: '/api/sign-out',
    headers: { authorization: `Bearer ${greedy.token}` },
  });
  for (const stream of opened) expect(await stream.next()).toBeUndefined();
  const again = await tokenFor(t.app, greedy.email, greedy.password);
  expect((await open({ ...greedy, token: again })).status).toBe(200);
});

test('once a lost database connection is restored, pages are told to reload, and receive events again', async () => {
  const stream = await open(await t.signIn());
  const admin = await t.database.pool.connect();
  await admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '%:events'",
  );
  admin.release();
  expect(await stream.next()).toEqual({ kind: 'resync', dates: [] });
  await publishEvent(t.deps.db, event('tampa'));
  expect(await stream.next()).toEqual(event('tampa'));
});

test("open streams do not delay the server's shutdown", async () => {
  const own = await buildTestApp({ database: t.database });
  await own.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = own.app.server.address() as AddressInfo;
  const one = await own.signIn();
  const reply = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { authorization: `Bearer ${one.token}` },
  });
  const body = reply.text();
  await own.close();
  expect(await body).toContain(': connected');
});
