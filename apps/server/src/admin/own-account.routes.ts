import { ownAccountEndpoints, passkeyEndpoints } from '@clinic/contract';
import { actOf } from '../access/act.ts';
import { confirmOwner } from '../access/confirm-owner.ts';
import { requireSite } from '../access/passkeys.ts';
import type { PasskeyRow } from '../access/passkeys.queries.ts';
import { isoOf } from '../platform/clock.ts';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { changeOwnPassword, endOwnOtherSessions, listOwnSessions } from './own-account.service.ts';
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
  const { db, config } = deps;

  addRoute(app, ownAccountEndpoints.changePassword, async ({ body, request }) => {
    await confirmOwner(deps, request, body);
    await changeOwnPassword(db, actOf(request, deps), body.new_password);
    return undefined;
  });

  addRoute(app, ownAccountEndpoints.sessions, async ({ caller, request }) =>
    (await listOwnSessions(db, actOf(request, deps), config.idleMinutes)).map((session) => ({
      begun_at: isoOf(session.created_at),
      seen_at: isoOf(session.last_seen_at),
      current: session.id === caller.sessionId,
    })),
  );

  addRoute(app, ownAccountEndpoints.endOtherSessions, async ({ body, request }) => {
    await confirmOwner(deps, request, body);
    await endOwnOtherSessions(db, actOf(request, deps));
    return undefined;
  });

  addRoute(app, passkeyEndpoints.passkeys, async ({ request }) => {
    const { password, passkeys } = await listOwnPasskeys(db, actOf(request, deps));
    return { password, passkeys: passkeys.map(presentPasskey) };
  });

  addRoute(app, passkeyEndpoints.confirmOptions, ({ request }) =>
    confirmOptions(db, actOf(request, deps), requireSite(request, config)),
  );

  addRoute(app, passkeyEndpoints.addPasskeyOptions, async ({ body, request }) => {
    const site = requireSite(request, config);
    await confirmOwner(deps, request, body);
    return addOptions(db, actOf(request, deps), site);
  });

  addRoute(app, passkeyEndpoints.addPasskey, async ({ body: { name, passkey }, request }) => {
    const site = requireSite(request, config);
    return presentPasskey(await addOwnPasskey(db, actOf(request, deps), { site, passkey, name }));
  });

  addRoute(app, passkeyEndpoints.renamePasskey, async ({ params, body, request }) =>
    presentPasskey(await renameOwnPasskey(db, actOf(request, deps), params.id, body.name)),
  );

  addRoute(app, passkeyEndpoints.removePasskey, async ({ params, body, request }) => {
    await confirmOwner(deps, request, body);
    await removeOwnPasskey(db, actOf(request, deps), params.id);
    return undefined;
  });
}

function presentPasskey({ id, name, created_at, used_at }: PasskeyRow) {
  return { id, name, created_at: isoOf(created_at), used_at: used_at === null ? null : isoOf(used_at) };
}
