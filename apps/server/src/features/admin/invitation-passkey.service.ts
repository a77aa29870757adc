import { randomUUID } from 'node:crypto';
import type { CreateOptions, NewPasskey } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';
import { inTransaction } from '../../db/retry.ts';
import { audit } from '../../platform/access/audit.ts';
import {
  beginSession,
  issueToken,
  type IssuedToken,
  type SessionSettings,
} from '../../platform/access/begin-session.ts';
import {
  checkNewPasskey,
  keepPasskey,
  makeCreateOptions,
  takeChallenge,
  type PasskeyScene,
} from '../../platform/access/passkeys.ts';
import type { Site } from '../../platform/access/reach.ts';
import type { Tokens } from '../../platform/access/tokens.ts';
import { refusal } from '../../platform/refusal.ts';
import { findInvitation, useLink, type LinkUse } from './invitations.service.ts';

/** How the browser of someone with an invitation must make a passkey. The passkey already names the account to come. */
export async function welcomeOptions(db: Db, scene: PasskeyScene, secret: string): Promise<CreateOptions> {
  const { id: invitationId, email, display_name: name } = await findInvitation(db, secret, scene.now);
  return makeCreateOptions(db, scene, { accountId: randomUUID(), invitationId, email, name });
}

/**
 * Uses a link for the first time with a passkey: creates the therapist's account, which has no password, and logs in.
 */
export async function acceptWithPasskey(
  db: Db,
  tokens: Tokens,
  settings: SessionSettings,
  { secret, passkey, name, site }: { secret: string; passkey: NewPasskey; name: string; site: Site },
  use: LinkUse,
): Promise<IssuedToken> {
  const found = await findInvitation(db, secret, use.at);
  const taken = await takeChallenge(db, 'welcome', passkey.response.clientDataJSON, use.at);
  if (!taken) throw refusal('passkey-timed-out');
  const { accountId, challenge } = taken;
  const checked = taken.invitationId === found.id ? await checkNewPasskey(site, challenge, passkey) : null;
  if (!checked || accountId === null) throw refusal('passkey-not-accepted');
  const begun = await inTransaction(db, async (trx) => {
    await useLink(trx, found, { passwordHash: null, id: accountId }, use);
    const row = await keepPasskey(trx, checked, { accountId, name, at: new Date(use.at).toISOString() });
    const { requestId } = use;
    await audit(trx, use.at, {
      action: 'passkey.added',
      subjectKind: 'passkey',
      subjectIds: [row.id],
      accountId,
      requestId,
    });
    return beginSession(trx, settings, { accountId, requestId, now: use.at, way: 'passkey' });
  });
  return issueToken(tokens, settings, begun);
}
