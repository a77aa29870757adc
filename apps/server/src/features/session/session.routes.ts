import { authEndpoints } from '@clinic/contract';
import { authenticate } from '../../platform/access/access.ts';
import { isExposed, isFromThisMachine } from '../../platform/access/reach.ts';
import type { App, Deps } from '../../platform/deps.ts';
import { warmPasswords } from '../../platform/access/passwords.ts';
import { addRoute } from '../../platform/http/route.ts';
import { renew, signIn, signOut, type IssuedToken } from './session.service.ts';

/** Signs in and out, renews tokens, and returns the signed-in account (AUTH). */
export function authRoutes(app: App, deps: Deps): void {
  const { config, db, tokens, clock, machineClock } = deps;

  app.addHook('onReady', warmPasswords);

  addRoute(app, authEndpoints.token, async ({ body, request }) =>
    presentToken(
      await signIn(db, tokens, machineClock, config, {
        username: body.username,
        password: body.password,
        address: request.ip,
        demoAllowed: config.demo && !isExposed(config) && isFromThisMachine(request),
        requestId: request.id,
        replaces: await authenticate(request, deps),
      }),
    ),
  );

  addRoute(app, authEndpoints.renew, async ({ caller }) =>
    presentToken(await renew(tokens, machineClock, config, caller)),
  );

  addRoute(app, authEndpoints.signOut, async ({ caller, request }) => {
    await signOut(db, machineClock, caller, request.id);
    return undefined;
  });

  addRoute(app, authEndpoints.session, ({ caller }) =>
    Promise.resolve({
      account: {
        id: caller.id,
        email: caller.email,
        name: caller.name,
        role: caller.role,
        locations: caller.locations === null ? null : [...caller.locations],
      },
      idle_minutes: config.idleMinutes,
      session_hours: config.sessionHours,
      session_ends: new Date(caller.sessionEnds).toISOString(),
      admin_client_name: config.adminClientName,
      now: new Date(clock.now()).toISOString(),
    }),
  );
}

function presentToken({ token, seconds }: IssuedToken) {
  return { access_token: token, token_type: 'bearer' as const, expires_in: seconds };
}
