import type { FastifyContextConfig, FastifyRequest, RouteOptions } from 'fastify';
import { isForReaders, type Access, type Role } from '@clinic/contract';
import type { App, Deps } from './deps.ts';
import { signalOf } from './hang-up.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { makeTurns } from '../platform/turns.ts';
import { findServiceCaller, scopesAllow, type NeededScope } from './service-callers.ts';
import { findCaller, type Caller } from './sessions.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this endpoint. Every route must declare this, or the server does not start. */
    access?: Access;
    /** What a service account needs, on a route with access `records`. */
    needs?: NeededScope;
  }
  interface FastifyRequest {
    /** The account that makes the request; null on public routes. */
    account: Caller | null;
  }
}

/** Marks requests that a page makes by itself (polling, the event stream). They do not count as the user's activity. */
const BACKGROUND_HEADER = 'x-background';

/**
 * The roles that may call a route, by the access that the route declares. Therapists' accounts are refused everywhere
 * except on routes that declare `own` or `therapist`, so a new route is closed to them. `READERS` says what else
 * directors and viewers may call.
 */
const ROLES: Readonly<Record<Exclude<Access, 'public'>, readonly Role[]>> = {
  own: ['scheduler', 'admin', 'therapist', 'director', 'viewer'],
  'signed-in': ['scheduler', 'admin'],
  admin: ['admin'],
  clinic: ['admin'],
  therapist: ['therapist'],
  records: ['admin'],
};

/** Roles that read and never write, and the access of the routes that they may read. */
const READERS: Readonly<Partial<Record<Role, readonly Access[]>>> = {
  director: ['signed-in', 'admin', 'clinic'],
  viewer: ['signed-in'],
};

/**
 * The only place where roles are checked. Every route must declare who may call it, or the server does not start. Must
 * be called before any route is registered.
 */
export function guardAccess(app: App, deps: Deps): void {
  app.decorateRequest('account', null);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', (done) => {
    const open = routes.find((route) => !route.config?.access);
    done(open && new Error(`The route ${String(open.method)} ${open.url} does not declare who may call it.`));
  });
  app.addHook('onRequest', async (request, reply) => {
    // Every route declares its access, so a request without a declared access matches no route.
    const { access = 'public' } = request.routeOptions.config;
    if (access === 'public') return;
    request.account = (await authenticate(request, deps)) ?? (await authenticateService(request, deps));
    if (!request.account) {
      reply.header('www-authenticate', 'Bearer');
      throw new Refusal('not-signed-in');
    }
    requireUse(request.account, access, request.routeOptions.config);
    if (access === 'clinic' && request.account.locations !== null) throw refusal('needs-every-location');
  });
}

/**
 * Refuses an account that may not use a route. A service account may use only the routes of records, and of these the
 * ones for which it has a scope.
 */
function requireUse(
  { role, mustSetUp, scopes = [] }: Caller,
  access: Exclude<Access, 'public'>,
  { needs, endpoint }: Pick<FastifyContextConfig, 'needs' | 'endpoint'>,
): void {
  if (role === 'service') {
    if (access === 'records' && needs !== undefined && scopesAllow(scopes, needs)) return;
    throw new Refusal('forbidden');
  }
  if (mustSetUp === true && access !== 'own') throw refusal('second-factor-first');
  if (ROLES[access].includes(role)) return;
  if (!READERS[role]?.includes(access)) throw new Refusal('forbidden');
  // A route that is not in the contract does not say what it records, so it is closed to those who only read.
  if (!endpoint || !isForReaders(endpoint)) throw refusal('only-reads');
}

/**
 * Limits how many callers are looked up at once, separately from other reads. So hundreds of simultaneous requests from
 * one account leave connections for logins and for looking up other accounts. An account's slow reads do not delay the
 * look-ups for its own other requests either.
 */
const lookUps = makeTurns({ atOnce: 3, ofOne: 2, mostWaiting: 1000, patienceMs: 20_000 });

/** The person identified by a request's bearer token; null for a program, and without a token that is valid. */
export async function authenticate(request: FastifyRequest, deps: Deps): Promise<Caller | null> {
  const token = tokenOf(request);
  if (!token) return null;
  const subject = await deps.tokens.verify(token);
  if (!subject) return null;
  const active = request.headers[BACKGROUND_HEADER] === undefined;
  const endTurn = await lookUps.take(subject.accountId, signalOf(request));
  const looked = findCaller(deps.db, subject.sessionId, deps.accessClock.now(), deps.config, active);
  const caller = await looked.finally(endTurn);
  return caller?.id === subject.accountId ? caller : null;
}

const tokenOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(headers.authorization ?? '')?.[1];

/** The service account identified by a request's token, or null. */
async function authenticateService(request: FastifyRequest, deps: Deps): Promise<Caller | null> {
  const token = tokenOf(request);
  const subject = token === undefined ? undefined : await deps.tokens.verifyService(token);
  if (!subject) return null;
  const endTurn = await lookUps.take(subject.serviceAccountId, signalOf(request));
  return (await findServiceCaller(deps.db, subject, deps.accessClock.now()).finally(endTurn)) ?? null;
}
