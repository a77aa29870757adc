import type { SignedPasskey, SignOptions } from '@clinic/contract';
import type { Db } from '../db/connection.ts';
import type { IssuedToken } from '../access/begin-session.ts';
import { takeChallenge } from '../access/passkey-challenges.ts';
import { checkSignature, makeSignOptions, type PasskeyScene } from '../access/passkeys.ts';
import { findByCredential, noteUse } from '../access/passkeys.queries.ts';
import type { Site } from '../access/reach.ts';
import type { Tokens } from '../access/tokens.ts';
import { isoAt, type Clock } from '../platform/clock.ts';
import { holdAccount } from './session.queries.ts';
import { signInBy, type SignInRequest, type SignInSettings } from './sign-in.ts';

/** Makes the options for logging in with any passkey for this site. */
export const signInOptions = (db: Db, scene: PasskeyScene): Promise<SignOptions> =>
  makeSignOptions(db, scene, { purpose: 'log-in' });

export interface PasskeySignIn extends SignInRequest {
  readonly site: Site;
  readonly passkey: SignedPasskey;
}

/**
 * Begins a session with a passkey, which also identifies the account. Attempts are counted against that account's
 * limits, as with a password.
 */
export async function signInWithPasskey(
  db: Db,
  tokens: Tokens,
  clock: Clock,
  settings: SignInSettings,
  { site, passkey: signed, ...request }: PasskeySignIn,
): Promise<IssuedToken> {
  const taken = await takeChallenge(db, 'log-in', signed.response.clientDataJSON, clock.now());
  const owner = await findByCredential(db, Buffer.from(signed.id, 'base64url'));
  return signInBy(db, tokens, clock, settings, request, {
    email: owner?.email ?? `passkey:${signed.id}`,
    name: 'passkey',
    async prove() {
      // No email was typed, so the passkey itself must identify the account.
      if (signed.response.userHandle === undefined) return null;
      const signature = await checkSignature(db, site, taken.challenge, signed);
      if (!signature) return null;
      const { passkey, counter } = signature;
      const { account_id: id } = passkey;
      return {
        accountId: id,
        hold: async (trx) =>
          (await holdAccount(trx, id)) && (await noteUse(trx, passkey.id, counter, isoAt(clock.now()))),
      };
    },
    async pretend() {
      await checkSignature(db, site, taken.challenge, signed);
    },
  });
}
