import type { FastifyRequest } from 'fastify';
import { authEndpoints, passkeyEndpoints } from '@clinic/contract';
import { clinicLocations, locationToSend } from '@clinic/domain';
import { authenticate } from '../access/access.ts';
import { presentToken } from '../access/begin-session.ts';
import { addressOf } from '../access/reach.ts';
import { requireSite } from '../access/passkeys.ts';
import { DEMO_LOGINS, demoLives } from '../db/demo/load-demo.ts';
import { mayUseDemo } from '../access/demo.ts';
import { loadLocations } from '../db/locations.ts';
import { Refusal } from '../platform/refusal.ts';
import { isoAt } from '../platform/clock.ts';
import type { App, Deps } from '../access/deps.ts';
import { warmPasswords } from '../access/passwords.ts';
import { addRoute } from '../http/route.ts';
import { signInOptions, signInWithPasskey } from './passkey-sign-in.service.ts';
import { canAnyoneLogIn } from './session.queries.ts';
import { renew, signIn } from './session.service.ts';
import type { SignInRequest } from './sign-in.ts';
import { signOut } from './sign-out.ts';

/** Logs users in and out, renews tokens, and returns the logged-in account (AUTH). */
export function authRoutes(app: App, deps: Deps): void {
  const { config, db, tokens, clock, accessClock, seal } = deps;

  app.addHook('onReady', warmPasswords);

  const signInRequest = async (request: FastifyRequest): Promise<SignInRequest> => ({
    address: request.ip,
    from: addressOf(request),
    demoAllowed: mayUseDemo(request, config),
    requestId: request.id,
    replaces: await authenticate(request, deps),
  });

  addRoute(app, authEndpoints.login, async ({ request }) => ({
    no_account: !(await canAnyoneLogIn(db, { demo: config.demo })),
    sign_on: config.oidc !== undefined,
    admins_only: config.passwordLogin === 'admins-only',
    demo_logins: mayUseDemo(request, config) && (await demoLives(db)) ? DEMO_LOGINS : [],
  }));

  addRoute(app, authEndpoints.token, async ({ body: { username, password, code }, request }) => {
    const input = { ...(await signInRequest(request)), username, password, code, seal };
    return presentToken(await signIn(db, tokens, accessClock, config, input));
  });

  addRoute(app, passkeyEndpoints.passkeySignInOptions, ({ request }) =>
    signInOptions(db, { site: requireSite(request, config), now: accessClock.now() }),
  );

  addRoute(app, passkeyEndpoints.passkeySignIn, async ({ body: { passkey }, request }) => {
    const site = requireSite(request, config);
    const input = { ...(await signInRequest(request)), site, passkey };
    return presentToken(await signInWithPasskey(db, tokens, accessClock, config, input));
  });

  addRoute(app, authEndpoints.renew, async ({ caller }) =>
    presentToken(await renew(tokens, accessClock, config, caller)),
  );

  addRoute(app, authEndpoints.signOut, ({ caller, request }) => signOut(db, accessClock, caller, request.id));

  addRoute(app, authEndpoints.session, async ({ caller }) => {
    await loadLocations(db); // an event about a change may still be under way
    const { id, email, name, role } = caller;
    if (role === 'service') throw new Refusal('forbidden'); // the guard lets no program reach this route
    return {
      account: {
        id,
        email,
        name,
        role,
        locations: caller.locations === null ? null : [...caller.locations],
      },
      demo: caller.demo,
      must_set_up: caller.mustSetUp,
      signed_on: caller.way === 'sign-on',
      idle_minutes: config.idleMinutes,
      session_hours: config.sessionHours,
      session_ends: isoAt(caller.sessionEnds),
      admin_client_name: config.adminClientName,
      locations: clinicLocations().map(locationToSend),
      now: isoAt(clock.now()),
    };
  });
}
