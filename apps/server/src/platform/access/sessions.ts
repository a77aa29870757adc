import type { Location } from '@clinic/domain';
import type { Db } from '../../db/connection.ts';
import type { Role } from '../../db/schema.ts';
import { millisOf } from '../clock.ts';
import { noRoomIn } from '../room.ts';

/** The caller: the account behind an open session. */
export interface Caller {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null: all. A therapist's account works at none: it sees its own day, wherever that is. */
  readonly locations: readonly Location[] | null;
  /** Whose own day the account may see; null unless it is a therapist's. */
  readonly therapistId: string | null;
  readonly sessionId: string;
  /** When the session ends at the latest, milliseconds since the epoch. */
  readonly sessionEnds: number;
}

export interface SessionLimits {
  readonly idleMinutes: number;
}

/**
 * The caller behind a session; undefined when it has ended: signed out, idle or open too long, or its account disabled.
 * Looked up on every request, so that each of these applies at once in every process.
 * @param active whether this request counts as activity; only then does the idle time start again
 */
export async function findCaller(
  db: Db,
  sessionId: string,
  now: number,
  limits: SessionLimits,
  active: boolean,
): Promise<Caller | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .leftJoin('therapist', 'therapist.id', 'account.therapist_id')
    .select(['account.id', 'account.email', 'account.name', 'account.role', 'account.locations', 'account.disabled_at'])
    .select(['account.therapist_id', 'therapist.deleted_at', 'therapist.end_date'])
    .select(['session.last_seen_at', 'session.expires_at', 'session.ended_at'])
    .where('session.id', '=', sessionId)
    .executeTakeFirst();
  if (!row || row.ended_at !== null || row.disabled_at !== null) return undefined;
  if (row.role === 'therapist' && hasLeft(row, now)) return undefined;
  const idle = limits.idleMinutes * 60_000;
  const seen = millisOf(row.last_seen_at);
  const ends = millisOf(row.expires_at);
  const inTime = now < ends;
  // Written so that a comparison with NaN refuses.
  if (!(inTime && now - seen < idle)) {
    await endSession(db, sessionId, inTime ? 'idle' : 'expired', now);
    return undefined;
  }
  // Written only now and then, so that a busy page does not write a row with each click.
  if (active && now - seen > Math.min(60_000, idle / 20)) {
    await touch(db, sessionId, now).catch((error: unknown) => {
      // People who only read can continue while the database takes no writes; their session then ends a little earlier.
      if (!noRoomIn(error)) throw error;
    });
  }
  const { id, email, name, role, therapist_id: therapistId } = row;
  const locations = role === 'therapist' ? [] : row.locations;
  return { id, email, name, role, locations, therapistId, sessionId, sessionEnds: ends };
}

/** How long after midnight UTC a therapist's last day ends at the latest, wherever the clinic is. */
const LAST_DAY_ENDS_MS = 12 * 3_600_000;

/** Whether a therapist was deleted, or their last day is over: then their account opens nothing. */
function hasLeft(
  { deleted_at, end_date }: { deleted_at: string | null; end_date: string | null },
  now: number,
): boolean {
  if (deleted_at !== null) return true;
  return end_date !== null && new Date(now - LAST_DAY_ENDS_MS).toISOString().slice(0, 10) > end_date;
}

/** Ends a session; the first reason given stays. */
export async function endSession(
  db: Db,
  sessionId: string,
  why: 'signed-out' | 'idle' | 'expired' | 'disabled' | 'password',
  now: number,
): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: new Date(now).toISOString(), ended_why: why })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute();
}

async function touch(db: Db, sessionId: string, now: number): Promise<void> {
  const at = new Date(now).toISOString();
  await db
    .updateTable('session')
    .set({ last_seen_at: at })
    .where('id', '=', sessionId)
    .where('last_seen_at', '<', at)
    .execute();
}
