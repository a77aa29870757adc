import { statusShown, type WireAppointment, type WireStatus } from '@clinic/contract';
import { selectAbsences } from '../day/facts/clinic-day.queries.ts';
import { declinedWords, declineOf, selectDeclines } from '../tell/memory/declines.ts';
import { selectNames } from '../people/people.ts';
import { cutOf } from '../day/facts/present.ts';
import { awayWindows, hasTherapist, uncoveredOf, type AwayWindows, type Coverable } from '../day/facts/uncovered.ts';
import type { DatedAppointment } from '../day/facts/day.ts';
import type { Db } from '../db/connection.ts';
import { bookedWith, hadNobody, presentAppointment } from '../day/present-appointment.ts';
import type { WallNow } from '../platform/wall-clock.ts';
import { selectWritten } from './appointments.queries.ts';

/** What is needed, besides the database, to read and show appointments. */
export interface AppointmentContext {
  readonly now: WallNow;
  readonly adminClientName: string;
}

/** Returns appointments that were just written, as the calendar shows them, in the order of `keys`. */
export async function showAppointments(
  trx: Db,
  keys: readonly string[],
  context: AppointmentContext,
): Promise<WireAppointment[]> {
  const cut = await cutOf(trx, context.now);
  const shown: WireAppointment[] = [];
  for (const key of keys) shown.push(await show(trx, key, cut, context));
  return shown;
}

/** A written appointment as the calendar shows it. */
export const showAppointment = async (trx: Db, key: string, context: AppointmentContext): Promise<WireAppointment> =>
  show(trx, key, await cutOf(trx, context.now), context);

/** Returns an appointment that was just written, with names and with the times when it needs a therapist. */
async function show(
  trx: Db,
  key: string,
  cut: (date: string) => number | null,
  { adminClientName }: AppointmentContext,
): Promise<WireAppointment> {
  const appointment = await selectWritten(trx, key);
  const { therapistId, bookedTherapistId, clientId, date } = appointment;
  const people = [therapistId, bookedTherapistId, clientId];
  const names = await selectNames(
    trx,
    people.flatMap((id) => id ?? []),
  );
  const { coverable, away } = await coverableNow(trx, appointment);
  return presentAppointment(
    {
      ...appointment,
      therapist: therapistId === null ? null : (names.get(therapistId) ?? null),
      hasTherapist: hasTherapist(coverable, away),
      bookedWith: bookedWith(appointment, names),
      hadNobody: hadNobody(appointment),
      client: clientId === null ? null : (names.get(clientId) ?? null),
      uncovered: uncoveredOf(coverable, away, cut(date)),
    },
    adminClientName,
  );
}

/**
 * Returns an appointment with the facts that decide when it has no therapist: whether its therapist said no, and when
 * its therapist or client is away.
 */
async function coverableNow(
  db: Db,
  appointment: DatedAppointment,
): Promise<{ coverable: Coverable; away: AwayWindows }> {
  const { therapistId, clientId, date, location } = appointment;
  const people = (id: string | null) => (id === null ? [] : [id]);
  const absences = await selectAbsences(db, date, people(therapistId), people(clientId));
  const decline = declineOf(await selectDeclines(db, location, date), appointment);
  return {
    coverable: { ...appointment, declined: decline && declinedWords(decline, appointment) },
    away: awayWindows({ absences }),
  };
}

/** The status with which the API shows an appointment. */
export async function statusShownNow(db: Db, appointment: DatedAppointment): Promise<WireStatus> {
  const { coverable, away } = await coverableNow(db, appointment);
  return statusShown(appointment.status, hasTherapist(coverable, away));
}
