import type { Role } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { Config } from '../config.ts';
import type { Db } from '../db/connection.ts';
import { isoAt, millisOf } from '../platform/clock.ts';
import { needsFactor } from './second-factor.ts';
import { noRoomIn } from '../platform/room.ts';

/** The account that makes a request, and the account's session. */
export interface Caller {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** `service` for another program (`service-callers.ts`). */
  readonly role: Role | 'service';
  /** What a service account was granted. */
  readonly scopes?: readonly string[];
  /**
   * The locations that the account may see; null for all. Empty for a therapist's account, which sees only its own day,
   * at any location.
   */
  readonly locations: readonly Location[] | null;
  /** The therapist who owns the account; null for accounts with other roles. */
  readonly therapistId: string | null;
  /** Whether this is one of the demo clinic's accounts. */
  readonly demo: boolean;
  readonly sessionId: string;
  /** How the session began; null: with a password. */
  readonly way: 'passkey' | 'sign-on' | 'code' | null;
  /** Whether the role needs a second factor that the account has not: it can only set one up. */
  readonly mustSetUp: boolean;
  /** The latest time at which the session ends, in milliseconds since 1970. */
  readonly sessionEnds: number;
}

export interface SessionLimits extends Pick<Config, 'secondFactor'> {
  readonly idleMinutes: number;
}

/**
 * Returns the caller with this session. Undefined when the session has ended (by a logout, idleness or its maximum
 * length), when the account is disabled, or when its therapist has left. The session is looked up for every request, so
 * that changes apply at once in every process.
 * @param active whether the request counts as activity, which restarts the idle time
 */
export async function findCaller(
  db: Db,
  sessionId: string,
  now: number,
  limits: SessionLimits,
  active: boolean,
): Promise<Caller | undefined> {
  const row = await selectSession(db, sessionId);
  if (!row || row.ended_at !== null || row.disabled_at !== null) return undefined;
  if (row.role === 'therapist' && hasLeft(row, now)) return undefined;
  const idle = limits.idleMinutes * 60_000;
  const seen = millisOf(row.last_seen_at);
  const ends = millisOf(row.expires_at);
  const inTime = now < ends;
  // The condition is written so that a session with a NaN time counts as ended.
  if (!(inTime && now - seen < idle)) {
    await endSession(db, sessionId, inTime ? 'idle' : 'expired', now);
    return undefined;
  }
  // The time of the last activity is stored only now and then, so that a busy page does not cause a write with every
  // click.
  if (active && now - seen > Math.min(60_000, idle / 20)) {
    await touch(db, sessionId, now).catch((error: unknown) => {
      // While the database refuses writes, users can keep reading; their session only ends a little earlier.
      if (!noRoomIn(error)) throw error;
    });
  }
  const { id, email, name, role, demo, way, therapist_id: therapistId } = row;
  const mustSetUp = way === null && row.confirmed_at === null && needsFactor(role, limits.secondFactor);
  const locations = role === 'therapist' ? [] : row.locations;
  return { id, email, name, role, locations, therapistId, demo, sessionId, way, mustSetUp, sessionEnds: ends };
}

const selectSession = (db: Db, sessionId: string) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .leftJoin('therapist', 'therapist.id', 'account.therapist_id')
    .leftJoin('second_factor', 'second_factor.account_id', 'account.id')
    .select(['account.id', 'account.email', 'account.name', 'account.role', 'account.locations', 'account.disabled_at'])
    .select(['account.demo', 'account.therapist_id', 'therapist.deleted_at', 'therapist.end_date'])
    .select([
      'session.last_seen_at',
      'session.expires_at',
      'session.ended_at',
      'session.way',
      'second_factor.confirmed_at',
    ])
    .where('session.id', '=', sessionId)
    .executeTakeFirst();

/**
 * A date has ended at every clinic this many milliseconds after the UTC midnight that ends it. Until then, a therapist
 * whose last day was that date keeps access.
 */
const LAST_DAY_ENDS_MS = 12 * 3_600_000;

/** Whether a therapist was deleted or their last day has passed. Their account then stops working. */
export function hasLeft(
  { deleted_at, end_date }: { deleted_at: string | null; end_date: string | null },
  now: number,
): boolean {
  return deleted_at !== null || (end_date !== null && lastDayBy(isoAt(now)) > end_date);
}

/** The earliest last day of the therapists who have access at `at` (ISO 8601). */
export const lastDayBy = (at: string): string => new Date(Date.parse(at) - LAST_DAY_ENDS_MS).toISOString().slice(0, 10);

/** Ends a session. If it has already ended, the first reason stays. */
export async function endSession(
  db: Db,
  sessionId: string,
  why: 'signed-out' | 'idle' | 'expired' | 'disabled' | 'password',
  now: number,
): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: isoAt(now), ended_why: why })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute();
}

async function touch(db: Db, sessionId: string, now: number): Promise<void> {
  const at = isoAt(now);
  await db
    .updateTable('session')
    .set({ last_seen_at: at })
    .where('id', '=', sessionId)
    .where('last_seen_at', '<', at)
    .execute();
}
