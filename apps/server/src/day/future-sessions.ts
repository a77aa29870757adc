import { sql } from 'kysely';
import { timeSlot } from '@clinic/domain';
import type { UnfitSessions } from '@clinic/contract';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { mayWorkAt } from '../access/caller.ts';
import { beginsAfter, selectBooked, selectRuled } from './ruled-sessions.ts';
import { brokenRules, isMendedByCover, type RuledSession } from './session-rules.ts';

/**
 * Selects the sessions of a client, of several clients, or of a therapist, that have a therapist and begin after `now` (the time at
 * the session's location, as PostgreSQL writes timestamps), with what the rules ask about them.
 */
export async function selectFutureSessions(
  db: Db,
  of: { client: string } | { clients: readonly string[] } | { therapist: string },
  now: string,
): Promise<RuledSession[]> {
  const own =
    'therapist' in of
      ? sql`therapist_id = ${of.therapist}`
      : sql`client_id = ${anyOf('clients' in of ? of.clients : [of.client])}`;
  // A client may be about to see only familiar people.
  return selectRuled(db, await selectBooked(db, sql`${own} and ${beginsAfter(now)}`), {
    everyKnown: 'client' in of,
  });
}

/** A session that no longer fits after a change, and why. */
export interface UnfitSession {
  readonly session: RuledSession;
  readonly why: string;
  /** Whether the session fits again with another therapist. */
  readonly byCover: boolean;
}

/**
 * Finds the sessions that break a rule after a change that they keep now.
 * @param changed returns the session as it would be after the change
 * @param wrong returns, as a sentence, another reason why a session no longer fits; null if there is none
 */
export function unfitSessions(
  sessions: readonly RuledSession[],
  changed: (session: RuledSession) => RuledSession,
  wrong: (session: RuledSession) => string | null = () => null,
): UnfitSession[] {
  return sessions.flatMap((session) => {
    const before = new Set(brokenRules(session).map(({ rule }) => rule));
    const broken = brokenRules(changed(session)).filter(({ rule }) => !before.has(rule));
    const why = wrong(session) ?? broken[0]?.why;
    if (why === undefined) return [];
    return [{ session, why, byCover: broken.every(({ rule }) => isMendedByCover(rule)) }];
  });
}

/** The maximum number of sessions that are listed; `total` counts all sessions that no longer fit. */
const MOST_SHOWN = 200;

/**
 * Presents the sessions that no longer fit. The client's name and the reason are included only for an account that may
 * see the session's location.
 */
export function presentUnfit(unfit: readonly UnfitSession[], caller: Parameters<typeof mayWorkAt>[0]): UnfitSessions {
  const sessions = unfit.slice(0, MOST_SHOWN).map(({ session, why }) => ({
    date: session.date,
    time: timeSlot(session.start, session.end),
    therapist: session.therapist.name,
    location: session.location,
    ...(mayWorkAt(caller, session.location) ? { client: session.client.name, why } : {}),
  }));
  const others = unfit.filter(({ byCover }) => !byCover).length;
  return { total: unfit.length, ...(others > 0 ? { not_by_cover: others } : {}), sessions };
}
