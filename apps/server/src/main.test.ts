import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import type pg from 'pg';
import { loadConfig } from './config.ts';
import { openBlackProxy } from './testing/black-proxy.ts';
import { SUPERUSER } from './db/embedded/postmaster.ts';
import { ONE_SOLVER, startServerProcess, type ServerProcess } from './testing/server-process.ts';
import { createTestDatabase, urlOf, type TestDatabase } from './testing/test-database.ts';
import { openStore } from './platform/store.ts';
import { VERSION } from './platform/version.ts';

let database: TestDatabase;
let settings: Record<string, string>;
let running: ServerProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  settings = { DATABASE_URL: urlOf(database.target), DEMO: 'on', ...ONE_SOLVER };
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGTERM');
  await Promise.all(running.map((server) => server.ended));
  running = [];
});
afterAll(() => database.close());

async function start(more: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startServerProcess({ ...settings, ...more });
  running.push(server);
  return server;
}

const signIn = (url: string) =>
  fetch(`${url}/api/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'staff@clinic.example', password: 'demo clinic password' }),
  });

async function tokenOf(url: string): Promise<string> {
  const reply = await signIn(url);
  expect(reply.status).toBe(200);
  return ((await reply.json()) as { access_token: string }).access_token;
}

/** The database's URL over TCP. */
function urlOfHost({ connectionString, host, port, user, password, database: name }: pg.PoolConfig): string {
  return connectionString ?? `postgres://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${name}`;
}

const session = (url: string, token: string) =>
  fetch(`${url}/api/session`, { headers: { authorization: `Bearer ${token}` } });

test('the version is that of package.json', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  expect(text).toContain(`"version": "${VERSION}"`);
});

test('the server prints only the ready line on stdout, serves the demo clinic, and exits with code 0 on SIGTERM', async () => {
  const server = await start();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION });
  const token = await tokenOf(server.url);
  const { now } = (await (await session(server.url, token)).json()) as { now: string };
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(now));
  const slots = await fetch(`${server.url}/api/slots?date=${date}&location=altamonte`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(((await slots.json()) as { appointments: unknown[] }).appointments.length).toBeGreaterThan(30);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.stdout).toEqual([`Scheduler is ready at ${server.url}`]);
  expect(server.stderr).toContainEqual(expect.stringMatching(/^Database: clinic_\w+ at /));
  expect(server.stderr).toContainEqual(expect.stringContaining(`"version":"${VERSION}"`));
});

// With a developer's own test server, the superuser's login is unknown.
const ownServer = inject('testServer').target.connectionString !== undefined;
test.skipIf(ownServer)(
  'given a database user with superuser rights, the server reports this when it starts',
  async () => {
    const told = async (user: string | undefined): Promise<string[]> => {
      const lines: string[] = [];
      const config = loadConfig({ DATABASE_URL: urlOf({ ...database.target, user }) });
      const store = await openStore(config, { creates: true, progress: (line) => lines.push(line) });
      await store.close();
      return lines;
    };
    expect(await told(SUPERUSER)).toEqual([expect.stringMatching(/^The user in DATABASE_URL is a superuser/)]);
    expect(await told(database.target.user)).toEqual([]);
  },
);

test('given two servers on one database, both serve requests, and logging out on one takes effect on the other at once', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  const token = await tokenOf(one.url);
  expect((await session(two.url, token)).status).toBe(200);
  await fetch(`${one.url}/api/sign-out`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  expect((await session(two.url, token)).status).toBe(401);
});

test('on a signal, running requests get replies, event streams are closed, and new requests are refused', async () => {
  const server = await start();
  const token = await tokenOf(server.url);
  const stream = await fetch(`${server.url}/api/events`, { headers: { authorization: `Bearer ${token}` } });
  const streamed = stream.text();
  const blocker = await database.pool.connect();
  await blocker.query('begin; lock table login_budget in access exclusive mode');
  const slow = signIn(server.url);
  for (;;) {
    const { rows } = await database.pool.query(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%login_budget%' and datname = current_database()",
    );
    if (rows.length > 0) break;
  }
  server.child.kill('SIGTERM');
  server.child.kill('SIGINT'); // a second signal changes nothing
  expect(await streamed).toContain(': connected');
  await expect(fetch(`${server.url}/readyz`)).rejects.toThrow();
  await blocker.query('rollback');
  blocker.release();
  expect((await slow).status).toBe(200);
  expect(await server.ended).toBe(0);
});

test('when the database stops responding, the server reports the loss, ends every request, and can still stop', async () => {
  const network = await openBlackProxy(database.target);
  const server = await start({ DATABASE_URL: urlOfHost(network.target) });
  const token = await tokenOf(server.url);
  network.goBlack();
  const black = Date.now();
  const asked = session(server.url, token);
  const began = performance.now();
  const reason = async (): Promise<string | undefined> =>
    ((await (await fetch(`${server.url}/readyz`)).json()) as { reason?: string }).reason;
  await expect.poll(reason, { timeout: 60_000 }).toBe('The database does not reply.');
  // The reply takes 9 seconds, or longer if the request has to wait for the connection that the health check uses.
  expect((await asked).status).toBe(503);
  const line = server.stderr.find((each) => each.includes('The database does not reply.')) ?? '{}';
  const { time } = JSON.parse(line) as { time: string };
  // A heartbeat and its time limit take 9 seconds; without them, the server would keep waiting for the database.
  expect(Date.parse(time) - black).toBeLessThan(30_000);
  server.child.kill('SIGTERM');
  const stopped = performance.now();
  expect(await server.ended).toBe(0);
  // A stop takes at most 10 seconds; the rest is a margin for a busy machine.
  expect(performance.now() - stopped).toBeLessThan(30_000);
  expect(performance.now() - began).toBeLessThan(90_000);
  network.close();
});

test('the server stops if npm start is killed and its pipe closes', async () => {
  const server = await start();
  server.child.stdio[3]?.destroy();
  expect(await server.ended).toBe(0);
});

test('an occupied port is reported in one line', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  const { port } = holder.address() as AddressInfo;
  await expect(start({ PORT: String(port) })).rejects.toThrow(
    `1: Port ${port} on 127.0.0.1 is taken by another program: stop it, or set PORT to another number.`,
  );
  holder.close();
});

test.each<[string, Record<string, string>, RegExp]>([
  ['a bad setting', { PORT: 'x' }, /^1: PORT is 'x'; it must be a whole number from 0 to 65535\.$/],
  ['demo accounts where other machines can reach it', { HOST: '0.0.0.0' }, /^1: The database holds the demo accounts/],
  [
    'a database server that does not answer',
    { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' },
    /^1: The database server in DATABASE_URL cannot be used: .*ECONNREFUSED.*$/,
  ],
  [
    'a data folder that is not a folder',
    { DATABASE_URL: '', DATA_DIR: '/dev/null' },
    /^1: The data folder \/dev\/null cannot be used: .*$/,
  ],
])('given %s, the start fails with one line and exit code 1', async (_what, more, line) => {
  await expect(start(more)).rejects.toThrow(line);
});

test('command-line arguments are refused, because settings are environment variables', async () => {
  await expect(startServerProcess(settings, ['--port', '3000'])).rejects.toThrow(
    "1: The server takes no arguments (found '--port')",
  );
});

test('CLOCK sets the current time, including the time of sessions and tokens', async () => {
  const server = await start({ CLOCK: '2026-11-20T12:00:00Z' });
  const token = await tokenOf(server.url);
  const reply = (await (await session(server.url, token)).json()) as { now: string; session_ends: string };
  expect(reply.now).toMatch(/^2026-11-20T12:0/);
  expect(reply.session_ends).toMatch(/^2026-11-21T00:0/);
});
