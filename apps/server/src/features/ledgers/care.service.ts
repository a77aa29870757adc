import { addDays, priorityOf, UNIT_MINUTES, USUAL_PRIORITY, type IsoDate, type Location } from '@clinic/domain';
import { selectAuthorizations, type LiveAuthorization } from '../../clinic-day/authorizations.ts';
import { CARE_DAYS, NO_CARE, selectCare, selectCareSessions } from '../../clinic-day/care.ts';
import { selectClients } from '../../clinic-day/clinic-day.queries.ts';
import type { Db } from '../../db/connection.ts';
import { withTimes } from '../../db/wall-time.ts';
import { onSnapshot } from '../../db/retry.ts';

/** The care of a location's clients in the 28 days before the date, and the priority that follows from it. */
export async function readCare(db: Db, location: Location, date: IsoDate) {
  const from = addDays(date, -CARE_DAYS);
  return onSnapshot(db, async (trx) => {
    const clients = await selectClients(trx, location, date, []);
    const ids = clients.map(({ id }) => id);
    const care = await selectCare(trx, ids, [from, date]);
    const { live, clients: known } = await selectAuthorizations(trx, ids, date);
    const rows = clients.map(({ id, displayName, priority }) => {
      const own = care.get(id) ?? NO_CARE;
      return {
        id,
        name: displayName,
        ...own,
        priority: priorityOf(priority, own),
        byHand: priority !== USUAL_PRIORITY,
        ...authorizedFor(live.filter(({ client }) => client === id)),
      };
    });
    return { from, until: addDays(date, -1), rows, without: ids.length - known.size };
  });
}

/** In minutes, over all codes; null when the client has no live authorization. */
function authorizedFor(live: readonly LiveAuthorization[]): { authorized: number | null; left: number | null } {
  if (live.length === 0) return { authorized: null, left: null };
  const sum = (of: (each: LiveAuthorization) => number) => live.reduce((n, each) => n + of(each) * UNIT_MINUTES, 0);
  return { authorized: sum(({ units }) => units), left: sum(({ units, used }) => Math.max(0, units - used)) };
}

export type CareLedger = Awaited<ReturnType<typeof readCare>>;

/** The sessions behind a client's care. */
export async function readCareSessions(db: Db, clientId: string, date: IsoDate) {
  const rows = await selectCareSessions(db, clientId, [addDays(date, -CARE_DAYS), date]);
  return rows.map(withTimes);
}
export type CareSession = Awaited<ReturnType<typeof readCareSessions>>[number];
