import { once } from 'node:events';
import { createConnection, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { buildTestApp } from '../testing/test-app.ts';
import { useApp } from '../testing/use-app.ts';
import type { Routes } from '../access/deps.ts';
import { PATIENCE } from './slow-clients.ts';
import { publishEvent } from '../platform/events.ts';

const QUICK = { headersMs: 1000, requestMs: 2000, replyMs: 3000, lookMs: 50 };
const SLOW = 100;
const PATIENT = { timeout: 30_000 };
/** A string of more bytes than fit into the kernel's buffers. */
const LARGE = 'x'.repeat(24 * 1024 * 1024);

const large: Routes = (app) => {
  app.get('/api/test/large', { config: { access: 'public' } }, (_request, reply) =>
    reply.type('text/plain').send(LARGE),
  );
};

const sockets: Socket[] = [];
const t = useApp(
  () =>
    buildTestApp({
      extraRoutes: [large],
      patience: QUICK,
    }),
  async () => {
    await t.app.listen({ host: '127.0.0.1', port: 0 });
  },
);

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect.poll(connections, PATIENT).toBe(0);
});

/** Opens a connection; `closed` resolves to all data that arrived before the server closed it. */
function connect(text: string, reads = true): Promise<{ socket: Socket; closed: Promise<string> }> {
  const { port } = t.app.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1');
    sockets.push(socket);
    let answer = '';
    if (reads) socket.on('data', (chunk) => (answer += String(chunk)));
    const closed = new Promise<string>((done) => socket.once('close', () => done(answer)));
    socket.on('error', reject);
    socket.once('connect', () => socket.write(text, () => resolve({ socket, closed })));
  });
}

/** Sends a byte now and then, for as long as the connection is open. */
function drip({ socket, closed }: { socket: Socket; closed: Promise<string> }, byte: string): Promise<string> {
  const timer = setInterval(() => socket.writable && socket.write(byte), 40);
  socket.on('error', () => undefined); // the server closed the connection during a write
  return closed.finally(() => clearInterval(timer));
}

const connections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    t.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

async function othersAreServed(): Promise<void> {
  const { port } = t.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${t.staff.token}`, connection: 'close' };
  const reply = await fetch(`http://127.0.0.1:${port}/api/session`, { headers });
  expect(reply.status).toBe(200);
  await reply.text();
}

test('clients that send headers byte by byte are cut off, however many there are, while others are served', async () => {
  const slow = Array.from({ length: SLOW }, async () =>
    drip(await connect('GET /api/session HTTP/1.1\r\nHost: localhost\r\nX-Slow: '), 'a'),
  );
  await othersAreServed();
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

test('clients that send a body byte by byte are cut off, while others are served', async () => {
  const head = 'POST /api/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n';
  const slow = Array.from({ length: SLOW }, async () =>
    drip(await connect(`${head}Content-Length: 10000\r\n\r\n`), 'a'),
  );
  await othersAreServed();
  for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

test('clients that do not read the reply are cut off, while others are served', async () => {
  const slow = await Promise.all(
    Array.from({ length: 3 }, () => connect('GET /api/test/large HTTP/1.1\r\nHost: localhost\r\n\r\n', false)),
  );
  for (const { socket } of slow) socket.on('error', () => undefined);
  expect(await connections()).toBeGreaterThan(0);
  await othersAreServed();
  await expect.poll(connections, PATIENT).toBe(0);
});

test('a client that reads a large reply in time gets all of it', async () => {
  // The usual time limits, since a busy machine may need more than a few seconds for so much.
  const usual = await buildTestApp({ database: t.database, extraRoutes: [large] });
  try {
    await usual.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = usual.app.server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/api/test/large`, { headers: { connection: 'close' } });
    expect((await reply.text()).length).toBe(LARGE.length);
  } finally {
    await usual.close();
  }
});

test('an event stream may last longer, but is cut off when too much data waits for its client', async () => {
  const ask = `GET /api/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${t.staff.token}\r\n\r\n`;
  const reading = await connect(ask);
  let heard = '';
  reading.socket.on('data', (chunk) => (heard += String(chunk)));
  const idle = await connect(ask, false);
  idle.socket.on('error', () => undefined);
  await expect.poll(connections, PATIENT).toBe(2);
  await delay(QUICK.replyMs + 500);
  expect(await connections()).toBe(2);
  let sent = 0;
  while ((await connections()) > 1 && sent < 3000) {
    const some = Array.from({ length: 50 }, () => ({
      kind: 'resync' as const,
      dates: [],
      text: `${sent++}${'x'.repeat(7000)}`,
    }));
    await Promise.all(some.map((event) => publishEvent(t.deps.db, event)));
  }
  await expect.poll(connections, PATIENT).toBe(1);
  await expect.poll(() => heard.match(/"resync"/g)?.length, PATIENT).toBe(sent);
});

test('given a request that arrived while the server was stalled, the server replies instead of refusing it as late', async () => {
  const accepted = once(t.app.server, 'connection');
  const { port } = t.app.server.address() as AddressInfo;
  const socket = createConnection(port, '127.0.0.1');
  sockets.push(socket);
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await accepted;
  // The process is blocked for longer than its limits, with the request unread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, QUICK.headersMs * 1.5);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('given a stalled server, a client that goes on sending byte by byte is still cut off', async () => {
  const accepted = once(t.app.server, 'connection');
  const slow = drip(await connect('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '), 'a');
  await accepted;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, QUICK.headersMs * 1.5);
  expect(await slow).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

test('the refusal of a malformed request is a sentence, like every other refusal', async () => {
  const { closed } = await connect('NONSENSE\r\n\r\n');
  expect(await closed).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n\{"detail":"The request could not be read/);
});

test('clients are told when an idle connection will be closed, and the server waits longer than that', async () => {
  const { port } = t.app.server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}/healthz`);
  await reply.text();
  expect(reply.headers.get('keep-alive')).toBe('timeout=72');
  expect(t.app.server.keepAliveTimeoutBuffer).toBeGreaterThanOrEqual(5000);
  t.app.server.closeIdleConnections();
});

test('by default, the server cuts off slow clients after 15 to 60 seconds', async () => {
  const usual = await buildTestApp({ database: t.database });
  try {
    expect(usual.app.server.headersTimeout).toBe(15_000);
    expect(usual.app.server.requestTimeout).toBe(30_000);
    expect(PATIENCE).toMatchObject({ replyMs: 60_000, lookMs: 5000 });
  } finally {
    await usual.close();
  }
});
