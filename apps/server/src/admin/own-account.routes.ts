import { ownAccountEndpoints, passkeyEndpoints, secondFactorEndpoints } from '@clinic/contract';
import { confirmOwner } from '../access/confirm-owner.ts';
import { requireSite } from '../access/passkeys.ts';
import type { PasskeyRow } from '../access/passkeys.queries.ts';
import { isoOf } from '../platform/clock.ts';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { changeOwnPassword, endOwnOtherSessions, listOwnSessions } from './own-account.service.ts';
import {
  confirmOwnFactor,
  makeOwnCodes,
  readOwnFactor,
  removeOwnFactor,
  setUpOwnFactor,
} from './own-factor.service.ts';
import {
  addOptions,
  addOwnPasskey,
  confirmOptions,
  listOwnPasskeys,
  removeOwnPasskey,
  renameOwnPasskey,
} from './own-passkeys.service.ts';

/** Lets all users manage their own password, passkeys and sessions. */
export function ownAccountRoutes(app: App, deps: Deps): void {
  const { db, config, seal } = deps;

  addRoute(app, ownAccountEndpoints.changePassword, async ({ body, act, request }) => {
    await confirmOwner(deps, request, body);
    await changeOwnPassword(db, act, body.new_password);
  });

  addRoute(app, ownAccountEndpoints.sessions, async ({ caller, act }) =>
    (await listOwnSessions(db, act, config.idleMinutes)).map((session) => ({
      begun_at: isoOf(session.created_at),
      seen_at: isoOf(session.last_seen_at),
      current: session.id === caller.sessionId,
    })),
  );

  addRoute(app, ownAccountEndpoints.endOtherSessions, async ({ body, act, request }) => {
    await confirmOwner(deps, request, body);
    await endOwnOtherSessions(db, act);
  });

  addRoute(app, secondFactorEndpoints.secondFactor, ({ act }) => readOwnFactor(db, act, config.secondFactor));

  addRoute(app, secondFactorEndpoints.setUpFactor, async ({ body, act, request }) => {
    await confirmOwner(deps, request, body);
    return setUpOwnFactor(db, seal, act);
  });

  addRoute(app, secondFactorEndpoints.confirmFactor, async ({ body, act }) => ({
    codes: await confirmOwnFactor(db, seal, act, body.code, config.rateLimit),
  }));

  addRoute(app, secondFactorEndpoints.makeCodes, async ({ body, act, request }) => {
    await confirmOwner(deps, request, body);
    return { codes: await makeOwnCodes(db, act) };
  });

  addRoute(app, secondFactorEndpoints.removeFactor, async ({ body, act, request }) => {
    await confirmOwner(deps, request, body);
    await removeOwnFactor(db, act);
  });

  addRoute(app, passkeyEndpoints.passkeys, async ({ act }) => {
    const { password, passkeys } = await listOwnPasskeys(db, act);
    return { password, passkeys: passkeys.map(presentPasskey) };
  });

  addRoute(app, passkeyEndpoints.confirmOptions, ({ act, request }) =>
    confirmOptions(db, act, requireSite(request, config)),
  );

  addRoute(app, passkeyEndpoints.addPasskeyOptions, async ({ body, act, request }) => {
    const site = requireSite(request, config);
    await confirmOwner(deps, request, body);
    return addOptions(db, act, site);
  });

  addRoute(app, passkeyEndpoints.addPasskey, async ({ body: { name, passkey }, act, request }) => {
    const site = requireSite(request, config);
    return presentPasskey(await addOwnPasskey(db, act, { site, passkey, name }));
  });

  addRoute(app, passkeyEndpoints.renamePasskey, async ({ params, body, act }) =>
    presentPasskey(await renameOwnPasskey(db, act, params.id, body.name)),
  );

  addRoute(app, passkeyEndpoints.removePasskey, async ({ params, body, act, request }) => {
    await confirmOwner(deps, request, body);
    await removeOwnPasskey(db, act, params.id);
  });
}

function presentPasskey({ id, name, created_at, used_at }: PasskeyRow) {
  return { id, name, created_at: isoOf(created_at), used_at: used_at === null ? null : isoOf(used_at) };
}
