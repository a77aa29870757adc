import type { WireAppointment } from '@clinic/contract';
import { selectAbsences } from '../../clinic-day/clinic-day.queries.ts';
import { declinedWords, declineOf, selectDeclines } from '../../clinic-day/declines.ts';
import { cutOf } from '../../clinic-day/present.ts';
import { awayWindows, uncoveredOf } from '../../clinic-day/uncovered.ts';
import type { Db } from '../../db/connection.ts';
import { bookedWith, presentAppointment } from '../../clinic-day/present-appointment.ts';
import type { WallNow } from '../../platform/wall-clock.ts';
import { selectAppointment, selectNames } from './appointments.queries.ts';

/** What is needed, besides the database, to read and show appointments. */
export interface AppointmentContext {
  readonly now: WallNow;
  readonly adminClientName: string;
}

/**
 * Appointments as the calendar shows them, with names and with the times that lack a therapist, in the order of `keys`.
 */
export async function showAppointments(
  db: Db,
  keys: readonly string[],
  context: AppointmentContext,
): Promise<WireAppointment[]> {
  const cut = await cutOf(db, context.now);
  const shown: WireAppointment[] = [];
  for (const key of keys) {
    const appointment = await selectAppointment(db, key);
    if (!appointment) throw new Error('an appointment just written is gone');
    const { therapistId, clientId, date } = appointment;
    const therapists = therapistId === null ? [] : [therapistId];
    const had = appointment.bookedTherapistId === null ? [] : [appointment.bookedTherapistId];
    const clients = clientId === null ? [] : [clientId];
    const names = await selectNames(db, [...therapists, ...had], clients);
    const absences = await selectAbsences(db, date, therapists, clients);
    const decline = declineOf(await selectDeclines(db, appointment.location, date), appointment);
    const declined = decline && declinedWords(decline);
    shown.push(
      presentAppointment(
        {
          ...appointment,
          therapist: therapistId === null ? null : (names.get(therapistId) ?? null),
          bookedWith: bookedWith(appointment, names),
          client: clientId === null ? null : (names.get(clientId) ?? null),
          uncovered: uncoveredOf({ ...appointment, declined }, awayWindows({ absences }), cut(date)),
        },
        context.adminClientName,
      ),
    );
  }
  return shown;
}
