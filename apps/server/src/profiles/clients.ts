import { sql } from 'kysely';
import { fullName, nameKey, type IsoDate, type Location } from '@clinic/domain';
import { CLIENT_FIELDS, COVER_NOTE, type Client, type ClientBody } from '@clinic/contract';
import type { LocationDay } from '../day/facts/versions.ts';
import type { Db } from '../db/connection.ts';
import { refusal } from '../platform/refusal.ts';
import { AUTHORIZATIONS } from './authorizations.ts';
import { unfitForClient } from './clients.check.ts';
import { contactsOf } from './contacts.ts';
import type { ProfileKind, SaveContext, StoredClient } from './profile-kind.ts';
import { RESTRICTIONS } from './restrictions.ts';
import { NEEDS } from './tags.ts';

export const CLIENTS: ProfileKind<StoredClient, ClientBody, Client> = {
  table: 'client',
  fields: CLIENT_FIELDS,
  minuteColumns: {},
  lists: { restrictions: RESTRICTIONS, needs: NEEDS, authorizations: AUTHORIZATIONS, contacts: contactsOf('client') },
  leaves: false,
  outsidePlans: ['contacts', ...COVER_NOTE],
  present: (row, lists) => ({ ...row, ...lists }),
  unknown: () => refusal('no-such-client'),
  checkBody: refuseAdministrativeName,
  checkChange: async (trx, before, after, { today }) => {
    if (before.two_to_one && !after.two_to_one && (await hasSecondSeats(trx, before.id, today))) {
      throw refusal('second-therapist-booked');
    }
  },
  unfitAfter: unfitForClient,
  touchedDays: selectTouchedDays,
};

/**
 * Refuses the name of administrative time, because this name is all that distinguishes administrative time from a
 * client's sessions in the API.
 */
function refuseAdministrativeName(body: ClientBody, { adminClientName }: SaveContext): void {
  if (nameKey(fullName(body.first_name, body.last_name)) !== nameKey(adminClientName)) return;
  throw refusal('name-is-administrative', adminClientName);
}

/** Whether a second therapist is booked for a 2:1 client on this date or later. */
async function hasSecondSeats(db: Db, clientId: string, from: IsoDate): Promise<boolean> {
  const row = await db
    .selectFrom('appointment')
    .select('id')
    .where('client_id', '=', clientId)
    .where('seat', '=', 2)
    .where('occupies', '=', true)
    .where('starts', '>=', sql<string>`${from}::timestamp`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the days, beginning with `from`, on which the client has sessions. */
async function selectTouchedDays(trx: Db, clientId: string, _locations: readonly Location[], from: IsoDate) {
  const { rows } = await sql<LocationDay>`
    select distinct location, starts::date as date from appointment
    where client_id = ${clientId} and starts >= ${from}::timestamp`.execute(trx);
  return rows;
}
