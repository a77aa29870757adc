import { codePair, groupBy, nameKey, UNIT_MINUTES, type IsoDate, type Location } from '@clinic/domain';
import { selectAuthorizations, selectAuthorizedSessions } from '../count/authorizations.ts';
import { selectClients } from '../../people/clients.queries.ts';
import { selectPayers } from '../count/payers.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { withTimes } from '../../db/wall-time.ts';

/**
 * Returns the authorizations of a location's clients that are valid on the date, and how many units of each were used
 * by earlier sessions.
 */
export async function readAuthorizations(db: Db, location: Location, date: IsoDate) {
  return onSnapshot(db, async (trx) => {
    const clients = await selectClients(trx, location, date);
    const ids = clients.map(({ id }) => id);
    const { live, clients: known } = await selectAuthorizations(trx, ids, date, null);
    const byClient = groupBy(live, ({ client }) => client);
    const rows = clients.flatMap(({ id, displayName }) =>
      (byClient.get(id) ?? []).map((each) => ({
        ...each,
        name: displayName,
        authorized: each.units * UNIT_MINUTES,
        delivered: each.used * UNIT_MINUTES,
        prior:
          each.prior_units === null || each.prior_until === null
            ? null
            : { used: each.prior_units * UNIT_MINUTES, until: each.prior_until },
      })),
    );
    const payers = await selectPayers(trx);
    const twice = clients.filter(
      ({ id, twoToOne }) =>
        twoToOne &&
        (byClient.get(id) ?? []).some(
          ({ payer, code }) => payers.get(nameKey(payer))?.concurrent?.includes(codePair(code, code)) === false,
        ),
    );
    const lapsed = clients.filter(({ id }) => known.has(id) && !byClient.has(id));
    return {
      rows,
      lapsed: lapsed.map(({ displayName }) => displayName),
      /** The clients with two therapists at once whose payer pays for only one: the units of both are counted. */
      twice: twice.map(({ displayName }) => displayName),
      without: ids.length - known.size,
      ids,
    };
  });
}
export type AuthorizationLedger = Awaited<ReturnType<typeof readAuthorizations>>;

/** Returns the sessions that used units of a client's authorizations; only authorizations valid on the date count. */
export async function readAuthorizedSessions(db: Db, clientId: string, date: IsoDate) {
  const rows = await onSnapshot(db, (trx) => selectAuthorizedSessions(trx, clientId, date));
  return rows.map((row) => ({ ...withTimes(row), used: row.units * UNIT_MINUTES }));
}
