import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { createConnection, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { DEMO_LOGINS } from '../db/demo/load-demo.ts';
import { addAccount } from '../admin/accounts.service.ts';
import { CLIENTS, smallFiles } from '../import/testing/small.ts';
import { importFiles } from '../import/imports.service.ts';
import { buildTestApp, tokenFor, type TestApp } from '../testing/test-app.ts';
import { prepareDemo } from './demo.ts';

let t: TestApp;
let lines: string[] = [];
let firstLines: string[] = [];
// Making the demo clinic takes long, so the tests share one, and each leaves its accounts as they were.
beforeAll(async () => {
  t = await buildTestApp({ config: { demo: true } });
  await prepare();
  firstLines = lines;
});
beforeEach(async () => {
  lines = [];
  const { db } = t.deps;
  await db.deleteFrom('invitation').execute();
  await db.deleteFrom('session').execute();
  await db.deleteFrom('account').where('demo', '=', false).execute();
  await db.updateTable('account').set({ disabled_at: null }).execute();
});
afterAll(() => t.close());

const prepare = (env: Record<string, string> = {}): Promise<void> =>
  prepareDemo(loadConfig(env), t.deps.db, (line) => lines.push(line));

const [STAFF, ADMIN, THERAPIST] = DEMO_LOGINS;
if (!STAFF || !ADMIN || !THERAPIST) throw new Error('a demo login is missing');
const PASSWORD = 'seven violet otters sing';
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const loginPage = async () => (await t.app.inject({ url: '/api/login' })).json<object>();
const whoLogsIn = async (): Promise<string[]> => {
  const able: string[] = [];
  for (const { email, password } of DEMO_LOGINS)
    if (await tokenFor(t.app, email, password).catch(() => null)) able.push(email);
  return able;
};

const ACT = { accountId: null, requestId: null, at: Date.now(), locations: null };
const own = (role: 'admin' | 'scheduler' = 'admin') =>
  addAccount(t.deps.db, ACT, { email: 'dana@clinic.example', name: 'Dana', role, locations: null }, PASSWORD);
const importClients = (dryRun: boolean) =>
  importFiles(t.deps.db, smallFiles({ clients: CLIENTS }), {
    dryRun,
    adminClientName: 'Admin',
    accountId: null,
    now: Date.now(),
  });

test('the demo’s logins are printed when it is loaded, and shown on the login page; their sessions say that it is the demo', async () => {
  for (const { email, password } of DEMO_LOGINS)
    expect(firstLines).toContainEqual(expect.stringMatching(new RegExp(`${email}  ${password}`)));
  await prepare();
  expect(lines).toEqual([]);
  expect(await loginPage()).toMatchObject({ no_account: false, demo_logins: DEMO_LOGINS });
  const headers = as(await tokenFor(t.app, STAFF.email, STAFF.password));
  expect((await t.app.inject({ url: '/api/session', headers })).json()).toMatchObject({ demo: true });
});

test.each<[string, (admin: string) => Promise<unknown>]>([
  ['the first account by command', () => own('scheduler')],
  [
    'the first account on the page',
    (admin) =>
      t.app.inject({
        method: 'POST',
        url: '/api/accounts',
        headers: as(admin),
        payload: { email: 'dana@clinic.example', name: 'D', role: 'admin', locations: null, password: PASSWORD },
      }),
  ],
  [
    'the first invitation that is used',
    async (admin) => {
      const payload = { name: 'D', email: 'dana@clinic.example', role: 'admin', locations: null, by_email: false };
      const url = '/api/colleague-invitations';
      const { secret } = (await t.app.inject({ method: 'POST', url, headers: as(admin), payload })).json<{
        secret: string;
      }>();
      expect(await whoLogsIn()).toHaveLength(3);
      await t.app.inject({ method: 'POST', url: '/api/welcome', payload: { secret, password: PASSWORD } });
    },
  ],
  ['the first import', () => importClients(false)],
])('%s ends the demo accounts for good, and their sessions at once', async (_what, act) => {
  const [staff, admin] = await Promise.all(
    [STAFF, ADMIN].map(({ email, password }) => tokenFor(t.app, email, password)),
  );
  await act(admin ?? '');
  expect((await t.app.inject({ url: '/api/session', headers: as(staff ?? '') })).statusCode).toBe(401);
  expect(await whoLogsIn()).toEqual([]);
  expect(await loginPage()).toMatchObject({ demo_logins: [] });
  // The next day, no made-up sessions join the clinic's own.
  const booked = () => t.deps.db.selectFrom('appointment').select('id').execute();
  const before = (await booked()).length;
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, '');
  await prepare({ CLOCK: tomorrow });
  expect(await booked()).toHaveLength(before);
  // No one can log in with a public password, so the server may now be reached from elsewhere.
  await prepare({ HOST: '0.0.0.0' });
});

test('a dry run, and an import that changes nothing, do not end the demo', async () => {
  await importClients(true);
  await importFiles(t.deps.db, smallFiles({ clients: CLIENTS.slice(0, 0) }), {
    dryRun: false,
    adminClientName: 'Admin',
    accountId: null,
    now: Date.now(),
  });
  expect(await whoLogsIn()).toHaveLength(3);
});

test('an ended demo account cannot be enabled again, nor can it live beside the clinic’s own accounts', async () => {
  await own();
  const token = await tokenFor(t.app, 'dana@clinic.example', PASSWORD);
  const accounts = (await t.app.inject({ url: '/api/accounts', headers: as(token) })).json<
    { id: string; email: string; name: string; role: string }[]
  >();
  const { id, email, name, role } = accounts.find((each) => each.email === STAFF.email) ?? accounts[0] ?? {};
  const payload = { email, name, role, locations: null, disabled: false };
  const reply = await t.app.inject({ method: 'PUT', url: `/api/accounts/${id}`, headers: as(token), payload });
  expect([reply.statusCode, reply.body]).toEqual([422, expect.stringContaining('the demo has ended')]);
  // As an earlier version left it:
  await t.deps.db.updateTable('account').set({ disabled_at: null }).where('demo', '=', true).execute();
  await prepare();
  expect(await whoLogsIn()).toEqual([]);
});

const NO_SIGN_ON = { sign_on: false, admins_only: false };

test('a clinic without any account says so to the login page, whose other words do not change', async () => {
  const empty = await buildTestApp();
  try {
    const page = async () => (await empty.app.inject({ url: '/api/login' })).json<object>();
    expect(await page()).toEqual({ ...NO_SIGN_ON, no_account: true, demo_logins: [] });
    await expect(tokenFor(empty.app, 'dana@clinic.example', PASSWORD)).rejects.toThrow('Invalid credentials');
    // The demo accounts do not count where they cannot log in.
    const demo = { email: STAFF.email, name: 'S', role: 'scheduler', demo: true, password_hash: 'x' } as const;
    await empty.deps.db
      .insertInto('account')
      .values({ ...demo, locations: null, therapist_id: null })
      .execute();
    expect(await page()).toEqual({ ...NO_SIGN_ON, no_account: true, demo_logins: [] });
    await empty.signIn();
    expect(await page()).toEqual({ ...NO_SIGN_ON, no_account: false, demo_logins: [] });
  } finally {
    await empty.close();
  }
});

const FORM = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password }).toString();

async function listen(): Promise<number> {
  if (!t.app.server.listening) await t.app.listen({ host: '127.0.0.1', port: 0 });
  return (t.app.server.address() as AddressInfo).port;
}

/** Logs in as the demo administrator over a real socket, with these headers. */
const logIn = (port: number, more: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...more };
    request({ host: '127.0.0.1', port, path: '/api/token', method: 'POST', headers }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode ?? 0));
    })
      .on('error', reject)
      .end(FORM);
  });

test('through nginx’s bare proxy_pass, which adds no header, a demo account cannot log in', async () => {
  const port = await listen();
  expect(await logIn(port)).toBe(200);
  expect(await logIn(port, { origin: `http://127.0.0.1:${port}` })).toBe(200);
  // From a browser elsewhere, which names the origin of its page:
  for (const origin of ['https://schedule.clinic.example', 'http://10.0.0.7:3000', 'null', 'x'])
    expect(await logIn(port, { origin })).toBe(401);
  // From any other program elsewhere: nginx itself speaks HTTP/1.0, and sets `Host` and `Connection`.
  const raw = (head: string, body = FORM): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = createConnection(port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n${body}`));
      let text = '';
      socket.on('data', (part) => (text += String(part))).on('end', () => resolve(text));
      socket.on('error', reject);
    });
  const head = (version: string): string =>
    [
      `POST /api/token HTTP/${version}`,
      `Host: 127.0.0.1:${port}`,
      'Connection: close',
      `Content-Length: ${FORM.length}`,
      'Content-Type: application/x-www-form-urlencoded',
    ].join('\r\n');
  expect(await raw(head('1.0'))).toMatch(/^HTTP\/1\.1 401 /);
  expect(await raw(head('1.1'))).toMatch(/^HTTP\/1\.1 200 /);
  const metrics = await raw(`GET /metrics HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close`, '');
  expect(metrics).toMatch(/^HTTP\/1\.1 401 /);
});

// Only root can run a program as another user.
test.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')(
  'through a proxy that runs as a service of its own, a demo account cannot log in, whatever the request looks like',
  async () => {
    const port = await listen();
    const login = `fetch('http://127.0.0.1:${port}/api/token', { method: 'POST', body: new URLSearchParams('${FORM}') })
      .then((reply) => process.exit(reply.status === 200 ? 0 : reply.status === 401 ? 41 : 1))`;
    const logInAs = (uid: number): Promise<number | null> =>
      new Promise((resolve) => {
        spawn(process.execPath, ['-e', login], { uid, gid: uid, cwd: '/', env: {}, stdio: 'ignore' })
          .once('error', () => resolve(null))
          .once('exit', resolve);
      });
    const [service, nobody, person] = await Promise.all([33, 65_534, 1000].map(logInAs));
    expect([service, nobody, person]).toEqual([41, 41, 0]);
  },
);
