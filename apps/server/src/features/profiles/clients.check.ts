import type { BrokenSessions, ClientBody } from '@clinic/contract';
import { brokenSessions, selectFutureSessions } from './future-sessions.ts';
import type { Db } from '../../db/connection.ts';
import type { Caller } from '../../platform/access/sessions.ts';
import { CLIENTS } from './clients.ts';
import { allowedRow } from './profiles.service.ts';
import { excludedTherapists, restrictionsToStore, selectRestrictions } from './restrictions.ts';

/**
 * The client's upcoming sessions that saving this body would leave with a therapist the client must not have; saves
 * nothing. *Care team only* breaks none, since being booked is how someone joins the team.
 * @param now wall time as the database writes it
 */
export async function checkClient(
  db: Db,
  caller: Caller,
  id: string,
  body: ClientBody,
  now: string,
): Promise<BrokenSessions> {
  const client = await allowedRow(db, CLIENTS, caller, id);
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
  return brokenSessions(sessions, caller, (_, before) => ({ ...before, ...after }));
}
