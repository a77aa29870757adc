import type { Authorization, SentAuthorization } from '@clinic/contract';
import { authorizationIdentity } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { refusal } from '../platform/refusal.ts';
import { anyOf } from '../db/any-of.ts';
import { byPerson, profileList } from './profile-list.ts';

/** Authorizations by client, latest first. */
async function selectAuthorizations(db: Db, ids: readonly string[]): Promise<Map<string, Authorization[]>> {
  const rows = await db
    .selectFrom('client_authorization')
    .select([
      'client_id',
      'payer',
      'code',
      'number',
      'from_date',
      'until_date',
      'units',
      'period',
      'prior_units',
      'prior_until',
    ])
    .where('client_id', '=', anyOf(ids))
    .orderBy('until_date', 'desc')
    .orderBy('code')
    .orderBy('number')
    .orderBy('payer')
    .execute();
  return byPerson(ids, rows, 'client_id');
}

/**
 * The authorizations to store. Units already used that a request leaves out stay, as from a page opened before they
 * could be typed. Refuses (422) an authorization that is the same (`authorizationIdentity`) as an earlier one in the list.
 */
function toStore(sent: readonly SentAuthorization[], stored: readonly Authorization[]): Authorization[] {
  const seen = new Set<string>();
  const before = new Map(stored.map((each) => [JSON.stringify(authorizationIdentity(each)), each]));
  return sent.map((entry, i) => {
    const identity = JSON.stringify(authorizationIdentity(entry));
    if (seen.has(identity)) throw refusal('authorization-twice', i, entry.code);
    seen.add(identity);
    const { prior_units, prior_until } = entry.prior_units === undefined ? (before.get(identity) ?? NO_PRIOR) : entry;
    return { ...entry, prior_units: prior_units ?? null, prior_until: prior_until ?? null };
  });
}

const NO_PRIOR = { prior_units: null, prior_until: null };

/** The list of authorizations in a client's profile. */
export const AUTHORIZATIONS = profileList({
  inLists: false,
  select: selectAuthorizations,
  present: (authorization: Authorization): Authorization => authorization,
  toStore,
  table: 'client_authorization',
  owner: 'client_id',
  rowOf: (each, id) => ({ client_id: id, ...each }),
});
