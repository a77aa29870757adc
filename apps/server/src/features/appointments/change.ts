import type { AppointmentBody, WireAppointment } from '@clinic/contract';
import { lockAll } from '../../clinic-day/locks.ts';
import { stateOf } from '../../clinic-day/session-writes.ts';
import type { Db } from '../../db/connection.ts';
import { requireLocation } from '../../platform/access.ts';
import type { Act } from '../../platform/act.ts';
import { Refusal } from '../../platform/errors.ts';
import {
  insertEvents,
  selectAppointment,
  selectMatch,
  settleClashes,
  updateAppointment,
  type AppointmentFields,
  type DatedAppointment,
} from './appointments.queries.ts';
import { refuseMismatch } from './match.ts';
import { showAppointments, type AppointmentContext } from './show.ts';
import { invalid, isGroup, readWanted, takesTime, timesOf, type Wanted } from './wanted.ts';
import { booking, claimOf, claiming, locksOf, placeOf, readAgain, settleWrite } from './write.ts';

/**
 * Moves or changes one session. Over a newer version it is refused (409, with the newest version), into somebody's other
 * booking too (409, with names and times); a therapist whom the client must not have is refused (422). A new time or
 * therapist ends an imported clash and what a submit remembered of the session. Saving it unchanged writes nothing.
 */
export async function changeAppointment(
  db: Db,
  act: Act,
  key: string,
  body: AppointmentBody,
  context: AppointmentContext,
): Promise<WireAppointment> {
  if (body.weekly_until != null) {
    throw invalid('weekly_until: a session that exists is changed alone. Book the further weeks as new sessions.');
  }
  return booking(db, act, async (trx) => {
    const { before, wanted } = await lockBoth(trx, act, key, body, context.adminClientName);
    const diff = differences(before, wanted);
    const now = new Date(act.at).toISOString();
    if (diff.changed.length > 0) {
      if (wanted.clientId !== null && wanted.therapistId !== null && (diff.therapist || diff.client)) {
        refuseMismatch(await selectMatch(trx, wanted.clientId, wanted.therapistId));
      }
      const fields = await fieldsFor(trx, before, wanted, diff);
      const claim = claimOf(key, wanted, { seat: fields.seat, place: fields.place });
      await claiming([claim], () => updateAppointment(trx, key, fields, now));
      await settleClashes(trx, clashesLeft(before, fields));
      const after = await selectAppointment(trx, key);
      if (!after) throw new Error('an appointment just written is gone');
      const event = { key, what: eventOf(wanted, diff), reason: null };
      await insertEvents(trx, act.caller.id, now, [
        { ...event, before: stateOf(before, before.date), after: stateOf(after, after.date) },
      ]);
    }
    const [shown] = await showAppointments(trx, [key], context);
    if (!shown) throw new Error('an appointment just written is gone');
    if (diff.changed.length > 0) {
      const touched = [before, { ...wanted }];
      await settleWrite(trx, act, {
        action: 'appointment.changed',
        keys: [key],
        touched,
        detail: { changed: diff.changed },
      });
    }
    return shown;
  });
}

/** The appointment as it is, locked with all the days it leaves and enters, and what it is to become. */
async function lockBoth(trx: Db, act: Act, key: string, body: AppointmentBody, adminClientName: string) {
  const seen = await selectAppointment(trx, key);
  if (!seen) throw unknownAppointment();
  requireLocation(act.caller, seen.location);
  const wanted = await readWanted(trx, act.caller, body, adminClientName);
  await lockAll(trx, locksOf([seen, wanted]));
  const before = await selectAppointment(trx, key, true);
  if (!before) throw unknownAppointment();
  requireLocation(act.caller, before.location);
  if (before.therapistId !== seen.therapistId || before.clientId !== seen.clientId || before.date !== seen.date) {
    throw readAgain();
  }
  if (body.version !== undefined && body.version !== before.version) {
    throw new Refusal('stale-version', { extra: { version: before.version } });
  }
  return { before, wanted };
}

export function unknownAppointment(): Refusal {
  return new Refusal('not-found', { message: 'There is no such appointment. Load the calendar again.' });
}

type Differences = ReturnType<typeof differences>;

function differences(before: DatedAppointment, wanted: Wanted) {
  const status = wanted.status ?? before.status;
  const time = before.date !== wanted.date || before.start !== wanted.start || before.end !== wanted.end;
  const therapist = before.therapistId !== wanted.therapistId;
  const client = before.clientId !== wanted.clientId;
  const location = before.location !== wanted.location;
  const subject = before.subject !== wanted.subject;
  const changes = { location, time, therapist, client, subject, status: status !== before.status };
  return {
    ...changes,
    /** Takes time again after it did not. */
    revived: !before.occupies && takesTime(status),
    changed: Object.entries(changes).flatMap(([name, differs]) => (differs ? [name] : [])),
  };
}

/** The row as it is to be. A place that is kept keeps what it may overlap; a new one overlaps nothing. */
async function fieldsFor(
  trx: Db,
  before: DatedAppointment,
  wanted: Wanted,
  diff: Differences,
): Promise<AppointmentFields> {
  const { key } = before;
  const regrouped = diff.subject && isGroup(before) !== isGroup(wanted);
  const newPlace = diff.time || diff.therapist || diff.location || diff.revived || regrouped;
  const newClientPlace = diff.time || diff.client || diff.revived;
  const fresh = await placeOf(trx, key, wanted);
  const place = newPlace ? fresh.place : before.place;
  const client_place = newClientPlace ? key : before.clientPlace;
  const settled = !diff.time && !diff.therapist && !diff.client && !diff.location;
  return {
    location: wanted.location,
    client_id: wanted.clientId,
    therapist_id: wanted.therapistId,
    booked_therapist_id: settled ? before.bookedTherapistId : null,
    service: wanted.service,
    subject: wanted.subject,
    status: wanted.status ?? before.status,
    ...timesOf(wanted),
    place,
    client_place,
    seat: newClientPlace || before.service !== wanted.service ? fresh.seat : before.seat,
    group_key: newPlace ? fresh.group_key : before.groupKey,
    clash: place.startsWith('clash:') || client_place.startsWith('clash:'),
    commit_id: settled && !diff.status ? before.commitId : null,
  };
}

/** The imported clashes that the row is no longer part of. */
export function clashesLeft(
  before: DatedAppointment,
  after: Pick<AppointmentFields, 'place' | 'client_place' | 'status'>,
): string[] {
  const still = takesTime(after.status) ? [after.place, after.client_place] : [];
  return [before.place, before.clientPlace].filter((place) => place.startsWith('clash:') && !still.includes(place));
}

function eventOf(wanted: Wanted, diff: Differences): string {
  if (diff.status && wanted.status === 'cancelled') return 'cancelled';
  if (diff.time) return 'moved';
  return diff.therapist ? 'reassigned' : 'changed';
}
