import { formatTime } from '@clinic/domain';
import type { SlotsReply, StoredAbsence } from '@clinic/contract';
import type { ClinicDay } from '../../clinic-day/clinic-day.ts';
import { presentAppointment } from '../../platform/present-appointment.ts';
import type { CalendarDay } from './calendar.service.ts';

/** A location's day as `GET /slots` answers it (CAL-09, DATA-01, DATA-02). */
export function presentCalendarDay({ day, appointments, now }: CalendarDay, adminClientName: string): SlotsReply {
  const people = presentPeople(day);
  return {
    appointments: appointments.map((appointment) => presentAppointment(appointment, adminClientName)),
    availabilities: day.therapists.flatMap((therapist) =>
      therapist.available.map((window) => ({
        therapist_name: therapist.displayName,
        start_time: wallText(day.date, window.start),
        end_time: wallText(day.date, window.end),
        location: therapist.location,
      })),
    ),
    absences: presentAbsences(day, people),
    people,
    version: day.version,
    now: now.text,
  };
}

/**
 * Therapists of the location and those booked here today; clients of the location and those with a session here. The
 * day also holds clients whom these therapists see elsewhere, who get no row.
 */
function presentPeople(day: ClinicDay): SlotsReply['people'] {
  const here = day.appointments.filter((a) => a.location === day.location && a.status !== 'entered-in-error');
  const booked = new Set(here.flatMap((a) => [a.therapistId ?? '', a.clientId ?? '']));
  const therapists = day.therapists.filter((t) => booked.has(t.id) || (t.location === day.location && !t.deleted));
  const clients = day.clients.filter((c) => booked.has(c.id) || c.location === day.location);
  return [
    ...therapists.map(({ id, displayName, credential }) => ({
      id,
      name: displayName,
      type: 'therapist' as const,
      credential,
    })),
    ...clients.map(({ id, displayName }) => ({ id, name: displayName, type: 'client' as const })),
  ];
}

/** Who of these people is away; the end of the day reads 23:59. */
function presentAbsences(day: ClinicDay, people: SlotsReply['people']): StoredAbsence[] {
  const shown = new Map(people.map((person) => [person.id, person]));
  return day.absences.flatMap((absence) => {
    const person = shown.get(absence.therapistId ?? absence.clientId ?? '');
    if (!person) return [];
    const window = { startTime: formatTime(absence.start), endTime: formatTime(Math.min(absence.end, 1439)) };
    return { id: absence.id, name: person.name, type: person.type, ...window };
  });
}

/** `YYYY-MM-DDTHH:MM:SS`; the end of the day is its last second, so that the date stays. */
function wallText(date: string, minutes: number): string {
  return minutes >= 1440 ? `${date}T23:59:59` : `${date}T${formatTime(minutes)}:00`;
}
