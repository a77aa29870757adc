import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { openBlackProxy, type BlackProxy } from '../testing/black-proxy.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';
import { openStore } from './store.ts';

let database: TestDatabase;
/** Two routes to the same database, standing in for a standby and its primary. */
let standby: BlackProxy;
let primary: BlackProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  [standby, primary] = [await openBlackProxy(database.target, true), await openBlackProxy(database.target)];
});
afterAll(async () => {
  standby.close();
  primary.close();
  await database.close();
});

const portOf = ({ target }: BlackProxy): string => String(target.port ?? new URL(target.connectionString ?? '').port);
const urlThrough = (...proxies: BlackProxy[]): string => {
  const { username, password, pathname } = new URL(urlOf(database.target));
  const hosts = proxies.map((proxy) => `127.0.0.1:${portOf(proxy)}`);
  return `postgres://${username}:${password}@${hosts.join(',')}${pathname}`;
};
const open = (...proxies: BlackProxy[]) =>
  openStore(loadConfig({ DATABASE_URL: urlThrough(...proxies), DEMO: 'off' }), { creates: true, progress: () => {} });

test('given a standby, the server refuses to start and says in one line which server to list instead', async () => {
  await expect(open(standby)).rejects.toMatchObject({
    name: 'StartError',
    message:
      'The database server in DATABASE_URL does not accept writes: it is a standby or was set to read-only. Name the primary, or both servers, separated by a comma.',
  });
});

test('given several hosts, a host that refuses writes is not used', async () => {
  const store = await open(standby, primary);
  expect(JSON.stringify(store.currentHost())).toContain(portOf(primary));
  await sql`create table written (n int)`.execute(store.db);
  await store.close();
});

test('while a primary is read-only, reads work, writes get 503, and /readyz says why', async () => {
  const t = await buildTestApp();
  const staff = await t.signIn();
  const setReadOnly = async (value: string): Promise<void> => {
    await sql
      .raw(`alter database ${t.database.name} set default_transaction_read_only = ${value}`)
      .execute(database.db);
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${t.database.name}`.execute(
      database.db,
    );
  };
  const client = { first_name: 'Ro', last_name: 'Only', location: 'tampa', gender: 'Female', restrictions: [] };
  const add = () => staff.call({ method: 'POST', url: '/api/clients', payload: client });
  const ready = async () => (await t.app.inject({ url: '/readyz' })).json<object>();

  await setReadOnly('on');
  await expect.poll(ready, { timeout: 30_000 }).toEqual({
    status: 'unavailable',
    reason: 'The database does not accept writes: it is a standby or was set to read-only.',
  });
  const refused = await add();
  expect(refused.statusCode).toBe(503);
  expect(refused.json()).toEqual({
    detail:
      'The calendar is read-only right now. Nothing was changed; you can still view everything. Try again in a few minutes.',
  });
  expect((await staff.call({ url: '/api/slots?location=tampa&date=2026-11-20' })).statusCode).toBe(200);

  await setReadOnly('off');
  await expect.poll(ready, { timeout: 30_000 }).toEqual({ status: 'ok' });
  expect((await add()).statusCode).toBe(201);
  await t.close();
});
