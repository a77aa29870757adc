import { emailKey, isEmailAddress } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import { audit } from '../access/audit.ts';
import { insertAccount, lockAccount, type AccountValues } from '../admin/accounts.queries.ts';
import { changeIn, entry, type AccountAct } from '../admin/accounts.service.ts';
import { endDemo } from '../access/demo.ts';
import { isoAt } from '../platform/clock.ts';
import { versionOf } from '../platform/content-version.ts';
import { Refusal } from '../platform/refusal.ts';
import type { MappedRole } from '../role-mapping.ts';
import { rightsOf } from '../sign-on/claims.ts';
import type { Draft } from './patch.ts';
import { invalid, ScimError } from './scim-error.ts';
import { isOwnDoor } from '../sign-on/sign-on.queries.ts';
import { isTaken, selectDeleted, selectOne, updateScim, type ScimRow } from './scim.queries.ts';

/** The mapping of groups to roles; null if roles are given here. */
type Mapping = readonly MappedRole[] | null;

const notFound = (): ScimError => new ScimError(404, 'There is no such user.');
const taken = (what: string): ScimError => new ScimError(409, `${what} belongs to another user.`, 'uniqueness');

/** The version of a user, for `ETag` and `If-Match`. */
export const scimVersion = (row: ScimRow): string =>
  `W/"${versionOf([row.email, row.name, row.role, row.locations, row.disabled_at !== null, row.user_name, row.external_id, row.scim_roles])}"`;

export async function findUser(db: Db, id: string): Promise<ScimRow> {
  const row = await selectOne(db, id);
  if (!row) throw notFound();
  return row;
}

/**
 * Makes the account of a person, which has no password, or takes back one that was deleted. Without a role that the
 * mapping knows, it is a scheduler's at no location, and so sees nothing until it gets one.
 */
export function createUser(db: Db, act: AccountAct, draft: Draft, mapping: Mapping): Promise<ScimRow> {
  const { userName } = draft;
  if (userName === undefined) throw invalid('userName: needed.');
  const email = emailOf(draft.email ?? userName);
  return inTransaction(db, async (trx) => {
    const deleted = await selectDeleted(trx, email);
    if (deleted) {
      await updateScim(trx, deleted.id, { scim_deleted_at: null }, isoAt(act.at));
      return write(trx, act, deleted.id, { active: true, ...draft }, mapping);
    }
    if (await lockAccount(trx, { email })) throw taken('The email');
    const rights = (mapping && rightsOf(mapping, draft.roles ?? [])) ?? ({ role: 'scheduler', locations: [] } as const);
    const values: AccountValues = { email, name: nameOf(draft) ?? partsOf(draft) ?? email, ...rights };
    const row = await insertAccount(trx, values, { passwordHash: null, therapistId: null, signsOn: true });
    await endDemo(trx, act);
    await audit(trx, act.at, entry(act, 'account.added', row.id, { role: row.role, locations: row.locations }));
    return write(trx, act, row.id, draft, mapping);
  });
}

/** Changes what a draft says of a person. Ending `active` ends their sessions at once, on every server. */
export function changeUser(
  db: Db,
  act: AccountAct,
  id: string,
  read: (before: ScimRow) => Draft,
  { mapping, ifMatch }: { readonly mapping: Mapping; readonly ifMatch: string | undefined },
): Promise<ScimRow> {
  return inTransaction(db, async (trx) => {
    if (!(await lockAccount(trx, { id }))) throw notFound();
    const before = await findUser(trx, id);
    if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== scimVersion(before))
      throw new ScimError(412, 'The user was changed in the meantime.');
    return write(trx, act, id, read(before), mapping);
  });
}

/** Disables the account of a person whom the service no longer knows; what they did stays in the trail. */
export function deleteUser(db: Db, act: AccountAct, id: string): Promise<void> {
  return inTransaction(db, async (trx) => {
    if (!(await lockAccount(trx, { id }))) throw notFound();
    const row = await findUser(trx, id);
    await change(trx, act, row, { active: false }, null);
    await updateScim(trx, id, { scim_deleted_at: isoAt(act.at), external_id: null }, isoAt(act.at));
  });
}

async function write(trx: Db, act: AccountAct, id: string, draft: Draft, mapping: Mapping): Promise<ScimRow> {
  const before = await findUser(trx, id);
  const { userName, externalId } = draft;
  if (userName !== undefined && (await isTaken(trx, id, 'userName', userName))) throw taken('The userName');
  if (typeof externalId === 'string' && (await isTaken(trx, id, 'externalId', externalId)))
    throw taken('The externalId');
  await change(trx, act, before, draft, mapping);
  const fields = {
    ...(userName === undefined ? {} : { user_name: userName }),
    ...(externalId === undefined ? {} : { external_id: externalId }),
    ...(draft.roles === undefined ? {} : { scim_roles: [...draft.roles] }),
  };
  if (Object.keys(fields).length > 0) await updateScim(trx, id, fields, isoAt(act.at));
  return findUser(trx, id);
}

/** Changes the account, if the draft changes anything of it. */
async function change(trx: Db, act: AccountAct, row: ScimRow, draft: Draft, mapping: Mapping): Promise<void> {
  const { email, name, role, locations } = row;
  const given = draft.email === undefined ? renamed(row, draft) : emailOf(draft.email);
  if (given !== email && role === 'admin' && (await isOwnDoor(trx, row.id)))
    throw new ScimError(409, 'This administrator has a password or a passkey: change the email here.', 'mutability');
  const rights = mapping && draft.roles && role !== 'therapist' ? rightsOf(mapping, draft.roles) : null;
  // Somebody whose last role was taken away sees nothing, until they get another.
  const lost = mapping !== null && draft.roles !== undefined && !rights && role !== 'therapist';
  const after: AccountValues = {
    email: given,
    name: nameOf(draft) ?? name,
    role: rights?.role ?? (lost ? 'scheduler' : role),
    locations: rights ? rights.locations : lost ? [] : locations,
  };
  const off = row.disabled_at !== null;
  const disabled = draft.active === undefined ? off : !draft.active;
  if (
    JSON.stringify([email, name, role, locations, off]) ===
    JSON.stringify([after.email, after.name, after.role, after.locations, disabled])
  )
    return;
  try {
    await changeIn(trx, act, row.id, { ...after, disabled });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw error.message.startsWith('email:') ? taken('The email') : new ScimError(409, error.message, 'mutability');
  }
}

/** A new user name that is an address is the new email as well, if the old one was. */
function renamed({ email, user_name }: ScimRow, { userName }: Draft): string {
  const follows = userName !== undefined && isEmailAddress(userName) && emailKey(user_name ?? email) === email;
  return follows ? emailKey(userName) : email;
}

function emailOf(text: string): string {
  if (!isEmailAddress(text)) throw invalid('emails: a work address, or a userName that is an address, is needed.');
  return emailKey(text);
}

/** The name that a draft gives; a part alone is none, since the other parts are not known here. */
function nameOf({ displayName, formatted, givenName, familyName }: Draft): string | undefined {
  const whole = givenName === undefined || familyName === undefined ? undefined : `${givenName} ${familyName}`;
  return (displayName ?? formatted ?? whole)?.slice(0, 80);
}

const partsOf = ({ givenName, familyName }: Draft): string | undefined => givenName ?? familyName;
