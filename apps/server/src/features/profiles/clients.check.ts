import { needsSentence, unmetNeeds } from '@clinic/domain';
import type { ClientBody, Need } from '@clinic/contract';
import { selectFutureSessions, unfitSessions, unpaid } from '../../clinic-day/future-sessions.ts';
import type { FutureSession, UnfitSession } from '../../clinic-day/future-sessions.ts';
import { paidCodes, selectPayers } from '../../clinic-day/payers.ts';
import { selectAuthorizations } from './authorizations.ts';
import type { Db } from '../../db/connection.ts';
import type { StoredClient } from './profile-kind.ts';
import { excludedTherapists, restrictionsToStore, selectRestrictions } from './restrictions.ts';
import { selectNeeds } from './tags.ts';

/**
 * Finds the future sessions that would no longer fit if this body were saved: those whose therapist a restriction of
 * the client excludes, or the payer does not pay for. *Care team only* does not count, because being booked is how a
 * therapist joins the team.
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
  const sessions = await selectFutureSessions(db, { clients: [id] }, now);
  const stored = (await selectNeeds(db, [id])).get(id) ?? [];
  const needs = body.needs ?? stored;
  const lacks = (of: readonly Need[], { client: name, therapist, holds, date }: FutureSession) =>
    needsSentence(name, therapist, unmetNeeds(of, holds.tags, date));
  const payers = await selectPayers(db);
  const authorized = (await selectAuthorizations(db, [id])).get(id) ?? [];
  const paid = { before: paidCodes(payers, authorized), after: paidCodes(payers, body.authorizations ?? authorized) };
  return unfitSessions(
    sessions,
    (before) => ({ ...before, ...after }),
    (session) =>
      (lacks(stored, session) === null ? lacks(needs, session) : null) ??
      (unpaid(session, paid.before) === null ? unpaid(session, paid.after) : null),
  );
}
