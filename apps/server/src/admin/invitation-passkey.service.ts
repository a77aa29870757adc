import { randomUUID } from 'node:crypto';
import type { CreateOptions, NewPasskey } from '@clinic/contract';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import { beginSession, issueToken, type IssuedToken, type SessionSettings } from '../access/begin-session.ts';
import { keepPasskey, makeCreateOptions, takeNewPasskey, type PasskeyScene } from '../access/passkeys.ts';
import type { Site } from '../access/reach.ts';
import type { Tokens } from '../access/tokens.ts';
import { findInvitation, requirePasswordLogin, useLink, type LinkUse } from './invitations.service.ts';

/**
 * Makes the options with which an invited person's browser creates a passkey. The passkey already names the account
 * that will be created.
 */
export async function welcomeOptions(db: Db, scene: PasskeyScene, secret: string): Promise<CreateOptions> {
  const { id: invitationId, email, display_name: name } = await findInvitation(db, secret, scene.now);
  return makeCreateOptions(db, scene, { accountId: randomUUID(), invitationId, email, name });
}

interface Welcome {
  readonly secret: string;
  readonly passkey: NewPasskey;
  readonly name: string;
  readonly site: Site;
  /** The address from which the request came. */
  readonly from: string | null;
}

/** Uses a link with a passkey: creates the therapist's account, which has no password, and logs in. */
export async function acceptWithPasskey(
  db: Db,
  tokens: Tokens,
  settings: SessionSettings,
  { secret, passkey, name, site, from }: Welcome,
  use: LinkUse,
): Promise<IssuedToken> {
  const found = await findInvitation(db, secret, use.at);
  requirePasswordLogin(found, use);
  const scene = { site, now: use.at };
  const checked = await takeNewPasskey(db, scene, passkey, { invitationId: found.id });
  const { accountId } = checked;
  const { requestId } = use;
  const begun = await inTransaction(db, async (trx) => {
    await useLink(trx, found, { passwordHash: null, id: accountId }, use);
    await keepPasskey(trx, checked, { name, at: use.at, requestId });
    return beginSession(trx, settings, { accountId, requestId, now: use.at, from, way: 'passkey' });
  });
  return issueToken(tokens, settings, begun);
}
