import { formatTime } from '@clinic/domain';
import type { SlotsReply } from '@clinic/contract';
import { openWindows } from '../day/extra-hours.ts';
import { awayPeople, peopleOfDay } from '../day/rows.ts';
import { presentAbsence } from '../day/present-absence.ts';
import { presentAppointment } from '../day/present-appointment.ts';
import type { CalendarDay } from './calendar.service.ts';

/** A location's day as `GET /slots` returns it (CAL-09, DATA-01, DATA-02). */
export function presentCalendarDay(
  { day, appointments, closed, toCancel, wrong, now }: CalendarDay,
  adminClientName: string,
): SlotsReply {
  const people = peopleOfDay(day);
  return {
    appointments: appointments.map((appointment) => presentAppointment(appointment, adminClientName)),
    availabilities: people.therapists.flatMap((therapist) =>
      openWindows(day, therapist).map((window) => ({
        therapist_name: therapist.displayName,
        start_time: wallText(day.date, window.start),
        end_time: wallText(day.date, window.end),
        location: therapist.location,
      })),
    ),
    absences: awayPeople(day, people).map(presentAbsence),
    people: [
      ...people.therapists.map(({ id, displayName, credential, deleted }) => ({
        id,
        name: displayName,
        type: 'therapist' as const,
        credential,
        ...(deleted ? { former: true } : {}),
      })),
      ...people.clients.map(({ id, displayName }) => ({ id, name: displayName, type: 'client' as const })),
    ],
    closed: closed.map(({ start, end, name }) => ({ start: formatTime(start), end: formatTime(end), name })),
    to_cancel: toCancel,
    wrong,
    version: day.version,
    now: now.text,
  };
}

/**
 * Formats a time as `YYYY-MM-DDTHH:MM:SS`; midnight at the end of the day becomes 23:59:59, so that the date stays the
 * same.
 */
function wallText(date: string, minutes: number): string {
  return minutes >= 1440 ? `${date}T23:59:59` : `${date}T${formatTime(minutes)}:00`;
}
