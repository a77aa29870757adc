import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Location } from '@clinic/domain';
import { buildApp, type AppOptions } from '../app.ts';
import { loadConfig, type Config } from '../config.ts';
import type { App, Deps } from '../platform/deps.ts';
import { hashPassword } from '../platform/access/passwords.ts';
import { makeDeps } from '../platform/runtime.ts';
import type { Role } from '../db/schema.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** The whole application on its own database, called with HTTP requests but without a socket. */
export interface TestApp {
  readonly app: App;
  readonly deps: Deps;
  readonly database: TestDatabase;
  /** The application's log, line by line. */
  readonly logLines: readonly string[];
  /** Signs a new account in and returns a way to call the application with it. */
  readonly signIn: (account?: Partial<TestAccount>) => Promise<SignedIn>;
  readonly close: () => Promise<void>;
}

export interface TestAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly role: Role;
  /** Null: all. */
  readonly locations: Location[] | null;
  /** Whose account it is, for the role `therapist`. */
  readonly therapistId: string | null;
}

/** A session, with a way to call the application in it. */
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
  /** Uses this database and leaves it open at the end. */
  readonly database?: TestDatabase;
}

let accounts = 0;

/**
 * Builds the application for tests. Rate limits are set too high to matter; a test of rate limits sets
 * `config.rateLimit`.
 */
export async function buildTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase());
  const config: Config = { ...loadConfig({ RATE_LIMIT: '100000', LOG_LEVEL: 'info', DEMO: 'off' }), ...options.config };
  const deps: Deps = {
    ...(await makeDeps(config, database, options.deps?.machineClock)),
    ...options.deps,
  };
  const logLines: string[] = [];
  const app = await buildApp(deps, { logStream: { write: (line) => void logLines.push(line) }, ...options });
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
      password_hash: await hashPassword(made.password),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const token = await tokenFor(app, made.email, made.password);
  return {
    token,
    accountId: id,
    email: made.email,
    password: made.password,
    call: (options) => app.inject({ ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } }),
  };
}

/** Signs in with the call that the page makes; fails when it is refused. */
export async function tokenFor(app: App, email: string, password: string): Promise<string> {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ username: email, password }).toString(),
  });
  if (reply.statusCode !== 200) throw new Error(`sign-in of ${email} was answered ${reply.statusCode}: ${reply.body}`);
  return reply.json<{ access_token: string }>().access_token;
}
