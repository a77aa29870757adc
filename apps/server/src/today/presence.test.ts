import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Presence } from '@clinic/contract';
import { seeTab } from '../platform/presence.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';

const TAB = '7c0e8f1a-0d5b-4c0c-9a52-0f4a3c1d2e01';
const OTHER_TAB = '7c0e8f1a-0d5b-4c0c-9a52-0f4a3c1d2e02';
const WORK = { location: 'altamonte', date: '2026-11-23', what: 'options' } as const;

let now = Date.now();
let t: TestApp;
let other: TestApp; // stands in for another process on the same database
let dana: SignedIn;
let sam: SignedIn;
beforeAll(async () => {
  const deps = { accessClock: { now: () => now } };
  const config = { idleMinutes: 1440, sessionHours: 168 };
  t = await buildTestApp({ deps, config });
  other = await buildTestApp({ deps, config, database: t.database });
  dana = await t.signIn({ name: 'Dana Whitfield' });
  sam = await t.signIn({ name: 'Sam Ortiz' });
});
beforeEach(() => t.deps.db.deleteFrom('presence').execute());
afterAll(async () => {
  await other.close();
  await t.close();
});

const put = (who: SignedIn, work: object | null, tab = TAB) =>
  who.call({ method: 'PUT', url: '/api/presence', payload: { tab, work } });
const seenBy = async (who: SignedIn): Promise<Presence[]> =>
  (await who.call({ url: '/api/presence' })).json<Presence[]>();

test('an account has at most 50 pages at a time, however many ids it makes up; the oldest give way', async () => {
  const tab = (n: number): string => `made-up-${n}`;
  for (let n = 0; n < 60; n++, now++) expect((await put(dana, WORK, tab(n))).statusCode).toBe(204);
  const rows = () => t.deps.db.selectFrom('presence').select(['tab', 'account_id']).execute();
  const tabs = (await rows()).map((row) => row.tab);
  expect(tabs.toSorted()).toEqual(Array.from({ length: 50 }, (_, n) => tab(n + 10)).sort());
  await put(sam, WORK, tab(60));
  expect(await rows()).toHaveLength(51);
});

test('what an account is working on is shown to the other accounts at its location, but not to the account itself or at other locations', async () => {
  expect((await put(dana, WORK)).statusCode).toBe(204);
  expect(await seenBy(sam)).toEqual([{ ...WORK, by: 'Dana Whitfield' }]);
  expect(await seenBy(dana)).toEqual([]);
  expect(await seenBy(await t.signIn({ locations: ['tampa'] }))).toEqual([]);
  await put(dana, { ...WORK, what: 'calls' });
  expect(await seenBy(sam)).toEqual([{ ...WORK, what: 'calls', by: 'Dana Whitfield' }]);
  await put(dana, null);
  expect(await seenBy(sam)).toEqual([]);
});

test('a page that is open in two tabs is shown once', async () => {
  await put(dana, WORK);
  await put(dana, WORK, OTHER_TAB);
  expect(await seenBy(sam)).toHaveLength(1);
});

test('an account cannot claim to be working at a location that it may not see, or on another account’s page', async () => {
  expect((await put(await t.signIn({ locations: ['tampa'] }), WORK)).statusCode).toBe(403);
  await put(dana, WORK);
  await put(sam, { ...WORK, what: 'calls' });
  await put(sam, null);
  expect(await seenBy(sam)).toEqual([{ ...WORK, by: 'Dana Whitfield' }]);
});

test('given a page whose server died, then the account’s work is shown for one minute after the last heartbeat', async () => {
  await put(dana, WORK);
  now += 50_000;
  await seeTab(t.deps.db, { tab: TAB, accountId: dana.accountId }, now);
  now += 50_000;
  expect(await seenBy(sam)).toHaveLength(1);
  now += 11_000;
  expect(await seenBy(sam)).toEqual([]);
});

test('when a page closes, the account’s work on it is no longer shown, and other server processes are notified', async () => {
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
  const page = new AbortController();
  const headers = { authorization: `Bearer ${dana.token}` };
  const stream = await fetch(`${url}/api/events?tab=${TAB}`, { headers, signal: page.signal });
  expect(stream.status).toBe(200);
  await put(dana, WORK);
  expect(await seenBy(sam)).toHaveLength(1);
  const heard = new Promise<unknown>((resolve) => {
    const end = other.deps.events.subscribe((event) => {
      if (event.kind !== 'presence') return;
      end();
      resolve(event);
    });
  });
  await stream.body?.cancel();
  page.abort();
  const { location, date } = WORK;
  // This event may still announce the work itself, so the test waits until Sam no longer sees the work.
  expect(await heard).toEqual({ kind: 'presence', location, dates: [date], by: dana.accountId });
  await expect.poll(() => seenBy(sam)).toEqual([]);
});
