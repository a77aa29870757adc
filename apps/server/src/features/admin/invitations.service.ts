import type { AuditAction } from '@clinic/contract';
import { emailKey } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import { inTransaction } from '../../db/retry.ts';
import { audit, type AuditEntry } from '../../platform/access/audit.ts';
import { mayWorkAt } from '../../platform/access/caller.ts';
import { isoAt } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import { insertAccount, lockAccount, type AccountRow, type NewAccount } from './accounts.queries.ts';
import { entry, hashChecked, requireReach, type AccountAct } from './accounts.service.ts';
import { isTheirEmail, mailInvitation } from './invitation-mail.ts';
import { hashOf, makeSecret } from './invitation-secret.ts';
import {
  hasAccount,
  holdTherapist,
  insertInvitation,
  selectByHash,
  selectInvitation,
  selectInvitations,
  useInvitation,
  withdrawOpen,
  type InvitationRow,
} from './invitations.queries.ts';

/** How long a link works, in milliseconds. */
const VALID_MS = 7 * 24 * 3_600_000;

/** The open invitations of therapists at the administrator's locations. */
export async function listInvitations(db: Db, act: AccountAct): Promise<InvitationRow[]> {
  const all = await selectInvitations(db, isoAt(act.at));
  return all.filter(({ location }) => mayWorkAt(act, location));
}

interface InvitePlan {
  readonly therapist: string;
  readonly email: string;
  /** The email address to which the link goes; undefined if an administrator hands the link over. */
  readonly sendTo: string | undefined;
  /** The URL of the clinic's pages; undefined if links cannot be sent by email. */
  readonly publicUrl: string | undefined;
}

/**
 * Invites a therapist to create an account. If an administrator hands the link over, its secret is returned once and
 * not stored; otherwise the secret is made when the email is sent. The therapist's earlier link stops working.
 */
export async function invite(
  db: Db,
  act: AccountAct,
  { therapist, email, sendTo, publicUrl }: InvitePlan,
): Promise<InvitationRow & { readonly secret: string | null }> {
  if (sendTo !== undefined && publicUrl === undefined) throw refusal('invitation-email-off');
  const link = sendTo === undefined ? makeSecret() : null;
  return inTransaction(db, async (trx) => {
    await lockAll(trx, [`invitation:${therapist}`]);
    const person = await holdTherapist(trx, therapist);
    if (!person) throw refusal('no-such-therapist');
    requireReach(act, [person.location]);
    if (await hasAccount(trx, person.id)) throw refusal('therapist-has-account', person.display_name);
    if (sendTo !== undefined && !(await isTheirEmail(trx, person.id, sendTo)))
      throw refusal('not-their-email', sendTo, person.display_name);
    const expires = act.at + VALID_MS;
    const row = { therapist_id: person.id, email: emailKey(email), expires_at: isoAt(expires) };
    if (await lockAccount(trx, { email: row.email })) throw refusal('email-taken', row.email);
    await withdrawOpen(trx, person.id, isoAt(act.at));
    const made = { ...row, secret_hash: link?.hash ?? null, invited_by: act.accountId, invited_at: isoAt(act.at) };
    const id = await insertInvitation(trx, made);
    if (sendTo !== undefined && publicUrl !== undefined) {
      const { location } = person;
      await mailInvitation(trx, { id, location, to: sendTo, publicUrl, by: act.accountId, at: act.at, expires });
    }
    const invitation = await selectInvitation(trx, id);
    if (!invitation) throw refusal('invitation-ended');
    const way = sendTo === undefined ? 'handed over' : 'by email';
    await audit(trx, act.at, { ...aboutTherapist(act, 'invitation.made', person.id), detail: { link: way } });
    return { ...invitation, secret: link?.secret ?? null };
  });
}

/** Withdraws an invitation; its link stops working. */
export async function withdrawInvitation(db: Db, act: AccountAct, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const row = await selectInvitation(trx, id);
    if (!row) throw refusal('invitation-ended');
    requireReach(act, [row.location]);
    await lockAll(trx, [`invitation:${row.therapist_id}`]);
    // Meanwhile, the link may have been used, or replaced by a newer one that must keep working.
    if (!(await selectInvitation(trx, id))) throw refusal('invitation-ended');
    await withdrawOpen(trx, row.therapist_id, isoAt(act.at));
    await audit(trx, act.at, aboutTherapist(act, 'invitation.withdrawn', row.therapist_id));
  });
}

/** The request that uses a link. */
export interface LinkUse {
  /** Milliseconds since 1970, by the machine's clock. */
  readonly at: number;
  readonly requestId: string;
}

/**
 * Uses a link: creates the therapist's account with the password that they chose, and returns the account's email. If
 * the link does not work, the refusal gives no reason, and no password is hashed.
 */
export async function acceptInvitation(
  db: Db,
  { secret, password }: { secret: string; password: string },
  use: LinkUse,
): Promise<string> {
  const found = await findInvitation(db, secret, use.at);
  const passwordHash = await hashChecked(password, { email: found.email, name: found.display_name });
  return inTransaction(db, async (trx) => (await useLink(trx, found, { passwordHash }, use)).email);
}

/** Returns the invitation to which a link's secret belongs. Refuses if the link does not work. */
export async function findInvitation(db: Db, secret: string, at: number): Promise<InvitationRow> {
  const found = await selectByHash(db, hashOf(secret), isoAt(at));
  if (!found) throw refusal('invitation-ended');
  return found;
}

/** Marks an invitation as used and creates its account, in the caller's transaction. */
export async function useLink(
  trx: Db,
  { id, therapist_id: therapistId, email }: InvitationRow,
  login: Pick<NewAccount, 'passwordHash' | 'id'>,
  { at, requestId }: LinkUse,
): Promise<AccountRow> {
  await lockAll(trx, [`invitation:${therapistId}`]);
  const person = await holdTherapist(trx, therapistId);
  if (!person || !(await useInvitation(trx, id, isoAt(at)))) throw refusal('invitation-ended');
  if (await lockAccount(trx, { email })) throw refusal('email-taken', email);
  const values = { email, name: person.display_name, role: 'therapist', locations: [person.location] } as const;
  const account = await insertAccount(trx, values, { ...login, therapistId: person.id });
  const act = { accountId: account.id, requestId };
  await audit(trx, at, entry(act, 'account.added', account.id, { role: 'therapist', invitation: id }));
  return account;
}

function aboutTherapist(act: AccountAct, action: AuditAction, therapistId: string): AuditEntry {
  const { accountId, requestId } = act;
  return { action, subjectKind: 'therapist', subjectIds: [therapistId], accountId, requestId };
}
