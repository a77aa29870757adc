import {
  contains,
  credentialOn,
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
import { unfitSessions, selectFutureSessions, type UnfitSession, type FutureSession } from './future-sessions.ts';
import { employmentOf } from '../../clinic-day/employment.ts';
import { selectPaidCodes, unmetRequirement } from '../../clinic-day/payers.ts';
import { minutesAfter } from '../../db/wall-time.ts';
import type { Db } from '../../db/connection.ts';
import { selectWindows, windowsToStore, type NewWindow } from './availability.ts';
import type { StoredTherapist } from './profile-kind.ts';
import { selectCredentials, selectNeeds, selectTags } from './tags.ts';

/**
 * The therapist's future sessions that would no longer fit after saving this body. Such a session is outside the
 * therapist's employment or week, is at a location that the therapist leaves, or is with a client who must not have
 * such a therapist or has a payer that does not pay for one.
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
  const tags = (await selectTags(db, [id])).get(id) ?? [];
  const credentials = (await selectCredentials(db, [id])).get(id) ?? [];
  const clients = [...new Set(sessions.map((session) => session.client_id))];
  const needs = await selectNeeds(db, clients);
  const paid = await selectPaidCodes(db, clients);
  const lacking = ({ client, client_id, therapist, date }: FutureSession): string | null => {
    const unmet = (of: readonly DatedTag[]) => unmetNeeds(needs.get(client_id) ?? [], of, date);
    const already = needsSentence(client, therapist, unmet(tags));
    return already === null ? needsSentence(client, therapist, unmet(body.tags ?? tags)) : null;
  };
  const outside = (session: FutureSession): string | null => {
    const { day, time } = timeOf(session);
    if (!isWithin(stored, session.date, time) || isWithin(windows, session.date, time)) return null;
    return `${weekdayName(day)} ${timeSlot(time.start, time.end)} is no longer in the week.`;
  };
  const unpaid = (session: FutureSession): string | null => {
    const { date, client_id, therapist: name } = session;
    const unmet = (of: Pick<TherapistBody, 'specialization' | 'credentials' | 'tags'>) => {
      const credential = credentialOn(of.specialization, of.credentials ?? credentials, date);
      return unmetRequirement(paid.get(client_id) ?? [], session, { name, credential, tags: of.tags ?? tags });
    };
    return unmet({ specialization: before.specialization }) === null ? unmet(body) : null;
  };
  return unfitSessions(
    sessions,
    (match) => ({
      ...match,
      therapist: { ...match.therapist, gender: body.gender, specialization: body.specialization },
    }),
    (session) => {
      if (session.location === before.location && body.location !== before.location) {
        return `${locationLabel(session.location)} is no longer the location.`;
      }
      return leftOut(session, before, body) ?? lacking(session) ?? outside(session) ?? unpaid(session);
    },
  );
}

/** Why a session that is within the therapist's employment now would be outside it after the change. */
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
