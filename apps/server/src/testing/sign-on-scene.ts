import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import type { LightMyRequestResponse } from 'fastify';
import type { Role, SessionReply } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { parseRoleMapping } from '../role-mapping.ts';
import { startClinicSignOn, type ClinicSignOn } from './clinic-sign-on.ts';
import { buildTestApp, type TestApp } from './test-app.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export const PUBLIC_URL = 'http://localhost';

/** A browser that signs on at an application, with the cookies that it got, by name. */
interface Browser {
  readonly app: TestApp;
  readonly cookies: Map<string, { readonly value: string; readonly path: string }>;
}

/** A clinic's sign-on, and two applications on one database that use it: one without, one with a mapping of roles. */
class SignOnScene {
  clinic!: ClinicSignOn;
  database!: TestDatabase;
  one!: TestApp;
  mapped!: TestApp;
  #people = 0;

  async open(): Promise<void> {
    this.clinic = await startClinicSignOn(PUBLIC_URL);
    this.database = await createTestDatabase();
    this.one = await this.build();
    this.mapped = await this.build(
      'clinic-admins=admin, desk tampa=scheduler@tampa,desk south=scheduler@Orlando+Palm Beach,guests=viewer@tampa',
    );
  }

  async close(): Promise<void> {
    await this.one.close();
    await this.mapped.close();
    await this.database.close();
    await this.clinic.stop();
  }

  build(roles?: string): Promise<TestApp> {
    const { issuer, clientId, clientSecret } = this.clinic;
    const mapping = roles === undefined ? null : parseRoleMapping(roles);
    const oidc = { issuer, clientId, clientSecret, roleClaim: 'roles', roles: mapping };
    return buildTestApp({ database: this.database, config: { publicUrl: PUBLIC_URL, oidc } });
  }

  browser(app = this.one): Browser {
    return { app, cookies: new Map() };
  }

  /** Signs on from the beginning to the login page, and returns what that page finds. */
  async signOn(sub: string, on = this.browser()): Promise<URLSearchParams> {
    return comeBack(on, await this.clinic.logIn(await begin(on), sub));
  }

  async sessionOf(sub: string, app = this.one): Promise<SessionReply> {
    const on = this.browser(app);
    const found = await this.signOn(sub, on);
    const reply = await exchange(on, found.get('code') ?? '');
    expect(reply.statusCode).toBe(200);
    const token = reply.json<{ access_token: string }>().access_token;
    return (await app.app.inject({ url: '/api/session', headers: { authorization: `Bearer ${token}` } })).json();
  }

  /** Someone whom the provider knows, and whose verified email is that of an account with this role. */
  async person(
    { role = 'scheduler', locations = null }: { role?: Role; locations?: Location[] | null } = {},
    claims: Readonly<Record<string, unknown>> = {},
  ) {
    const sub = `person-${++this.#people}`;
    const account = await this.one.signIn({ role, locations });
    this.clinic.people.set(sub, { email: account.email, email_verified: true, name: 'Somebody', ...claims });
    return { sub, ...account };
  }
}

export function useSignOn(): SignOnScene {
  const scene = new SignOnScene();
  beforeAll(() => scene.open());
  afterAll(() => scene.close());
  afterEach(() => {
    scene.clinic.tamper = null;
    vi.useRealTimers();
  });
  return scene;
}

/** Opens an address in a browser; it keeps the cookies that it gets. */
export async function open(on: Browser, url: string): Promise<LightMyRequestResponse> {
  const reply = await on.app.app.inject({ url, headers: cookiesFor(on, url) });
  for (const { name, value, path = '/', maxAge } of reply.cookies) {
    if (maxAge === 0) on.cookies.delete(name);
    else on.cookies.set(name, { value, path });
  }
  return reply;
}

/** The header with the cookies that a browser sends to an address. */
function cookiesFor({ cookies }: Browser, url: string): { cookie?: string } {
  const sent = [...cookies]
    .filter(([, { path }]) => url.startsWith(path))
    .map(([name, { value }]) => `${name}=${value}`);
  return sent.length === 0 ? {} : { cookie: sent.join('; ') };
}

/** Begins a sign-on and returns the provider's address to which the browser is sent. */
export async function begin(on: Browser): Promise<string> {
  const reply = await open(on, '/api/sign-on');
  expect(reply.statusCode).toBe(302);
  return String(reply.headers.location);
}

/** Comes back from the provider, and returns what the login page finds after the `#`. */
export async function comeBack(on: Browser, back: URL): Promise<URLSearchParams> {
  const reply = await open(on, back.pathname + back.search);
  expect(reply.statusCode).toBe(302);
  expect(String(reply.headers.location)).toMatch(/^\/login#/);
  expect(reply.headers['cache-control']).toBe('no-store');
  return new URLSearchParams(String(reply.headers.location).slice('/login#'.length));
}

export const exchange = (on: Browser, code: string) =>
  on.app.app.inject({
    method: 'POST',
    url: '/api/sign-on/token',
    headers: cookiesFor(on, '/api/sign-on/token'),
    payload: { code },
  });
