import {
  contains,
  dayOfWeek,
  holdsOn,
  isEmployed,
  locationLabel,
  needsSentence,
  notEmployed,
  timeSlot,
  union,
  unmetNeeds,
  weekdayName,
  type DatedTag,
  type Interval,
  type IsoDate,
} from '@clinic/domain';
import type { TherapistBody } from '@clinic/contract';
import { employmentOf } from '../../clinic-day/employment.ts';
import { countsAs, selectFutureSessions, unfitSessions, unpaid } from '../../clinic-day/future-sessions.ts';
import type { FutureSession, UnfitSession } from '../../clinic-day/future-sessions.ts';
import { needsBcba } from '../../clinic-day/match.ts';
import { selectPaidCodes } from '../../clinic-day/payers.ts';
import { minutesAfter } from '../../db/wall-time.ts';
import type { Db } from '../../db/connection.ts';
import { selectWindows, windowsToStore, type NewWindow } from './availability.ts';
import type { StoredTherapist } from './profile-kind.ts';
import { selectNeeds } from './tags.ts';

/**
 * Finds the therapist's future sessions that would no longer fit after saving this body. A session no longer fits if it
 * is outside the therapist's employment or weekly hours, is at a location where the therapist will no longer work,
 * needs a BCBA, or has a client whose restrictions or payer rule out the changed therapist. Once an RBT's credential
 * has ended, the RBT counts as a BT.
 * @param now the clinic's time, as PostgreSQL writes timestamps
 */
export async function unfitForTherapist(
  db: Db,
  before: StoredTherapist,
  body: TherapistBody,
  now: string,
): Promise<UnfitSession[]> {
  const { id } = before;
  const stored = (await selectWindows(db, [id])).get(id) ?? [];
  const windows = body.availability === undefined ? stored : windowsToStore(body.availability, stored);
  const sessions = await selectFutureSessions(db, { therapist: id }, now);
  const clients = [...new Set(sessions.map((session) => session.client_id))];
  const needs = await selectNeeds(db, clients);
  const paid = await selectPaidCodes(db, clients);
  const after = afterSave(body);
  const lacking = ({ client, client_id, therapist, date, holds }: FutureSession): string | null => {
    const unmet = (of: readonly DatedTag[]) => unmetNeeds(needs.get(client_id) ?? [], of, date);
    const already = needsSentence(client, therapist, unmet(holds.tags));
    return already === null ? needsSentence(client, therapist, unmet(body.tags ?? holds.tags)) : null;
  };
  const outside = (session: FutureSession): string | null => {
    const { day, time } = timeOf(session);
    if (!isWithin(stored, session.date, time) || isWithin(windows, session.date, time)) return null;
    return `${weekdayName(day)} ${timeSlot(time.start, time.end)} is no longer in the weekly availability.`;
  };
  const noLongerPaid = (session: FutureSession): string | null => {
    const codes = paid.get(session.client_id) ?? [];
    return unpaid(session, codes) === null ? unpaid(after(session), codes) : null;
  };
  const noBcba = (session: FutureSession): string | null => {
    if (countsAs(session) !== 'BCBA') return null;
    const { specialization } = body;
    return needsBcba(session, { display_name: session.therapist, specialization, counts: countsAs(after(session)) });
  };
  return unfitSessions(
    sessions,
    (match, session) => {
      const { gender, specialization } = body;
      return { ...match, therapist: { ...match.therapist, gender, specialization, counts: countsAs(after(session)) } };
    },
    (session) => {
      if (session.location === before.location && body.location !== before.location) {
        return `The therapist’s location is no longer ${locationLabel(session.location)}.`;
      }
      return (
        leftOut(session, before, body) ??
        lacking(session) ??
        noBcba(session) ??
        outside(session) ??
        noLongerPaid(session)
      );
    },
  );
}

/** Returns a function that gives a session the credentials and tags that its therapist would have after the change. */
const afterSave =
  ({ specialization, credentials, tags }: TherapistBody) =>
  (session: FutureSession): FutureSession => ({
    ...session,
    specialization,
    holds: { credentials: credentials ?? session.holds.credentials, tags: tags ?? session.holds.tags },
  });

/** Says why a session that is now within the therapist's employment would be outside it after the change. */
function leftOut({ date, therapist }: FutureSession, before: StoredTherapist, body: TherapistBody): string | null {
  if (!isEmployed(employmentOf(before), date)) return null;
  const end_date = body.end_date === undefined ? before.end_date : body.end_date;
  return notEmployed(therapist, employmentOf({ start_date: body.start_date, end_date }), date);
}

function timeOf({ date, starts, ends }: FutureSession): { day: number; time: Interval } {
  return { day: dayOfWeek(date), time: { start: minutesAfter(date, starts), end: minutesAfter(date, ends) } };
}

function isWithin(windows: readonly Omit<NewWindow, 'id'>[], date: IsoDate, time: Interval): boolean {
  const own = windows
    .filter((window) => window.day_of_week === dayOfWeek(date) && holdsOn(window, date))
    .map((window) => ({ start: window.start_minute, end: window.end_minute }));
  return union(own).some((window) => contains(window, time));
}
