import { buildModel, type Pin } from '@clinic/cover-engine';
import type { ChoicesReply, SessionChoicesBody } from '@clinic/contract';
import { formatTime, parseTime, serviceOfSubject, type IsoDate, type Location } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import type { ClinicDay, DayAppointment } from '../../day/facts/day.ts';
import { findPerson } from '../../people/people.ts';
import { cutOf, type WallOf, type WallPresent } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { mayWorkAt } from '../../access/caller.ts';
import type { Caller } from '../../access/sessions.ts';
import { refusal } from '../../platform/refusal.ts';
import { asItIs } from '../problem/as-it-is.ts';
import type { PlannedDay, PlannedSession } from '../problem/planned-day.ts';
import { toProblem } from '../problem/to-problem.ts';
import { rankedAt } from './choices.ts';

/** The key of a session that is not booked yet. */
const NEW = 'new';

/**
 * Finds who else could take a session that is on the calendar or about to be booked, and what the day would cost with
 * each therapist. Refuses a session that is not on that day, or that can no longer be planned.
 */
export async function sessionChoices(
  db: Db,
  wallOf: WallOf,
  body: SessionChoicesBody,
  caller: Caller,
): Promise<ChoicesReply> {
  const { location, date, key = NEW } = body;
  const { day, now } = await onSnapshot(db, async (trx) => {
    const wall = wallOf(location);
    const cut = await cutOf(trx, wall);
    return { day: await dayToChoose(trx, { location, date, wall }, body, caller), now: cut(date) };
  });
  const planned = toProblem(day, { now, unheld: [key] });
  const session = sessionWith(planned, key);
  const [part] = session?.parts ?? [];
  if (!session?.grid || !part) throw refusal('nothing-to-choose');
  const { problem } = planned;
  const model = buildModel({ ...problem, pins: problem.pins?.filter((pin) => pin.session !== session.id) ?? [] });
  const others = planned.sessions.filter((s) => s !== session).flatMap(asItIs);
  const plan = [...others, ...heldBy(holderOf(day, key, planned), session)];
  const found = rankedAt(model, plan, { planned, session, start: formatTime(part.start) }, 'balanced');
  if (!found) throw refusal('nothing-to-choose');
  return found;
}

/** Finds the planned session to which an appointment belongs. */
export const sessionWith = (planned: PlannedDay, key: string): PlannedSession | undefined =>
  planned.sessions.find((s) => s.rows.some((row) => row.key === key));

/** A pin that gives a session to one therapist or to none, except for past time. */
export function heldBy(therapist: string | null, session: PlannedSession): Pin[] {
  const pieces = session.parts.map((p) => ({ therapist, start: formatTime(p.start), end: formatTime(p.end) }));
  return [{ session: session.id, pieces }];
}

/**
 * Returns the session's current therapist, whom the choices leave out; null if that therapist is away or declined the
 * session.
 */
function holderOf(day: ClinicDay, key: string, { problem }: PlannedDay): string | null {
  const row = day.appointments.find((a) => a.key === key);
  if (!row || row.declined !== undefined) return null;
  return problem.absences?.some(({ who }) => who === row.therapistId) ? null : row.therapistId;
}

/** Returns the day with the session as entered in the form instead of as on the calendar. */
async function dayToChoose(
  trx: Db,
  place: { location: Location; date: IsoDate; wall: WallPresent },
  { key = NEW, session }: SessionChoicesBody,
  caller: Caller,
): Promise<ClinicDay> {
  if (!session) return loadClinicDay(trx, place.location, place.date, { wall: place.wall });
  const client = await findPerson(trx, 'client', session.client, place, (location) => mayWorkAt(caller, location));
  const start = parseTime(session.start) ?? 0;
  const end = parseTime(session.end) ?? 0;
  if (end <= start) throw refusal('end-before-start');
  const supposeBooked = (stored: readonly DayAppointment[]): DayAppointment[] => {
    const booked = stored.find((a) => a.key === key);
    const typed: DayAppointment = {
      ...(booked ?? newAppointment(place.location)),
      key,
      clientId: client.id,
      subject: session.subject,
      service: serviceOfSubject(session.subject),
      start,
      end,
      groupKey: null,
      status: 'booked',
      occupies: true,
    };
    return [...stored.filter((a) => a !== booked), typed];
  };
  return loadClinicDay(trx, place.location, place.date, { wall: place.wall, also: [client.id], supposeBooked });
}

const newAppointment = (
  location: Location,
): Omit<DayAppointment, 'clientId' | 'subject' | 'service' | 'start' | 'end'> => ({
  key: NEW,
  wireId: '',
  location,
  therapistId: null,
  bookedTherapistId: null,
  status: 'booked',
  place: '',
  clientPlace: '',
  seat: 1,
  groupKey: null,
  clash: false,
  parentId: null,
  seriesId: null,
  commitId: null,
  familyToldAt: null,
  version: 0,
  occupies: true,
});
