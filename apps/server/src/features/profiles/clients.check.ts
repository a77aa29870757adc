import { needsSentence, unmetNeeds } from '@clinic/domain';
import type { ClientBody, Need } from '@clinic/contract';
import { unfitSessions, selectFutureSessions, type UnfitSession, type FutureSession } from './future-sessions.ts';
import type { Db } from '../../db/connection.ts';
import type { StoredClient } from './profile-kind.ts';
import { excludedTherapists, restrictionsToStore, selectRestrictions } from './restrictions.ts';
import { selectNeeds, selectTags } from './tags.ts';

/**
 * The future sessions whose therapist the client must not have after saving this body. *Care team only* does not count,
 * because being booked is how a therapist joins the team.
 * @param now the clinic's time, as PostgreSQL writes timestamps
 */
export async function unfitForClient(
  db: Db,
  client: StoredClient,
  body: ClientBody,
  now: string,
): Promise<UnfitSession[]> {
  const { id } = client;
  const restrictions =
    body.restrictions === undefined
      ? ((await selectRestrictions(db, [id])).get(id) ?? [])
      : restrictionsToStore(body.restrictions);
  const after = {
    rbtOrAbove: body.rbt_or_above ?? client.rbt_or_above,
    requiresGender: restrictions.flatMap((restriction) => restriction.requires_gender ?? []),
    excludesTherapist: excludedTherapists(restrictions),
  };
  const sessions = await selectFutureSessions(db, { client: id }, now);
  const tags = await selectTags(db, [...new Set(sessions.map((session) => session.therapist_id))]);
  const stored = (await selectNeeds(db, [id])).get(id) ?? [];
  const needs = body.needs ?? stored;
  const lacks = (of: readonly Need[], { client: name, therapist, therapist_id, date }: FutureSession) =>
    needsSentence(name, therapist, unmetNeeds(of, tags.get(therapist_id) ?? [], date));
  return unfitSessions(
    sessions,
    (before) => ({ ...before, ...after }),
    (session) => (lacks(stored, session) === null ? lacks(needs, session) : null),
  );
}
