import type { ClientBody } from '@clinic/contract';
import { selectFutureSessions, unfitSessions, type UnfitSession } from '../../clinic-day/future-sessions.ts';
import { paidCodes, selectPayers } from '../../clinic-day/payers.ts';
import type { Db } from '../../db/connection.ts';
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
  return unfitSessions(await selectFutureSessions(db, { client: id }, now), (session) => {
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
    return { ...session, client: { ...client, ...limits, ...granted, ...after } };
  });
}
