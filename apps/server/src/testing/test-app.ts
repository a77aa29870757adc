import { randomUUID } from 'node:crypto';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Role } from '@clinic/contract';
import { emailKey, type Location } from '@clinic/domain';
import { buildApp, type AppOptions } from '../app.ts';
import { loadConfig, type Config } from '../config.ts';
import type { App, Deps } from '../access/deps.ts';
import { beginSession, issueToken } from '../access/begin-session.ts';
import { rewardSuccess } from '../access/login-budget.ts';
import { hashPassword } from '../access/passwords.ts';
import type { PageFolders } from '../http/pages.ts';
import { makeDeps } from '../access/runtime.ts';
import { wallClock } from '../platform/wall-clock.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** The whole application with its own database. Requests reach it without a socket. */
export interface TestApp {
  readonly app: App;
  readonly deps: Deps;
  readonly database: TestDatabase;
  /** The lines of the application's log. */
  readonly logLines: readonly string[];
  /**
   * Makes an account, logs it in from the IP address of `inject`, and returns a way to make requests with it. No
   * password is checked, since that is slow by design; `tokenFor` logs in as the page does.
   */
  readonly signIn: (account?: Partial<TestAccount>) => Promise<SignedIn>;
  readonly close: () => Promise<void>;
}

export interface TestAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly role: Role;
  /** The account's locations; null for all. */
  readonly locations: Location[] | null;
  /** For the role `therapist`: the therapist who owns the account. */
  readonly therapistId: string | null;
}

/** An account that is logged in, with a way to make requests. */
export interface SignedIn {
  readonly token: string;
  readonly accountId: string;
  readonly email: string;
  readonly password: string;
  readonly call: (options: InjectOptions) => Promise<LightMyRequestResponse>;
}

export interface TestAppOptions extends AppOptions {
  readonly config?: Partial<Config>;
  readonly deps?: Partial<Deps>;
  /** A database to use instead of a new one; closing the application leaves it open. */
  readonly database?: TestDatabase;
}

/** 7:20 AM at the clinic on Friday, November 20, 2026. */
export const FRIDAY_MORNING = { clock: '2026-11-20T12:20:00Z' };

/** No pages, since few tests need them, and finding a build's files takes a fifth of the application's startup time. */
const NO_PAGES: PageFolders = { web: '/nowhere', embed: '/nowhere' };

let accounts = 0;

/** The hashes of the passwords that tests use. They are kept because hashing a password is slow by design. */
const hashes = new Map<string, Promise<string>>();
function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/**
 * Builds the application for tests. Rate limits are too high to matter; a test of rate limits sets `config.rateLimit`.
 */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase());
  const config: Config = { ...loadConfig({ RATE_LIMIT: '100000', LOG_LEVEL: 'info', DEMO: 'off' }), ...options.config };
  const made = { ...(await makeDeps(config, database, options.deps?.accessClock)), ...options.deps };
  const deps: Deps = { ...made, wallOf: wallClock(made.clock) };
  const logLines: string[] = [];
  const logStream = { write: (line: string) => void logLines.push(line) };
  const app = await buildApp(deps, { pages: NO_PAGES, logStream, ...options });
  return {
    app,
    deps,
    database,
    logLines,
    signIn: (account) => signIn(app, deps, account),
    async close() {
      await app.close();
      await deps.events.close();
      if (!options.database) await database.close();
    },
  };
}

async function signIn(app: App, deps: Deps, account: Partial<TestAccount> = {}): Promise<SignedIn> {
  const made: TestAccount = {
    email: `person${++accounts}@clinic.example`,
    name: `Person ${accounts}`,
    password: 'a password of some length',
    role: 'scheduler',
    locations: null,
    therapistId: null,
    ...account,
  };
  const { id } = await deps.db
    .insertInto('account')
    .values({
      email: made.email,
      name: made.name,
      role: made.role,
      locations: made.locations,
      therapist_id: made.therapistId,
      password_hash: await hashOf(made.password),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const now = deps.accessClock.now();
  const session = await deps.db
    .transaction()
    .execute((trx) => beginSession(trx, deps.config, { accountId: id, requestId: randomUUID(), now, from: null }));
  await rewardSuccess(deps.db, { email: emailKey(made.email), address: '127.0.0.1' }, now, deps.config.rateLimit);
  const { token } = await issueToken(deps.tokens, deps.config, session);
  return {
    token,
    accountId: id,
    email: made.email,
    password: made.password,
    call: (options) => app.inject({ ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } }),
  };
}

/** Logs in with the request that the page makes; fails the test if the login is refused. */
export async function tokenFor(app: App, email: string, password: string): Promise<string> {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username: email, password }).toString(),
  });
  if (reply.statusCode !== 200) throw new Error(`login of ${email} got status ${reply.statusCode}: ${reply.body}`);
  return reply.json<{ access_token: string }>().access_token;
}
