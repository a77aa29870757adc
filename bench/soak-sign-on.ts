// This file is over 250 lines because it plays the provider, the directory and the people.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Browser, type Page } from '@playwright/test';
import { SIGN_ON_FAILURES, type Role, type SessionReply } from '@clinic/contract';
import { browserOptions } from '../e2e/fixtures/browser.ts';
import { startPublicServer } from '../e2e/fixtures/server.ts';
import { freePorts } from './cluster.ts';

export const SIGN_ON = 'sign-on';

/** The newest that was tried; it needs Java 17. */
const KEYCLOAK = '26.5.6';
const REALM = 'clinic';
const SECRET = 'a secret of Keycloak and the scheduler';
const SCIM_TOKEN = 'a token of the directory, long enough to be one';
const PASSWORD = 'seven green lamps on a shelf';
const ADMIN = { email: 'ada@clinic.example', password: 'otter lake piano window' };
const ROLES = 'clinic-admins=admin,desk=scheduler@tampa,guests=viewer@orlando';
const CONFIRM = /do you want to log ?out/i;
/** A key that is not known is asked for once a minute. */
const KEYS_REST_MS = 61_000;

/** The people of the realm, and the roles that it gives them. */
const PEOPLE: Readonly<Record<string, readonly string[]>> = { dana: ['desk'], vera: ['guests'], nora: [] };
const emailOf = (name: string): string => `${name}@clinic.example`;

/** Keycloak's own form of a realm, with one client and the people. */
const realmOf = (url: string) => ({
  realm: REALM,
  enabled: true,
  sslRequired: 'none',
  roles: { realm: [...new Set(Object.values(PEOPLE).flat())].map((name) => ({ name })) },
  clients: [
    {
      clientId: 'scheduler',
      secret: SECRET,
      redirectUris: [`${url}/api/sign-on/callback`],
      attributes: { 'pkce.code.challenge.method': 'S256', 'post.logout.redirect.uris': `${url}/login` },
      protocolMappers: [
        {
          name: 'roles',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-usermodel-realm-role-mapper',
          config: { 'claim.name': 'roles', multivalued: 'true', 'jsonType.label': 'String', 'id.token.claim': 'true' },
        },
      ],
    },
  ],
  users: Object.entries(PEOPLE).map(([username, realmRoles]) => ({
    username,
    email: emailOf(username),
    emailVerified: true,
    enabled: true,
    firstName: username,
    lastName: 'Reyes',
    credentials: [{ type: 'password', value: PASSWORD }],
    realmRoles,
  })),
});

/**
 * Signs people on through a Keycloak as it is shipped (from Maven, on Java 17), in a browser: the code flow, roles and
 * locations, another key, the logout, the directory's end of an account. Needs `java` and `mvn`.
 * @returns whether all of this is as documented
 */
export async function runSignOn(results: string): Promise<boolean> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'clinic-sign-on-'));
  const [port = 0, theirs = 0] = await freePorts(2);
  const url = `http://localhost:${port}`;
  const figures: Record<string, string> = {};
  const browser = await chromium.launch(browserOptions());
  const keycloak = await startKeycloak(folder, theirs, url);
  const server = await startPublicServer(ADMIN, {
    PORT: String(port),
    PUBLIC_URL: url,
    OIDC_ISSUER: `${keycloak.url}/realms/${REALM}`,
    OIDC_CLIENT_ID: 'scheduler',
    OIDC_CLIENT_SECRET: SECRET,
    OIDC_ROLES: ROLES,
    SCIM_TOKEN,
  });
  const scene: Scene = { url, browser, admin: keycloak.admin };
  const steps: Readonly<Record<string, (scene: Scene) => Promise<string>>> = {
    'code flow': signsOn,
    roles: getsRoles,
    'another key': takesAnotherKey,
    logout: logsOut,
    'end of an account': isEnded,
  };
  try {
    await invite(scene);
    for (const [name, step] of Object.entries(steps))
      figures[name] = await step(scene).catch((error: unknown) => {
        process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
        return 'FAILED';
      });
  } finally {
    await browser.close();
    await server.stop();
    await keycloak.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  const count = Object.keys(figures).length;
  const result = { name: SIGN_ON, count, seconds, at: new Date(), figures: { Keycloak: KEYCLOAK, ...figures } };
  writeFileSync(join(results, `${SIGN_ON}.json`), `${JSON.stringify(result, null, 2)}\n`);
  return !Object.values(figures).includes('FAILED');
}

interface Scene {
  readonly url: string;
  readonly browser: Browser;
  /** Calls Keycloak's administration of the realm. */
  readonly admin: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

/** Whether a step may go on; the message says what was found. */
function must(holds: boolean, found: string): void {
  if (!holds) throw new Error(found);
}

async function startKeycloak(folder: string, port: number, scheduler: string) {
  const artifact = `org.keycloak:keycloak-quarkus-dist:${KEYCLOAK}:zip`;
  const unpack = ['-q', '-B', 'dependency:unpack', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
  const { status, error } = spawnSync('mvn', unpack, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`Keycloak could not be fetched: ${error?.message ?? String(status)}`);
  const home = join(folder, `keycloak-${KEYCLOAK}`);
  const imports = join(home, 'data', 'import');
  mkdirSync(imports, { recursive: true });
  writeFileSync(join(imports, 'realm.json'), JSON.stringify(realmOf(scheduler)));
  const own = ['--import-realm', `--http-port=${port}`, '--http-host=127.0.0.1', '--cache=local'];
  const env = { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin' };
  const child: ChildProcess = spawn('sh', [join(home, 'bin/kc.sh'), 'start-dev', ...own], {
    env: { ...env, JAVA_OPTS_KC_HEAP: '-Xmx600m' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // it starts itself again after its first build
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (said += text.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const url = `http://127.0.0.1:${port}`;
  const isUp = (): Promise<boolean> =>
    fetch(`${url}/realms/${REALM}`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const end = performance.now() + 600_000; !(await isUp()); await delay(500))
    if (performance.now() > end || child.exitCode !== null) throw new Error(`Keycloak did not start:\n${said}`);

  async function admin(method: string, path: string, body?: unknown): Promise<unknown> {
    const login = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'admin' });
    login.set('password', 'admin');
    const token = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body: login });
    const { access_token } = (await token.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(`${url}/admin/realms/${REALM}${path}`, { method, headers, ...sent });
    must(reply.ok, `Keycloak: ${method} ${path}: ${reply.status} ${reply.ok ? '' : await reply.text()}`);
    return reply.status === 200 ? reply.json() : undefined;
  }
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  return { url, admin, stop };
}

/** The break-glass administrator, who has a password here, invites two people; nora has no account. */
async function invite({ url }: Scene): Promise<void> {
  const login = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password });
  const reply = await fetch(`${url}/api/token`, { method: 'POST', body: login });
  const { access_token } = (await reply.json()) as { access_token: string };
  for (const name of ['dana', 'vera']) {
    const body = { name, email: emailOf(name), role: 'scheduler', locations: ['altamonte'], by_email: false };
    const { status } = await fetch(`${url}/api/colleague-invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    must(status < 300, `inviting ${name}: ${status}`);
  }
}

/** Opens a browser of its own, and logs a person in as they would. */
async function logIn({ browser, url }: Scene, name: string, page?: Page): Promise<Page> {
  const tab = page ?? (await (await browser.newContext()).newPage());
  await tab.goto(`${url}/login`);
  await tab.getByRole('button', { name: 'Log in with your clinic’s account' }).click();
  await tab.locator('#username').fill(name);
  await tab.locator('#password').fill(PASSWORD);
  await tab.locator('#kc-login').click();
  return tab;
}

async function sessionOf(tab: Page): Promise<SessionReply> {
  await tab.waitForFunction(() => localStorage.getItem('access_token') !== null, undefined, { timeout: 60_000 });
  return tab.evaluate(async () => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('access_token')}` };
    return (await fetch('/api/session', { headers })).json() as Promise<SessionReply>;
  });
}

async function mustBe(tab: Page, name: string, role: Role, location: string): Promise<void> {
  const { account, signed_on } = await sessionOf(tab);
  const found = JSON.stringify({ email: account.email, role: account.role, at: account.locations, signed_on });
  const wanted = JSON.stringify({ email: emailOf(name), role, at: [location], signed_on: true });
  must(found === wanted, `${found} instead of ${wanted}`);
}

async function signsOn(scene: Scene): Promise<string> {
  const tab = await logIn(scene, 'dana');
  await mustBe(tab, 'dana', 'scheduler', 'tampa');
  must(!/code=|state=/.test(tab.url()), `the address still shows ${tab.url()}`);
  await tab.context().close();
  return 'PKCE, invited person linked';
}

async function getsRoles(scene: Scene): Promise<string> {
  const tab = await logIn(scene, 'vera');
  await mustBe(tab, 'vera', 'viewer', 'orlando');
  await tab.context().close();
  const none = await logIn(scene, 'nora');
  await none.getByRole('alert').filter({ hasText: SIGN_ON_FAILURES.unknown }).waitFor();
  await none.context().close();
  const [vera] = (await scene.admin('GET', '/users?username=vera&exact=true')) as { id: string }[];
  const roles = async (method: string, name: string): Promise<unknown> =>
    scene.admin(method, `/users/${vera?.id}/role-mappings/realm`, [await scene.admin('GET', `/roles/${name}`)]);
  await roles('POST', 'desk');
  await roles('DELETE', 'guests');
  const moved = await logIn(scene, 'vera');
  await mustBe(moved, 'vera', 'scheduler', 'tampa');
  await moved.context().close();
  await roles('DELETE', 'desk');
  const lost = await logIn(scene, 'vera');
  await lost.getByRole('alert').filter({ hasText: SIGN_ON_FAILURES['no-role'] }).waitFor();
  await lost.context().close();
  return 'given, changed, taken';
}

async function takesAnotherKey(scene: Scene): Promise<string> {
  const kidsOf = async (): Promise<unknown> => {
    const { active } = (await scene.admin('GET', '/keys')) as { active: Record<string, string> };
    return active['RS256'];
  };
  const before = await kidsOf();
  await scene.admin('POST', '/components', {
    name: 'a newer key',
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    config: { priority: ['1000'], enabled: ['true'], active: ['true'], algorithm: ['RS256'] },
  });
  must((await kidsOf()) !== before, 'Keycloak still signs with the old key');
  await delay(KEYS_REST_MS);
  const tab = await logIn(scene, 'dana');
  await mustBe(tab, 'dana', 'scheduler', 'tampa');
  await tab.context().close();
  return 'known without a restart';
}

async function logsOut(scene: Scene): Promise<string> {
  const tab = await logIn(scene, 'dana');
  await mustBe(tab, 'dana', 'scheduler', 'tampa');
  await tab.goto(`${scene.url}/`);
  await tab.getByRole('button', { name: /account of/ }).click();
  await tab.getByRole('menuitem', { name: 'Log out' }).click();
  await tab.waitForURL((at) => at.href.startsWith(`${scene.url}/login`) || CONFIRM.test(at.href));
  await tab.getByRole('button', { name: 'Log in with your clinic’s account' }).waitFor();
  // Keycloak asks for the password again.
  await logIn(scene, 'dana', tab);
  await mustBe(tab, 'dana', 'scheduler', 'tampa');
  await tab.context().close();
  return 'ends at Keycloak too, without a question';
}

/** A person whom the directory disables: nobody new comes in, and what is open ends within a second by SCIM. */
async function isEnded(scene: Scene): Promise<string> {
  const scim = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ id: string; Resources?: { id: string }[] }> => {
    const headers = { authorization: `Bearer ${SCIM_TOKEN}`, 'content-type': 'application/scim+json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(`${scene.url}/scim/v2${path}`, { method, headers, ...sent });
    must(reply.ok, `SCIM: ${method} ${path}: ${reply.status}`);
    return reply.json() as Promise<{ id: string; Resources?: { id: string }[] }>;
  };
  const [nora] = (await scene.admin('GET', '/users?username=nora&exact=true')) as { id: string }[];
  const desk = await scene.admin('GET', '/roles/desk');
  await scene.admin('POST', `/users/${nora?.id}/role-mappings/realm`, [desk]);
  // As the directory does: by her id there, which is her `sub`, so that no verified email is needed.
  const { id } = await scim('POST', '/Users', { userName: emailOf('nora'), externalId: nora?.id, active: true });
  await scene.admin('PUT', `/users/${nora?.id}`, { emailVerified: false });
  const tab = await logIn(scene, 'nora');
  await mustBe(tab, 'nora', 'scheduler', 'tampa');
  await scene.admin('PUT', `/users/${nora?.id}`, { enabled: false });
  const replace = [{ op: 'Replace', path: 'active', value: 'False' }];
  const began = performance.now();
  await scim('PATCH', `/Users/${id}`, { Operations: replace });
  await tab.waitForFunction(() => localStorage.getItem('access_token') === null, undefined, { polling: 20 });
  const took = Math.round(performance.now() - began);
  must(took < 1000, `the page was open for ${took} ms more`);
  await tab.context().clearCookies();
  const again = await logIn(scene, 'nora');
  await again.getByText(/account is disabled/i).waitFor();
  for (const page of [tab, again]) await page.context().close();
  return `open pages end in ${took} ms`;
}
