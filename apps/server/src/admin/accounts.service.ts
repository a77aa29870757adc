import { type AuditAction, LONGEST_PASSWORD, SHORTEST_PASSWORD } from '@clinic/contract';
import { emailKey, type Location } from '@clinic/domain';
import { lockAll } from '../db/locks.ts';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import { audit } from '../access/audit.ts';
import { demoLives } from '../db/demo/load-demo.ts';
import { endDemo } from '../access/demo.ts';
import { isoAt } from '../platform/clock.ts';
import { refusal, Refusal } from '../platform/refusal.ts';
import { publishEvent } from '../platform/events.ts';
import { deleteFactor } from '../access/second-factor.queries.ts';
import { deletePasskeys } from '../access/passkeys.queries.ts';
import { requireVersion, versionOf } from '../platform/content-version.ts';
import { hashPassword } from '../access/passwords.ts';
import {
  countManagersOfAll,
  endSessions,
  insertAccount,
  lockAccount,
  selectAccounts,
  updateAccount,
  type AccountRow,
  type AccountValues,
} from './accounts.queries.ts';
import { weakness } from './weak-password.ts';

/** Who changes an account, and when. `accountId` is null for a change from the command line. */
export interface AccountAct {
  readonly accountId: string | null;
  readonly requestId: string | null;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly at: number;
  /** The locations whose accounts this administrator may add and change; null for all. */
  readonly locations: readonly Location[] | null;
  /** What acts if nobody does: the clinic's sign-on. */
  readonly by?: 'sign-on' | 'SCIM';
}

/** The accounts that an administrator may see: those that they may change. */
export async function listAccounts(db: Db, act: AccountAct): Promise<AccountRow[]> {
  return (await selectAccounts(db)).filter(({ locations }) => reaches(act, locations));
}

/** Adds an account. Refuses (`invalid`) an email in use, and a password that is too short or easy to guess. */
export async function addAccount(
  db: Db,
  act: AccountAct,
  values: AccountValues,
  password: string | undefined,
): Promise<AccountRow> {
  requireReach(act, values.locations);
  if (values.role === 'therapist') throw refusal('therapist-needs-invitation');
  requirePlace(values);
  if (password === undefined) throw refusal('password-missing');
  const passwordHash = await hashChecked(password, values);
  return inTransaction(db, async (trx) => {
    const account = { ...values, email: emailKey(values.email) };
    if (await lockAccount(trx, { email: account.email })) {
      throw refusal('email-taken', account.email);
    }
    const row = await insertAccount(trx, account, { passwordHash, therapistId: null });
    await endDemo(trx, act);
    await audit(trx, act.at, entry(act, 'account.added', row.id, { role: row.role, locations: row.locations }));
    return row;
  });
}

export interface AccountChanges extends AccountValues {
  readonly password?: string | undefined;
  readonly disabled?: boolean | undefined;
  readonly remove_second_factor?: boolean | undefined;
  /** The version that the user edited; undefined to save over any version. */
  readonly version?: string | undefined;
}

/** The values that make up an account's version. Its password is not among them. */
const editable = ({ email, name, role, locations }: AccountValues, disabled: boolean): unknown[] => [
  email,
  name,
  role,
  // A therapist's locations come from their profile.
  role === 'therapist' ? null : locations,
  disabled,
];
export const accountVersion = (row: AccountRow): string => versionOf(editable(row, row.disabled_at !== null));

/** Whether a change affects how the user logs in: it sets a new email or a new password. */
export async function changesSignIn(
  db: Db,
  act: AccountAct,
  id: string,
  { email, password, remove_second_factor }: Pick<AccountChanges, 'email' | 'password' | 'remove_second_factor'>,
): Promise<boolean> {
  if (password !== undefined || remove_second_factor === true) return true;
  const account = (await selectAccounts(db)).find((row) => row.id === id);
  return account !== undefined && reaches(act, account.locations) && account.email !== emailKey(email);
}

/**
 * Changes an account. Refuses (`stale-version`) to overwrite what someone else has saved since. New rights apply at
 * once. A new password ends the account's sessions and removes its passkeys, because another person may have set these
 * up. Disabling ends the sessions too.
 */
export async function changeAccount(db: Db, act: AccountAct, id: string, changes: AccountChanges): Promise<AccountRow> {
  const { password, ...rest } = changes;
  const passwordHash = password === undefined ? undefined : await hashChecked(password, changes);
  return inTransaction(db, (trx) => changeIn(trx, act, id, rest, passwordHash));
}

/** Like `changeAccount`, in the caller's transaction and with the hash of the new password, if there is one. */
export async function changeIn(
  trx: Db,
  act: AccountAct,
  id: string,
  changes: Omit<AccountChanges, 'password'>,
  passwordHash?: string,
): Promise<AccountRow> {
  const { disabled, version, remove_second_factor: removesFactor = false, ...given } = changes;
  const before = await lockAccount(trx, { id });
  if (!before) throw new Refusal('not-found');
  requireReach(act, before.locations);
  // The password of a demo account may still be the public one.
  if (before.demo && before.disabled_at !== null && disabled === false && !(await demoLives(trx)))
    throw refusal('demo-has-ended');
  if ((before.role === 'therapist') !== (changes.role === 'therapist')) throw refusal('therapist-stays-therapist');
  // The locations in the request are ignored, because a therapist's profile determines their location.
  const values = before.role === 'therapist' ? { ...given, locations: before.locations } : given;
  requireReach(act, values.locations);
  requirePlace(values);
  const email = emailKey(values.email);
  const off = before.disabled_at !== null;
  requireVersion(version, editable(before, off), editable({ ...values, email }, disabled ?? off));
  if (email !== before.email && (await lockAccount(trx, { email }))) {
    throw refusal('email-taken', email);
  }
  const at = isoAt(act.at);
  const after = await updateAccount(
    trx,
    id,
    {
      ...values,
      email,
      ...(passwordHash === undefined ? {} : { passwordHash }),
      ...(disabled === undefined ? {} : { disabledAt: disabled ? (before.disabled_at ?? at) : null }),
    },
    at,
  );
  await keepAnAdmin(trx, before, after);
  if (after.disabled_at !== null) await endAll(trx, id, 'disabled', at);
  else if (passwordHash !== undefined) await endAll(trx, id, 'password', at);
  else await publishEvent(trx, { kind: 'account-changed', account: id });
  const removed = passwordHash === undefined ? 0 : await deletePasskeys(trx, id);
  // Whoever gets a new password may have lost their phone too, and another person may have set the factor up.
  const factorRemoved = (removesFactor || passwordHash !== undefined) && (await deleteFactor(trx, id));
  const detail = {
    ...(factorRemoved ? { second_factor: 'removed' } : {}),
    role: after.role,
    locations: after.locations,
    disabled: after.disabled_at !== null,
    password: passwordHash !== undefined,
    ...(removed === 0 ? {} : { passkeys_removed: removed }),
  };
  await audit(trx, act.at, entry(act, 'account.changed', id, detail));
  return after;
}

/** Disables the account with this email, and ends its sessions. */
export async function disableAccount(db: Db, act: AccountAct, email: string): Promise<void> {
  const account = await find(db, email);
  await changeAccount(db, act, account.id, { ...valuesOf(account), disabled: true });
}

/** Gives the account with this email a new password, and ends its sessions. */
export async function setPassword(db: Db, act: AccountAct, email: string, password: string): Promise<void> {
  const account = await find(db, email);
  await changeAccount(db, act, account.id, { ...valuesOf(account), password });
}

/** The fields of an account that an administrator sets. */
export function valuesOf({ email, name, role, locations }: AccountRow): AccountValues {
  return { email, name, role, locations };
}

async function find(db: Db, email: string): Promise<AccountRow> {
  const wanted = emailKey(email);
  const account = (await selectAccounts(db)).find((row) => row.email === wanted);
  if (!account) throw refusal('no-such-account', wanted);
  return account;
}

/** Refuses a change after which no administrator could change every account, even when two changes come at once. */
async function keepAnAdmin(trx: Db, before: AccountRow, after: AccountRow): Promise<void> {
  if (!managesAll(before) || managesAll(after)) return;
  await lockAll(trx, ['administrators']);
  if ((await countManagersOfAll(trx)) === 0) {
    throw refusal('last-administrator');
  }
}

const managesAll = ({ role, disabled_at, locations }: AccountRow): boolean =>
  role === 'admin' && disabled_at === null && locations === null;

/** Whether access to these locations, and no others, is an administrator's to grant and to remove. */
export function reaches(
  { locations: reach }: Pick<AccountAct, 'locations'>,
  locations: readonly Location[] | null,
): boolean {
  return reach === null || (locations !== null && locations.every((location) => reach.includes(location)));
}

/** Refuses a viewer without locations: a person of the whole clinic who only reads is a director. */
export function requirePlace({ role, locations }: Pick<AccountValues, 'role' | 'locations'>): void {
  if (role === 'viewer' && (locations === null || locations.length === 0)) throw refusal('viewer-needs-location');
}

/** Refuses to grant or remove access to locations that are not the administrator's own. */
export function requireReach(act: AccountAct, locations: readonly Location[] | null): void {
  if (!reaches(act, locations)) throw refusal('beyond-your-locations');
}

async function endAll(trx: Db, accountId: string, why: 'disabled' | 'password', at: string): Promise<void> {
  await endSessions(trx, accountId, why, at);
  await publishEvent(trx, { kind: 'account-ended', account: accountId });
}

/**
 * Returns the hash to store for a password. Refuses (`invalid`) a password that is too short or easy to guess.
 * @param field the request's field with the password, for the refusal
 */
export async function hashChecked(
  password: string,
  { email, name }: Pick<AccountValues, 'email' | 'name'>,
  field = 'password',
): Promise<string> {
  if (password.length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD) {
    throw refusal('password-length', field, SHORTEST_PASSWORD, LONGEST_PASSWORD);
  }
  const why = weakness(password, [email, name]);
  if (why !== null) throw refusal('password-weak', field, why);
  return hashPassword(password);
}

export function entry(
  act: Pick<AccountAct, 'accountId' | 'requestId' | 'by'>,
  action: AuditAction,
  id: string,
  detail: Record<string, unknown>,
) {
  const { accountId, requestId, by } = act;
  const whole = { ...(by === undefined ? {} : { by }), ...detail };
  return { action, subjectKind: 'account', subjectIds: [id], accountId, requestId, detail: whole };
}
