import { sql } from 'kysely';
import type { ClientBody, SentAuthorization } from '@clinic/contract';
import { authorizationIdentity, codeOf, isoDate } from '@clinic/domain';
import { selectUsed, selectUses, unpaidIn, type DatedBilled, type Uses } from '../ledgers/count/authorizations.ts';
import { selectFutureSessions, unfitSessions, type UnfitSession } from '../day/future-sessions.ts';
import { paidCodes, selectPayers } from '../ledgers/count/payers.ts';
import { selectBooked } from '../day/ruled-sessions.ts';
import type { Db } from '../db/connection.ts';
import { withTimes } from '../db/wall-time.ts';
import type { StoredClient } from './profile-kind.ts';
import { excludedTherapists, restrictionsToStore } from './restrictions.ts';

/**
 * Finds the future sessions that would break a rule (`session-rules.ts`) if this body were saved, and do not now.
 * @param now the clinic's time, as PostgreSQL writes timestamps
 */
export async function unfitForClient(
  db: Db,
  { id }: StoredClient,
  body: ClientBody,
  now: string,
): Promise<UnfitSession[]> {
  const { restrictions, authorizations } = body;
  const stored = restrictions && restrictionsToStore(restrictions);
  const limits = stored && {
    requiresGender: stored.flatMap((restriction) => restriction.requires_gender ?? []),
    excludesTherapist: excludedTherapists(stored),
  };
  const paid = authorizations && paidCodes(await selectPayers(db), authorizations);
  const sessions = await selectFutureSessions(db, { client: id }, now);
  const spent = authorizations && (await spentUnits(db, id, authorizations, now));
  const found = sessions.map((session) => ({ ...session, isSpent: spent?.before.has(session.id) === true }));
  return unfitSessions(found, (session) => {
    const { client } = session;
    // A client whose last authorization is taken away is not one who needs none.
    const authorized = authorizations?.length === 0 && client.authorized === null ? null : authorizations;
    const granted = paid && { paid, authorized: authorized ?? null };
    const after = {
      location: body.location,
      rbtOrAbove: body.rbt_or_above ?? client.rbtOrAbove,
      careTeamOnly: body.care_team_only ?? client.careTeamOnly,
      needs: body.needs ?? client.needs,
    };
    const isSpent = spent?.after.has(session.id) === true;
    return { ...session, isSpent, client: { ...client, ...limits, ...granted, ...after } };
  });
}

/**
 * Finds the sessions from today on for which no units would be left with these authorizations, and for which none are
 * left now.
 */
async function spentUnits(db: Db, id: string, authorizations: readonly SentAuthorization[], now: string) {
  const today = isoDate(now.slice(0, 10));
  const booked = await selectBooked(db, sql`client_id = ${id} and starts >= ${today}::date`);
  const sessions = booked.map(withTimes).map(({ id: key, date, service, subject, start, end }): DatedBilled => {
    return { key, client: id, date, code: codeOf(service, subject), start, minutes: end - start };
  });
  const { granted } = await selectUses(db, [id], [today, ...new Set(sessions.map(({ date }) => date))], null);
  const stored = new Map(granted.map((own) => [JSON.stringify(authorizationIdentity(own)), own]));
  const sent = authorizations.map((own) => {
    const same = own.prior_units === undefined ? stored.get(JSON.stringify(authorizationIdentity(own))) : own;
    const prior = { prior_units: same?.prior_units ?? null, prior_until: same?.prior_until ?? null };
    return { ...own, ...prior, client: id };
  });
  const first = [...granted, ...sent].reduce((least, { from_date: from }) => (from < least ? from : least), today);
  const used = await selectUsed(db, id, [first, today], null);
  const spent = (list: Uses['granted']) => unpaidIn({ granted: list, used }, sessions);
  return { before: spent(granted), after: spent(sent) };
}
