import type { PayerBody } from '@clinic/contract';
import { groupBy, clinicLocations, nameKey, type Location } from '@clinic/domain';
import { selectFutureSessions, unfitSessions, type UnfitSession } from '../../day/future-sessions.ts';
import { paidCodes, selectPayers } from '../count/payers.ts';
import type { Db } from '../../db/connection.ts';
import { timestampOf } from '../../db/wall-time.ts';

/**
 * Finds the future sessions whose therapist the payer would no longer pay for if this body were saved.
 * @param now the time at a location, as PostgreSQL writes timestamps
 */
export async function unfitForPayer(
  db: Db,
  { name, credential, tag }: PayerBody,
  now: (location: Location) => string,
): Promise<UnfitSession[]> {
  const key = nameKey(name);
  const rows = await db
    .selectFrom('client_authorization')
    .select(['client_id', 'payer', 'code', 'from_date', 'until_date'])
    .execute();
  const clients = groupBy(rows, (row) => row.client_id);
  const own = [...clients].filter(([, all]) => all.some(({ payer }) => nameKey(payer) === key));
  const after = new Map(await selectPayers(db)).set(key, { name, credential, tag, concurrent: null });
  // Locations may have different clocks. A search from the earliest clock finds every session that has not begun yet by
  // its own location's clock.
  const earliest = clinicLocations()
    .map(({ value }) => now(value))
    .reduce((a, b) => (a < b ? a : b));
  const found = await selectFutureSessions(db, { clients: own.map(([client]) => client) }, earliest);
  const sessions = found.filter(({ date, start, location }) => timestampOf(date, start) > now(location));
  return unfitSessions(sessions, (session) => {
    const paid = paidCodes(after, clients.get(session.client.id) ?? []);
    return { ...session, client: { ...session.client, paid } };
  });
}
