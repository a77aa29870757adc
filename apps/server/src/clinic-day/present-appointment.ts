import { formatTime, locationOf, type Interval, type Location, type Service } from '@clinic/domain';
import {
  UNASSIGNED,
  formatWireDateTime,
  statusShown,
  type InnerStatus,
  type Loss,
  type WireAppointment,
} from '@clinic/contract';
import type { DayAppointment } from './day.ts';

/** An appointment with the names that the API shows. Times are minutes after the date's midnight. */
export interface ShownAppointment {
  readonly key: string;
  readonly wireId: string;
  readonly location: Location;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly start: number;
  readonly end: number;
  readonly subject: string;
  readonly service: Service;
  readonly status: InnerStatus;
  /** Null: no therapist. */
  readonly therapist: string | null;
  /** Who had it before a commit gave it to another therapist, or to none; null: no commit did. */
  readonly bookedWith: string | null;
  /** Null: administrative time. */
  readonly client: string | null;
  readonly groupKey: string | null;
  readonly clash: boolean;
  readonly version: number;
  /** The stretches without a therapist. */
  readonly uncovered: readonly Interval[];
  /** Why it is lost, if that was said. */
  readonly why?: Loss | undefined;
}

/** The therapist who had an appointment before a commit changed it; null for one that takes no time. */
export function bookedWith(
  { occupies, therapistId, bookedTherapistId }: Pick<DayAppointment, 'occupies' | 'therapistId' | 'bookedTherapistId'>,
  names: ReadonlyMap<string, string>,
): string | null {
  if (!occupies || bookedTherapistId === null || bookedTherapistId === therapistId) return null;
  return names.get(bookedTherapistId) ?? null;
}

/** An appointment as the API shows it (DATA-01), administrative time under the administrative client's name. */
export function presentAppointment(appointment: ShownAppointment, adminClientName: string): WireAppointment {
  const { label, group } = locationOf(appointment.location);
  return {
    Id: appointment.wireId,
    StartDateTime: formatWireDateTime(appointment.date, appointment.start),
    EndDateTime: formatWireDateTime(appointment.date, appointment.end),
    Subject: appointment.subject,
    Preferred_Provider_Name: appointment.therapist ?? UNASSIGNED,
    Appointment_Status: statusShown(appointment.status, appointment.therapist !== null),
    'Client Name': appointment.client ?? adminClientName,
    Location: label,
    'Location Group': group,
    key: appointment.key,
    version: appointment.version,
    service: appointment.service,
    needs_cover: appointment.uncovered.length > 0,
    uncovered: appointment.uncovered.map(({ start, end }) => ({ start: formatTime(start), end: formatTime(end) })),
    clash: appointment.clash,
    group: appointment.groupKey,
    ...(appointment.bookedWith === null ? {} : { booked_with: appointment.bookedWith }),
    ...(appointment.why === undefined ? {} : { loss: appointment.why }),
  };
}
