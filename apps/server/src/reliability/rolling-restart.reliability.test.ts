import { once } from 'node:events';
import { Agent, createServer, request as ask, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ONE_SOLVER, startServerProcess, type ServerProcess } from '../testing/server-process.ts';
import { migrate, readMigrations } from '../db/migrate.ts';
import { createTestDatabase, urlOf, type TestDatabase } from '../testing/test-database.ts';

let database: TestDatabase;
let running: ServerProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const { child } of running) child.kill('SIGTERM');
  await Promise.all(running.map((server) => server.ended));
  running = [];
});
afterAll(() => database.close());

async function start(): Promise<ServerProcess> {
  const server = await startServerProcess({
    DATABASE_URL: urlOf(database.target),
    DEMO: 'on',
    LOG_LEVEL: 'warn',
    ...ONE_SOLVER,
    DRAIN_SECONDS: '1',
  });
  running.push(server);
  return server;
}

async function tokenOf(url: string, who = 'staff', word = 'clinic'): Promise<string> {
  const body = new URLSearchParams({ username: `${who}@clinic.example`, password: `demo ${word} password` });
  const reply = await fetch(`${url}/api/token`, { method: 'POST', body });
  expect(reply.status).toBe(200);
  return ((await reply.json()) as { access_token: string }).access_token;
}

/**
 * A proxy in front of several servers, like nginx without health checks. Each request goes to the next server, on an
 * open connection if there is one. A server that refuses the connection is skipped; a request that breaks on an open
 * connection is repeated if it only reads. The proxy is not warned when a server is about to stop.
 */
class Balancer {
  readonly backends: string[] = [];
  readonly server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  #turn = 0;
  /** How many requests broke on an open connection; a browser would repeat them. */
  again = 0;
  constructor() {
    this.server = createServer((incoming, outgoing) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        this.#pass(incoming, Buffer.concat(parts), this.backends.length).then(
          (reply) => {
            const { connection: _, 'keep-alive': __, ...headers } = reply.headers;
            outgoing.writeHead(reply.statusCode ?? 502, headers);
            reply.pipe(outgoing);
          },
          () => outgoing.writeHead(502).end(),
        );
      });
    });
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#agent.destroy();
    this.server.closeAllConnections();
    this.server.close();
  }

  async #pass(incoming: IncomingMessage, body: Buffer, left: number): Promise<IncomingMessage> {
    const backend = this.backends[this.#turn++ % this.backends.length];
    if (!backend || left === 0) throw new Error('no server is left');
    const { connection: _, ...headers } = incoming.headers;
    const sent = ask(`${backend}${incoming.url}`, { method: incoming.method, headers, agent: this.#agent });
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        sent.on('response', resolve).on('error', reject).end(body);
      });
    } catch (error) {
      const refused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      if (!refused && incoming.method !== 'GET') throw error;
      if (!refused) this.again++;
      return this.#pass(incoming, body, left - 1);
    }
  }
}

test('given a proxy that keeps connections open, servers are restarted one after another and no request fails', async () => {
  const balancer = new Balancer();
  const url = await balancer.listen();
  try {
    const first = await Promise.all([start(), start()]);
    balancer.backends.push(...first.map((server) => server.url));
    const token = await tokenOf(url);
    const headers = { authorization: `Bearer ${token}` };
    const answered = new Map<number, number>();
    let stop = false;
    let writes = 0;
    const paths = ['/api/session', '/api/therapists?location=tampa', '/api/slots?date=2030-03-06&location=tampa'];
    const person = { last_name: 'Roll', location: 'tampa', gender: 'Female', restrictions: [] };
    const worker = async (n: number): Promise<void> => {
      for (let i = 0; !stop; i++) {
        const write = i % 5 === 4;
        const reply = await (write
          ? fetch(`${url}/api/clients`, {
              method: 'POST',
              headers: { ...headers, 'content-type': 'application/json' },
              body: JSON.stringify({ ...person, first_name: `Client ${n} ${i}` }),
            })
          : fetch(`${url}${paths[i % paths.length]}`, { headers }));
        await reply.text();
        answered.set(reply.status, (answered.get(reply.status) ?? 0) + 1);
        if (write && reply.status === 201) writes++;
      }
    };
    const workers = Promise.all(Array.from({ length: 2 }, (_, n) => worker(n)));
    for (const old of first) {
      const next = await start();
      balancer.backends.push(next.url);
      old.child.kill('SIGTERM');
      expect(await old.ended).toBe(0);
    }
    stop = true;
    await workers;
    expect([...answered.keys()].sort()).toEqual([200, 201]);
    expect(writes).toBeGreaterThan(5);
    expect(balancer.again).toBe(0);
    const { rows } = await database.pool.query<{ n: number }>(
      "select count(*)::int as n from client where last_name = 'Roll'",
    );
    expect(rows[0]?.n).toBe(writes);
  } finally {
    balancer.close();
  }
});

test('a login, a logout, a disabled account or an event on one of two servers takes effect on the other at once', async () => {
  const [one, two] = await Promise.all([start(), start()]);
  // The first real account would end the demo's accounts, which these tests use.
  await database.pool.query('update account set demo = false');
  const admin = { authorization: `Bearer ${await tokenOf(one.url, 'admin', 'admin')}` };
  const json = { ...admin, 'content-type': 'application/json' };
  const body = { email: 'rolling@clinic.example', name: 'Rolling', role: 'scheduler', locations: null };
  const password = 'wide rivers carry slow boats';
  const added = await fetch(`${one.url}/api/accounts`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ ...body, password }),
  });
  expect(added.status).toBe(201);
  const { id } = (await added.json()) as { id: string };
  const signIn = async () => {
    const reply = await fetch(`${two.url}/api/token`, {
      method: 'POST',
      body: new URLSearchParams({ username: body.email, password }),
    });
    return ((await reply.json()) as { access_token: string }).access_token;
  };
  const session = async (url: string, token: string) =>
    (await fetch(`${url}/api/session`, { headers: { authorization: `Bearer ${token}` } })).status;

  const [left, kept] = [await signIn(), await signIn()];
  expect(await session(one.url, left)).toBe(200);
  await fetch(`${one.url}/api/sign-out`, { method: 'POST', headers: { authorization: `Bearer ${left}` } });
  expect([await session(two.url, left), await session(two.url, kept)]).toEqual([401, 200]);

  const stream = await fetch(`${two.url}/api/events`, { headers: { authorization: `Bearer ${kept}` } });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = (await reader?.read())?.value ?? '';
  const saved = await fetch(`${one.url}/api/clients`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ first_name: 'Eve', last_name: 'Nt', location: 'tampa', gender: 'Female', restrictions: [] }),
  });
  expect(saved.status).toBe(201);
  while (!heard.includes('"profiles"')) heard += (await reader?.read())?.value ?? '';
  expect(heard).not.toContain('Eve');

  const disabled = await fetch(`${one.url}/api/accounts/${id}`, {
    method: 'PUT',
    headers: json,
    body: JSON.stringify({ ...body, disabled: true }),
  });
  expect(disabled.status).toBe(200);
  expect(await session(two.url, kept)).toBe(401);
  for (;;) if ((await reader?.read())?.done !== false) break; // the stream ends when its account is disabled
});

test('given a newer version’s schema, a server that crashed starts again beside it, or is refused with the way out', async () => {
  const { pool } = database;
  const known = readMigrations();
  const newer = (name: string, sql: string) => ({ name, sql, checksum: name });
  const added = newer('9998-added.sql', 'alter table client add column pet text; create table pet (name text)');
  const old = await start();
  // The newer version starts beside it and brings the database up to date. Then the old server dies.
  await migrate(pool, [...known, added]);
  old.child.kill('SIGKILL');
  await old.ended;
  try {
    const again = await start();
    expect(again.stderr.join()).toContain('A newer version has brought the database up to date (9998-added.sql)');
    expect((await fetch(`${again.url}/readyz`)).status).toBe(200);
    const headers = { authorization: `Bearer ${await tokenOf(again.url)}`, 'content-type': 'application/json' };
    const person = { first_name: 'Beside', last_name: 'Newer', location: 'tampa', gender: 'Female', restrictions: [] };
    const saved = await fetch(`${again.url}/api/clients`, { method: 'POST', headers, body: JSON.stringify(person) });
    expect(saved.status).toBe(201);
    expect((await fetch(`${again.url}/api/clients`, { headers })).status).toBe(200);

    const changed = newer('9999-changed.sql', 'alter table client alter column pet set not null');
    await pool.query("update client set pet = ''");
    await migrate(pool, [...known, added, changed], changed.name);
    await expect(start()).rejects.toThrow(
      /newer version .*\(9999-changed.sql\).*start that version.*restore the backup/,
    );
  } finally {
    await pool.query(
      `delete from migrations where name like '999%'; drop table pet; alter table client drop column pet`,
    );
  }
});
