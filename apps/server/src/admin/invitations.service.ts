import type { AuditAction, Role } from '@clinic/contract';
import { defaultLocation, emailKey, type Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { lockAll } from '../db/locks.ts';
import { inTransaction } from '../db/retry.ts';
import { audit, type AuditEntry } from '../access/audit.ts';
import { endDemo } from '../access/demo.ts';
import { isoAt } from '../platform/clock.ts';
import { refusal } from '../platform/refusal.ts';
import {
  insertAccount,
  lockAccount,
  type AccountRow,
  type AccountValues,
  type NewAccount,
} from './accounts.queries.ts';
import { entry, hashChecked, reaches, requirePlace, requireReach, type AccountAct } from './accounts.service.ts';
import { isTheirEmail, mailInvitation } from './invitation-mail.ts';
import { hashOf, makeSecret } from '../access/secret.ts';
import {
  findOpen,
  hasAccount,
  holdTherapist,
  insertInvitation,
  invitedBy,
  selectByHash,
  selectInvitation,
  selectInvitations,
  useInvitation,
  withdrawOpen,
  type InvitationRow,
  type NewInvitation,
} from './invitations.queries.ts';

/** How long a link works, in milliseconds. */
const VALID_MS = 7 * 24 * 3_600_000;

/** The open invitations of people at the administrator's locations. */
export async function listInvitations(db: Db, act: AccountAct): Promise<InvitationRow[]> {
  const all = await selectInvitations(db, isoAt(act.at));
  return all.filter(({ locations }) => reaches(act, locations));
}

type Made = InvitationRow & { readonly secret: string | null };

interface InvitePlan {
  readonly therapist: string;
  readonly email: string;
  /** The email address to which the link goes; undefined if an administrator hands the link over. */
  readonly sendTo: string | undefined;
  /** The URL of the clinic's pages; undefined if links cannot be sent by email. */
  readonly publicUrl: string | undefined;
}

/** Invites a therapist to create an account. The therapist's earlier link stops working. */
export function invite(db: Db, act: AccountAct, { therapist, email, sendTo, publicUrl }: InvitePlan): Promise<Made> {
  requireEmail(sendTo, publicUrl);
  return inTransaction(db, async (trx) => {
    await lockAll(trx, [`invitation:${therapist}`]);
    const person = await holdTherapist(trx, therapist, isoAt(act.at));
    if (!person) throw refusal('no-such-therapist');
    requireReach(act, [person.location]);
    if (await hasAccount(trx, person.id)) throw refusal('therapist-has-account', person.display_name);
    if (sendTo !== undefined && !(await isTheirEmail(trx, person.id, sendTo)))
      throw refusal('not-their-email', sendTo, person.display_name);
    const whom = { therapist_id: person.id, email: emailKey(email), role: 'therapist' } as const;
    return make(trx, act, whom, { location: person.location, sendTo, publicUrl });
  });
}

interface ColleaguePlan extends Omit<AccountValues, 'role'> {
  readonly role: Exclude<Role, 'therapist'>;
  readonly byEmail: boolean;
  readonly publicUrl: string | undefined;
}

/** Invites someone with another role. An earlier link to the same email stops working. */
export function inviteColleague(db: Db, act: AccountAct, plan: ColleaguePlan): Promise<Made> {
  const { name, role, publicUrl } = plan;
  const email = emailKey(plan.email);
  const sendTo = plan.byEmail ? email : undefined;
  requireEmail(sendTo, publicUrl);
  requireReach(act, plan.locations);
  requirePlace(plan);
  const locations = plan.locations && [...plan.locations];
  return inTransaction(db, async (trx) => {
    await lockAll(trx, [`invitation:${email}`]);
    const earlier = await findOpen(trx, { email });
    if (earlier) requireReach(act, earlier.locations);
    const whom = { therapist_id: null, email, name, role, locations };
    return make(trx, act, whom, { location: locations?.[0] ?? defaultLocation(), sendTo, publicUrl });
  });
}

function requireEmail(sendTo: string | undefined, publicUrl: string | undefined): void {
  if (sendTo !== undefined && publicUrl === undefined) throw refusal('invitation-email-off');
}

/**
 * Makes an invitation, and ends the person's earlier one. If an administrator hands the link over, its secret is
 * returned once and not stored; otherwise the secret is made when the email is sent.
 */
async function make(
  trx: Db,
  act: AccountAct,
  whom: Pick<NewInvitation, 'therapist_id' | 'email' | 'name' | 'role' | 'locations'>,
  { location, sendTo, publicUrl }: Pick<InvitePlan, 'sendTo' | 'publicUrl'> & { readonly location: Location },
): Promise<Made> {
  const at = isoAt(act.at);
  const expires = act.at + VALID_MS;
  const link = sendTo === undefined ? makeSecret() : null;
  if (await lockAccount(trx, { email: whom.email })) throw refusal('email-taken', whom.email);
  const earlier = await findOpen(trx, invitedBy(whom));
  if (earlier) await withdrawOpen(trx, earlier.id, at);
  const times = { invited_at: at, expires_at: isoAt(expires) };
  const row = { ...whom, ...times, secret_hash: link?.hash ?? null, invited_by: act.accountId };
  const id = await insertInvitation(trx, row);
  if (sendTo !== undefined && publicUrl !== undefined)
    await mailInvitation(trx, {
      id,
      location,
      to: sendTo,
      role: whom.role,
      publicUrl,
      by: act.accountId,
      at: act.at,
      expires,
    });
  const made = await selectInvitation(trx, id, at);
  if (!made) throw refusal('invitation-ended');
  const way = sendTo === undefined ? 'handed over' : 'by email';
  const rights = made.therapist_id === null ? { role: made.role, locations: made.locations } : {};
  await audit(trx, act.at, { ...aboutInvited(act, 'invitation.made', made), detail: { link: way, ...rights } });
  return { ...made, secret: link?.secret ?? null };
}

/** Withdraws an invitation; its link stops working. */
export async function withdrawInvitation(db: Db, act: AccountAct, id: string): Promise<void> {
  const at = isoAt(act.at);
  await inTransaction(db, async (trx) => {
    const row = await selectInvitation(trx, id, at);
    if (!row) throw refusal('invitation-ended');
    requireReach(act, row.locations);
    await lockAll(trx, [lockOf(row)]);
    // Meanwhile, the link may have been used, or replaced by a newer one that must keep working.
    if (!(await selectInvitation(trx, id, at))) throw refusal('invitation-ended');
    await withdrawOpen(trx, id, at);
    await audit(trx, act.at, aboutInvited(act, 'invitation.withdrawn', row));
  });
}

const lockOf = ({ therapist_id, email }: Pick<InvitationRow, 'therapist_id' | 'email'>): string =>
  `invitation:${therapist_id ?? email}`;

/** The request that uses a link. */
export interface LinkUse {
  /** Milliseconds since 1970, by the machine's clock. */
  readonly at: number;
  readonly requestId: string;
  /** Whether everyone may log in here, or only administrators. */
  readonly passwordLogin?: 'on' | 'admins-only';
}

/** Refuses to make an account with a password or a passkey for someone who may use neither. */
export function requirePasswordLogin({ role }: InvitationRow, { passwordLogin }: LinkUse): void {
  if (passwordLogin === 'admins-only' && role !== 'admin') throw refusal('sign-on-only');
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
  requirePasswordLogin(found, use);
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
  invitation: InvitationRow,
  login: Pick<NewAccount, 'passwordHash' | 'id' | 'signsOn'>,
  { at, requestId }: LinkUse,
): Promise<AccountRow> {
  const { id, therapist_id: therapistId, email } = invitation;
  await lockAll(trx, [lockOf(invitation)]);
  const values = therapistId === null ? await colleagueOf(trx, invitation) : await therapistOf(trx, therapistId, at);
  if (!values || !(await useInvitation(trx, id, isoAt(at)))) throw refusal('invitation-ended');
  if (await lockAccount(trx, { email })) throw refusal('email-taken', email);
  const account = await insertAccount(trx, { ...values, email }, { ...login, therapistId });
  const act = { accountId: account.id, requestId };
  await endDemo(trx, { at, ...act });
  const { role, locations } = account;
  await audit(trx, at, entry(act, 'account.added', account.id, { role, locations, invitation: id }));
  return account;
}

async function therapistOf(trx: Db, id: string, at: number): Promise<Omit<AccountValues, 'email'> | undefined> {
  const person = await holdTherapist(trx, id, isoAt(at));
  return person && { name: person.display_name, role: 'therapist', locations: [person.location] };
}

/** A colleague's rights, if the administrator who invited them could still grant these. */
async function colleagueOf(
  trx: Db,
  { invited_by, display_name: name, role, locations }: InvitationRow,
): Promise<Omit<AccountValues, 'email'> | undefined> {
  const inviter = invited_by === null ? undefined : await lockAccount(trx, { id: invited_by });
  const mayInvite = inviter?.role === 'admin' && inviter.disabled_at === null && reaches(inviter, locations);
  return mayInvite ? { name, role, locations } : undefined;
}

function aboutInvited(
  act: AccountAct,
  action: AuditAction,
  { id, therapist_id: therapistId }: Pick<InvitationRow, 'id' | 'therapist_id'>,
): AuditEntry {
  const { accountId, requestId } = act;
  const whom =
    therapistId === null
      ? { subjectKind: 'invitation', subjectIds: [id] }
      : { subjectKind: 'therapist', subjectIds: [therapistId] };
  return { action, ...whom, accountId, requestId };
}
