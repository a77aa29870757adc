import { readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { audit } from '../access/audit.ts';
import { isoAt } from '../platform/clock.ts';
import { VERSION } from '../platform/version.ts';
import { propose } from '../testing/calls.ts';
import { openSmallClinic } from '../testing/small-app.ts';
import { buildTestApp, type SignedIn, type TestApp } from '../testing/test-app.ts';
import type { Routes } from '../access/deps.ts';
import type { Db } from '../db/connection.ts';

const TOKEN = 'otter-lake-piano-otter-lake-piano';
const FAR = { url: '/metrics', remoteAddress: '10.1.2.3' };

let t: TestApp;
let db: Db;
let who: SignedIn;
let opened: TestApp | undefined;
beforeEach(async () => {
  ({ app: t, db, who } = await openSmallClinic(opened));
  opened = t;
});
afterAll(() => t.close());

const fileOf = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

/** The value of a metric with these labels, in this order. */
async function valueOf(name: string, labels = ''): Promise<number | undefined> {
  const { body } = await t.app.inject({ url: '/metrics' });
  const line = body.split('\n').find((each) => each.startsWith(labels ? `${name}{${labels}} ` : `${name} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

test('with METRICS_TOKEN another machine reads the metrics, and with any other token it does not', async () => {
  const open = await buildTestApp({ database: t.database, config: { metricsToken: TOKEN } });
  try {
    const statusWith = async (authorization?: string): Promise<number> =>
      (await open.app.inject({ ...FAR, headers: authorization === undefined ? {} : { authorization } })).statusCode;
    expect(await statusWith(`Bearer ${TOKEN}`)).toBe(200);
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      TOKEN,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Bearer ${TOKEN.replace('o', 'é')}`,
      `Basic ${TOKEN}`,
    ])
      expect(await statusWith(wrong), String(wrong)).toBe(401);
    // The token opens nothing else.
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await open.app.inject({ url: '/api/session', headers })).statusCode).toBe(401);
  } finally {
    await open.close();
  }
  expect((await t.app.inject({ ...FAR, headers: { authorization: 'Bearer undefined' } })).statusCode).toBe(401);
});

test('the metrics say the version, the state of the database and how many connections are open', async () => {
  expect(await valueOf('scheduler_info', `version="${VERSION}"`)).toBe(1);
  expect(await valueOf('scheduler_database_state', 'state="ok"')).toBe(1);
  for (const state of ['lost', 'read-only', 'full'])
    expect(await valueOf('scheduler_database_state', `state="${state}"`), state).toBe(0);
  expect(await valueOf('scheduler_database_connections', 'pool="reads",what="open"')).toBeGreaterThan(0);
  expect(await valueOf('scheduler_database_connections', 'pool="writes",what="waiting"')).toBe(0);
});

test('the metrics say when the last backup and the last import were made, by the trail', async () => {
  for (const name of ['backup', 'import']) expect(await valueOf(`scheduler_${name}_timestamp_seconds`)).toBe(0);
  const entry = { subjectKind: 'database', subjectIds: [], accountId: null };
  const at = { backup: Date.UTC(2026, 10, 19, 3), import: Date.UTC(2026, 10, 18, 4) };
  await db.transaction().execute(async (trx) => {
    for (const early of [86_400_000, 0]) {
      await audit(trx, at.backup - early, { action: 'backup.made', ...entry });
      await audit(trx, at.import - early, { action: 'import.applied', ...entry });
    }
  });
  expect(await valueOf('scheduler_backup_timestamp_seconds')).toBe(at.backup / 1000);
  expect(await valueOf('scheduler_import_timestamp_seconds')).toBe(at.import / 1000);
});

test('the metrics say how many messages wait, and since when; a sent, failed or dropped message does not wait', async () => {
  expect(await valueOf('scheduler_outbox_waiting')).toBe(0);
  expect(await valueOf('scheduler_outbox_oldest_seconds')).toBe(0);
  const now = t.deps.accessClock.now();
  const message = (number: number, minutes: number, settled: Readonly<Record<string, string>> = {}) =>
    db
      .insertInto('message')
      .values({
        location: 'altamonte',
        date: '2026-11-20',
        person: 'therapist:x',
        number,
        version: String(number),
        way: 'email',
        address: 'a@clinic.example',
        words: 'Your day has changed.',
        released_at: isoAt(now - minutes * 60_000),
        next_try_at: isoAt(now),
        ...settled,
      })
      .execute();
  await message(1, 20);
  await message(2, 5);
  await message(3, 300, { sent_at: isoAt(now) });
  await message(4, 300, { failed_at: isoAt(now), fault: 'refused' });
  await message(5, 300, { dropped_at: isoAt(now), dropped_why: 'newer', next_try_at: 'infinity' });
  expect(await valueOf('scheduler_outbox_waiting')).toBe(2);
  expect(await valueOf('scheduler_outbox_oldest_seconds')).toBeCloseTo(20 * 60, -1);
});

test('a solve is counted with its proof and its time', async () => {
  for (const result of ['busy', 'solver-failed'])
    expect(await valueOf('scheduler_solves_total', `what="options",result="${result}"`)).toBe(0);
  await propose(who, { therapist: 'Ana Ruiz' });
  expect(await valueOf('scheduler_solves_total', 'what="options",result="proven"')).toBe(1);
  expect(await valueOf('scheduler_solve_seconds_count', 'what="options"')).toBe(1);
  expect(await valueOf('scheduler_solver', 'what="ready"')).toBeGreaterThan(0);
  expect(await valueOf('scheduler_solver', 'what="waiting"')).toBe(0);
});

test('the alert rules and the dashboard ask only for metrics and routes that exist, and each alert has its page', async () => {
  await propose(who, { therapist: 'Ana Ruiz' });
  const { body } = await t.app.inject({ url: '/metrics' });
  const known = new Set([...body.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
  const rules = fileOf('deploy/prometheus-rules.yml');
  const dashboard = fileOf('deploy/grafana-dashboard.json');
  const asked = [...`${rules}${dashboard}`.matchAll(/\b(?:scheduler|http|nodejs|process)_[a-z\d_]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|count)$/, ''),
  );
  expect(asked.length).toBeGreaterThan(30);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
  const routes = [...dashboard.matchAll(/route=\\"([^"\\]+)\\"/g)].map(([, route]) => route ?? '');
  expect(routes.length).toBeGreaterThan(0);
  for (const url of routes)
    expect(
      ['GET', 'POST'].some((method) => t.app.hasRoute({ method, url })),
      url,
    ).toBe(true);
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '');
  const pages = [...fileOf('docs/failures.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(10);
  expect(pages).toEqual(alerts);
  expect([...rules.matchAll(/runbook: docs\/failures\.md#(\w+)/g)].map(([, name]) => name)).toEqual(
    alerts.map((name) => name.toLowerCase()),
  );
});

test('a request that fails by a fault of the server is counted, from none on', async () => {
  const fails: Routes = (app) =>
    void app.get('/api/test/fails', { config: { access: 'public' } }, () => {
      throw new Error('a fault');
    });
  const failing = await buildTestApp({ database: t.database, extraRoutes: [fails] });
  try {
    const metrics = async (): Promise<string> => (await failing.app.inject({ url: '/metrics' })).body;
    expect(await metrics()).toContain('\nscheduler_faults_total 0\n');
    expect((await failing.app.inject({ url: '/api/test/fails' })).statusCode).toBe(500);
    expect((await failing.app.inject({ url: '/api/nothing' })).statusCode).toBe(404);
    expect(await metrics()).toContain('\nscheduler_faults_total 1\n');
  } finally {
    await failing.close();
  }
});
