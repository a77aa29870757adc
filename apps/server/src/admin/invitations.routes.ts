import type { FastifyRequest } from 'fastify';
import { adminEndpoints, ownAccountEndpoints, passkeyEndpoints, type Invitation } from '@clinic/contract';
import { presentToken } from '../access/begin-session.ts';
import { requireSite } from '../access/passkeys.ts';
import { addressOf } from '../access/reach.ts';
import { isoOf } from '../platform/clock.ts';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { presentMessage } from '../platform/sending/message-state.ts';
import { accountAct } from './accounts.routes.ts';
import { emailOff } from './invitation-mail.ts';
import type { InvitationRow } from './invitations.queries.ts';
import { acceptWithPasskey, welcomeOptions } from './invitation-passkey.service.ts';
import {
  acceptInvitation,
  invite,
  inviteColleague,
  listInvitations,
  withdrawInvitation,
  type LinkUse,
} from './invitations.service.ts';

/** Invitation links with which therapists and colleagues create their own accounts. */
export function invitationsRoutes(app: App, deps: Deps): void {
  const { db, config, accessClock, tokens } = deps;
  const email_off = emailOff(config);
  const publicUrl = email_off === null ? config.publicUrl : undefined;

  const useOf = (request: FastifyRequest): LinkUse => ({
    at: accessClock.now(),
    requestId: request.id,
    passwordLogin: config.passwordLogin,
  });

  addRoute(app, adminEndpoints.listInvitations, async ({ act }) => ({
    email_off,
    invitations: (await listInvitations(db, accountAct(act))).map(presentInvitation),
  }));

  addRoute(app, adminEndpoints.invite, async ({ body, act }) => {
    const { therapist, email, send_to: sendTo } = body;
    const made = await invite(db, accountAct(act), { therapist, email, sendTo, publicUrl });
    return { ...presentInvitation(made), secret: made.secret };
  });

  addRoute(app, adminEndpoints.inviteColleague, async ({ body, act }) => {
    const { by_email: byEmail, ...colleague } = body;
    const made = await inviteColleague(db, accountAct(act), { ...colleague, byEmail, publicUrl });
    return { ...presentInvitation(made), secret: made.secret };
  });

  addRoute(app, adminEndpoints.withdrawInvitation, ({ params, act }) =>
    withdrawInvitation(db, accountAct(act), params.id),
  );

  addRoute(app, ownAccountEndpoints.acceptInvitation, async ({ body, request }) => ({
    email: await acceptInvitation(db, body, useOf(request)),
  }));

  addRoute(app, passkeyEndpoints.welcomePasskeyOptions, ({ body, request }) =>
    welcomeOptions(db, { site: requireSite(request, config), now: accessClock.now() }, body.secret),
  );

  addRoute(app, passkeyEndpoints.welcomePasskey, async ({ body, request }) => {
    const site = requireSite(request, config);
    const from = addressOf(request);
    return presentToken(await acceptWithPasskey(db, tokens, config, { ...body, site, from }, useOf(request)));
  });
}

function presentInvitation(row: InvitationRow): Invitation {
  const { id, therapist_id: therapist, display_name: name, role, locations, email, expires_at } = row;
  const message = row.message && presentMessage(row.message);
  return { id, therapist, name, role, locations, email, expires_at: isoOf(expires_at), message };
}
