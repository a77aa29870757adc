import { randomBytes } from 'node:crypto';
import type { Db } from '../db/connection.ts';
import { inTransaction, readAgain } from '../db/retry.ts';
import { audit } from '../access/audit.ts';
import { beginSession, issueToken, type IssuedToken, type SessionSettings } from '../access/begin-session.ts';
import { hashOf, makeSecret } from '../access/secret.ts';
import type { Caller } from '../access/sessions.ts';
import type { Tokens } from '../access/tokens.ts';
import { changeIn, valuesOf } from '../admin/accounts.service.ts';
import { lockAccount, type AccountRow } from '../admin/accounts.queries.ts';
import { selectByEmail } from '../admin/invitations.queries.ts';
import { useLink } from '../admin/invitations.service.ts';
import { isoAt } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import { holdAccount, mayLogIn } from '../session/session.queries.ts';
import { signOut } from '../session/sign-out.ts';
import { groupsIn, rightsOf, verifiedEmail } from './claims.ts';
import { SignOnFailed, type Claims, type Oidc, type Provider } from './provider.ts';
import {
  findIdentity,
  findProvisioned,
  findSubject,
  insertStep,
  linkAccount,
  noteIdentityUse,
  takeStep,
} from './sign-on.queries.ts';

/** How long people have to log in at the clinic's sign-on. */
export const BEGUN_MS = 10 * 60_000;
/** How long the login page has to fetch the token. */
const CODE_MS = 60_000;

/** A request of a sign-on: when, in which request, from where, and of which browser. */
export interface SignOnRequest {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requestId: string;
  /** The address from which it came, for the trail. */
  readonly from: string | null;
  /** The secret in the browser's cookie. */
  readonly browser: string;
}

/** Begins a sign-on in a browser, and returns the issuer's address at which the person logs in. */
export async function beginSignOn(db: Db, provider: Provider, { at, browser }: SignOnRequest): Promise<URL> {
  const state = makeSecret();
  const [nonce, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
  const address = await provider.begin({ state: state.secret, nonce, verifier });
  const step = { key_hash: state.hash, browser_hash: hashOf(browser), nonce, verifier };
  await insertStep(db, { ...step, expires_at: isoAt(at + BEGUN_MS) }, isoAt(at));
  return address;
}

/**
 * Takes the issuer's answer from the address to which the person came back, finds their account, and returns the code
 * with which the page fetches the token, and the ID token. Throws `SignOnFailed`; why is in the audit trail.
 */
export async function takeAnswer(
  db: Db,
  provider: Provider,
  oidc: Oidc,
  current: URL,
  request: SignOnRequest,
): Promise<{ code: string; idToken: string }> {
  const state = current.searchParams.get('state') ?? '';
  const { at, browser } = request;
  const begun = await takeStep(db, hashOf(state), hashOf(browser), isoAt(at));
  if (!begun || begun.nonce === null || begun.verifier === null) throw new SignOnFailed('too-late');
  const { claims, idToken } = await provider.finish(current, { state, nonce: begun.nonce, verifier: begun.verifier });
  try {
    const accountId = await inTransaction(db, (trx) => accountOf(trx, oidc, claims, request));
    const { secret, hash } = makeSecret();
    const step = { key_hash: hash, browser_hash: hashOf(browser), account_id: accountId };
    await insertStep(db, { ...step, expires_at: isoAt(at + CODE_MS) }, isoAt(at));
    return { code: secret, idToken };
  } catch (error) {
    if (error instanceof SignOnFailed) await recordFailure(db, oidc, claims, error, request);
    throw error;
  }
}

/** Begins a session with the code that the login page got. Refuses a code that is wrong, too old, or used. */
export async function exchangeCode(
  db: Db,
  tokens: Tokens,
  settings: SessionSettings,
  code: string,
  { at, browser, requestId, from, replaces }: SignOnRequest & { readonly replaces: Caller | null },
): Promise<IssuedToken> {
  const step = await takeStep(db, hashOf(code), hashOf(browser), isoAt(at));
  const accountId = step?.account_id ?? null;
  if (accountId === null) throw new Refusal('not-found');
  const begun = await inTransaction(db, async (trx) => {
    // Meanwhile, an administrator may have disabled the account.
    if (!(await holdAccount(trx, accountId)) || !(await mayLogIn(trx, accountId, at, false)))
      throw new Refusal('forbidden');
    return beginSession(trx, settings, { accountId, requestId, now: at, from, way: 'sign-on' });
  });
  if (replaces) await signOut(db, { now: () => at }, replaces, requestId);
  return issueToken(tokens, settings, begun);
}

/** Finds the account of a person, links it at their first sign-on, and gives it the rights that their groups give. */
async function accountOf(trx: Db, oidc: Oidc, claims: Claims, { at, requestId }: SignOnRequest): Promise<string> {
  const { iss: issuer, sub: subject } = claims;
  const act = { accountId: null, requestId, at, locations: null, by: 'sign-on' } as const;
  const linked = await findIdentity(trx, issuer, subject);
  const known = linked ?? (await findProvisioned(trx, issuer, claims));
  const account = known
    ? await lockAccount(trx, { id: known.account_id })
    : await byEmail(trx, issuer, claims, { at, requestId });
  if (!account) throw new SignOnFailed('unknown');
  if (!(await mayLogIn(trx, account.id, at, false))) throw new SignOnFailed('disabled');
  const rights = oidc.roles && rightsOf(oidc.roles, groupsIn(claims, oidc.roleClaim));
  // Therapists' accounts belong to their profile, and show only their own day.
  if (oidc.roles && account.role !== 'therapist') {
    if (!rights) throw new SignOnFailed('no-role');
    if (
      JSON.stringify([account.role, account.locations?.toSorted() ?? null]) !==
      JSON.stringify([rights.role, rights.locations])
    )
      await changeIn(trx, act, account.id, { ...valuesOf(account), ...rights }).catch(lastAdministrator);
  }
  // Two tabs may have begun the first sign-on: the second finds the link of the first.
  if (linked || (await findSubject(trx, account.id, issuer)) !== undefined)
    await noteIdentityUse(trx, issuer, subject, isoAt(at));
  else {
    await linkAccount(trx, { account_id: account.id, issuer, subject }, isoAt(at));
    await audit(trx, at, {
      action: 'sign-on.linked',
      subjectKind: 'account',
      subjectIds: [account.id],
      accountId: account.id,
      requestId,
    });
  }
  return account.id;
}

function lastAdministrator(error: unknown): never {
  // Nobody but the rule that one administrator stays refuses what the sign-on changes.
  throw error instanceof Refusal ? new SignOnFailed('last-administrator', { cause: error }) : error;
}

/**
 * The account with the person's verified email, or a new one if they were invited with it. An account that belongs to
 * another person of the issuer stays theirs: addresses are given away again.
 */
async function byEmail(
  trx: Db,
  issuer: string,
  claims: Claims,
  use: Pick<SignOnRequest, 'at' | 'requestId'>,
): Promise<AccountRow | undefined> {
  const email = verifiedEmail(claims);
  if (email === null) throw new SignOnFailed('unverified');
  const account = await lockAccount(trx, { email });
  if (account?.demo) return undefined;
  const subject = account && (await findSubject(trx, account.id, issuer));
  if (subject !== undefined && subject !== claims.sub) throw new SignOnFailed('other-person');
  if (account) return account;
  const invitation = await selectByEmail(trx, email, isoAt(use.at));
  // The invited person follows no link: that they own the address, the issuer says.
  if (!invitation) return undefined;
  try {
    return await useLink(trx, invitation, { passwordHash: null, signsOn: true }, use);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Another tab, or the link itself, was quicker; otherwise whoever invited them could no longer do so.
    throw (await lockAccount(trx, { email })) ? readAgain() : new SignOnFailed('unknown', { cause: error });
  }
}

async function recordFailure(
  db: Db,
  { issuer }: Oidc,
  { sub }: Claims,
  { why }: SignOnFailed,
  { at, requestId, from }: SignOnRequest,
): Promise<void> {
  const account = await findIdentity(db, issuer, sub);
  await inTransaction(db, (trx) =>
    audit(trx, at, {
      action: 'session.refused',
      subjectKind: 'account',
      subjectIds: account ? [account.account_id] : [],
      accountId: null,
      requestId,
      detail: { with: 'sign-on', why, ...(from === null ? {} : { from }) },
    }),
  );
}
