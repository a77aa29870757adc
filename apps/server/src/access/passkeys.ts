import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { CreateOptions, NewPasskey, SignedPasskey, SignOptions } from '@clinic/contract';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import { isoAt } from '../platform/clock.ts';
import { refusal } from '../platform/refusal.ts';
import { audit } from './audit.ts';
import { CHALLENGE_MS, makeChallenge, takeChallenge } from './passkey-challenges.ts';
import { findByCredential, insertPasskey, selectCredentials, type PasskeyRow } from './passkeys.queries.ts';
import { siteOf, type Site } from './reach.ts';

/** ES256, EdDSA and RS256, the signature algorithms that today's devices use. */
const ALGORITHMS = [-7, -8, -257];
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
const TYPE = 'public-key';
const SITE_NAME = 'Clinic Scheduler';

// The library is loaded when the first passkey arrives, because loading takes a third of a second and 27 MB.
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** The site for which a passkey is made or used, and the current time. */
export interface PasskeyScene {
  readonly site: Site;
  /** Milliseconds since 1970, by the access clock. */
  readonly now: number;
}

/**
 * Returns the site for which passkeys are made and used. Refuses requests from any origin other than the product's own,
 * and from hosts without a name, which cannot have passkeys.
 */
export function requireSite(request: FastifyRequest, config: Pick<Config, 'publicUrl'>): Site {
  const site = siteOf(request, config);
  if (site === null || isIP(site.host) !== 0) throw refusal('passkeys-not-here');
  return site;
}

/**
 * Makes the options for a signature with one of the account's passkeys or, to log in, with any passkey for this site.
 */
export async function makeSignOptions(
  db: Db,
  { site, now }: PasskeyScene,
  about: { purpose: 'log-in' } | { purpose: 'confirm'; accountId: string },
): Promise<SignOptions> {
  const accountId = about.purpose === 'log-in' ? null : about.accountId;
  const row = { purpose: about.purpose, account_id: accountId, invitation_id: null };
  return {
    challenge: await makeChallenge(db, now, row),
    rpId: site.host,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: accountId === null ? [] : await knownPasskeys(db, accountId),
  };
}

/** The person for whom a new passkey is made. */
export interface PasskeyOwner {
  readonly accountId: string;
  /** The invitation from which the account will be created; null for an existing account. */
  readonly invitationId: string | null;
  readonly email: string;
  readonly name: string;
}

/** Makes the options with which a browser creates a passkey. */
export async function makeCreateOptions(
  db: Db,
  { site, now }: PasskeyScene,
  { accountId, invitationId, email, name }: PasskeyOwner,
): Promise<CreateOptions> {
  const purpose = invitationId === null ? 'add' : 'welcome';
  return {
    challenge: await makeChallenge(db, now, { purpose, account_id: accountId, invitation_id: invitationId }),
    rp: { id: site.host, name: SITE_NAME },
    user: { id: handleOf(accountId), name: email, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: TYPE, alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: await knownPasskeys(db, accountId),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

const knownPasskeys = async (db: Db, accountId: string): Promise<SignOptions['allowCredentials']> =>
  (await selectCredentials(db, accountId)).map(({ credential_id, transports }) => ({
    id: credential_id.toString('base64url'),
    type: TYPE,
    transports,
  }));

/** The account's id as stored in passkeys: 16 bytes that say nothing about the person. */
const handleOf = (accountId: string): string => Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url');

/** A correct signature, the passkey that made it, and how often its device has used it. */
export interface Signature {
  readonly passkey: NonNullable<Awaited<ReturnType<typeof findByCredential>>>;
  readonly counter: number;
}

/**
 * Checks a signature. It must be for this challenge and site, and by a known passkey of the account that it names, and
 * the device must have recognized the person. Returns null if anything is wrong, or if the device's counter went
 * backwards.
 */
export async function checkSignature(
  db: Db,
  site: Site,
  challenge: string,
  { id, response }: SignedPasskey,
): Promise<Signature | null> {
  const passkey = await findByCredential(db, Buffer.from(id, 'base64url'));
  if (!passkey) return null;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  if (userHandle !== undefined && userHandle !== handleOf(passkey.account_id)) return null;
  const { verifyAuthenticationResponse } = await library();
  const verified = await attempt(() =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: TYPE,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(passkey.public_key), counter: Number(passkey.counter) },
    }),
  );
  return verified?.verified === true ? { passkey, counter: verified.authenticationInfo.newCounter } : null;
}

/** A new passkey that was checked, and the account to which it belongs. */
export interface CheckedPasskey {
  readonly accountId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: string[];
}

/**
 * Uses up the challenge made for a new passkey, and checks the passkey against it. Refuses a passkey whose challenge
 * was made for someone else, was used or has expired.
 * @param owner the existing account, or the invitation from which it will be created
 */
export async function takeNewPasskey(
  db: Db,
  { site, now }: PasskeyScene,
  passkey: NewPasskey,
  owner: { readonly accountId: string } | { readonly invitationId: string },
): Promise<CheckedPasskey> {
  const purpose = 'accountId' in owner ? 'add' : 'welcome';
  const taken = await takeChallenge(db, purpose, passkey.response.clientDataJSON, now);
  const { challenge, accountId } = taken;
  const isTheirs = 'accountId' in owner ? accountId === owner.accountId : taken.invitationId === owner.invitationId;
  const checked = isTheirs ? await checkNewPasskey(site, challenge, passkey) : null;
  if (!checked || accountId === null) throw refusal('passkey-not-accepted');
  return { ...checked, accountId };
}

/**
 * Checks that a new passkey was made for this challenge and site, after its device recognized the person. Returns null
 * if anything is wrong.
 */
async function checkNewPasskey(
  site: Site,
  challenge: string,
  { id, response }: NewPasskey,
): Promise<Omit<CheckedPasskey, 'accountId'> | null> {
  const { clientDataJSON, attestationObject } = response;
  if (!(await isUncertified(attestationObject))) return null;
  const transports = TRANSPORTS.filter((each) => response.transports?.includes(each));
  const { verifyRegistrationResponse } = await library();
  const verified = await attempt(() =>
    verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: TYPE,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  const made = verified?.verified === true ? verified.registrationInfo.credential : undefined;
  if (made?.id !== id) return null;
  const { publicKey, counter } = made;
  return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter, transports };
}

/**
 * Whether a passkey comes without a certificate from its device's manufacturer. We never request a certificate: to
 * check one, the library may open the URL that the certificate names, and this server opens no URLs.
 */
async function isUncertified(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers();
  const decoded = attempt(() => decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)));
  const format = decoded?.get('fmt');
  return format === 'none' || (format === 'packed' && decoded?.get('attStmt').get('x5c') === undefined);
}

/** Stores an account's checked passkey, with its audit entry, in the caller's transaction. */
export async function keepPasskey(
  trx: Db,
  { accountId, credentialId, publicKey, counter, transports }: CheckedPasskey,
  { name, at, requestId }: { readonly name: string; readonly at: number; readonly requestId: string },
): Promise<PasskeyRow> {
  const row = await insertPasskey(trx, {
    account_id: accountId,
    credential_id: credentialId,
    public_key: publicKey,
    counter: String(counter),
    transports,
    name,
    created_at: isoAt(at),
  });
  await audit(trx, at, { action: 'passkey.added', subjectKind: 'passkey', subjectIds: [row.id], accountId, requestId });
  return row;
}

/**
 * Returns the result of a library call on data from outside; undefined if the call throws, as it does on invalid data.
 */
function attempt<T>(work: () => Promise<T>): Promise<T | undefined>;
function attempt<T>(work: () => T): T | undefined;
function attempt<T>(work: () => T | Promise<T>): T | undefined | Promise<T | undefined> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(() => undefined) : result;
  } catch {
    return undefined;
  }
}
