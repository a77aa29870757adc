import { extraTime, type ExtraTime, type Interval } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import type { Act } from '../access/act.ts';
import { auditBy } from '../access/audit.ts';
import { isoAt } from '../platform/clock.ts';
import { loadClinicDay } from './clinic-day.ts';
import { reachOf } from './extra-hours.ts';
import { awayWindows } from './facts/uncovered.ts';
import type { LocationDay } from './facts/versions.ts';

/** A therapist who must be asked to stay late or to come early for a session that they now have. */
export interface ExtraToAsk extends LocationDay, ExtraTime {
  readonly therapistId: string;
  /** The key of the original appointment (`rootOf`). */
  readonly session: string;
  /** The commit that gave the therapist the session; null for a session booked by hand. */
  readonly commitId: string | null;
}

/**
 * Records that these therapists are asked. This replaces any earlier question to the same therapist about the same
 * session.
 */
export async function insertExtraHours(db: Db, asked: readonly ExtraToAsk[], { at, caller }: Act): Promise<void> {
  const instant = isoAt(at);
  for (const { location, date, therapistId, session, commitId, kind, start, end } of asked) {
    await db
      .updateTable('extra_hours')
      .set({ ended_at: instant })
      .where('date', '=', date)
      .where('therapist_id', '=', therapistId)
      .where('session', '=', session)
      .where('ended_at', 'is', null)
      .execute();
    await db
      .insertInto('extra_hours')
      .values({
        location,
        date,
        kind,
        session,
        therapist_id: therapistId,
        commit_id: commitId,
        start_minute: start,
        end_minute: end,
        asked_by: caller.id,
        asked_at: instant,
        agreed_by: null,
        agreed_at: null,
        sheet_at: null,
        ended_at: null,
      })
      .execute();
  }
}

/** Records in the audit trail which therapists were asked, one entry for each question. */
export async function auditAsked(trx: Db, act: Act, asked: readonly ExtraToAsk[]): Promise<void> {
  for (const { location, date, therapistId } of asked)
    await auditBy(trx, act, {
      action: 'extra-hours.asked',
      subjectKind: 'therapist',
      subjectIds: [therapistId],
      location,
      detail: { date },
    });
}

/** A session just booked by hand, whose therapist must be asked to stay late or to come early. */
interface Booked extends LocationDay, Interval {
  readonly therapistId: string | null;
  /** The key of the original appointment (`rootOf`). */
  readonly session: string;
}

/**
 * Records that the therapist is asked to stay late or to come early for the session. Records nothing if no extra time
 * is needed, or if the extra time is more than a therapist may be asked for.
 */
export async function askForBooked(trx: Db, booked: Booked, act: Act): Promise<void> {
  const { location, date, therapistId, session, start, end } = booked;
  const day = await loadClinicDay(trx, location, date, { familiarity: false });
  const therapist = day.therapists.find((t) => t.id === therapistId);
  if (!therapist) return;
  const reach = reachOf(day, [therapist], awayWindows(day))[therapist.id];
  const extra = reach && extraTime(reach, [{ start, end }]);
  if (!extra) return;
  const asked = [{ ...extra, location, date, therapistId: therapist.id, session, commitId: null }];
  await insertExtraHours(trx, asked, act);
  await auditAsked(trx, act, asked);
}
