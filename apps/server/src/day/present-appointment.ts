import { formatTime, locationOf, type Interval, type Location, type Service } from '@clinic/domain';
import {
  UNASSIGNED,
  formatWireDateTime,
  statusShown,
  type InnerStatus,
  type Loss,
  type WireAppointment,
} from '@clinic/contract';
import type { DayAppointment } from './facts/day.ts';

/** An appointment as the API shows it. Times are minutes after the date's midnight. */
export interface ShownAppointment extends Interval {
  readonly key: string;
  readonly wireId: string;
  readonly location: Location;
  /** The date, `YYYY-MM-DD`. */
  readonly date: string;
  readonly subject: string;
  readonly service: Service;
  readonly status: InnerStatus;
  /** The therapist's name; null when the appointment has none. */
  readonly therapist: string | null;
  /** Whether the appointment has a therapist from start to end (see `hasTherapist`). */
  readonly hasTherapist: boolean;
  /**
   * The therapist who was booked before a commit moved the session to another therapist or to none; null if no commit
   * did so.
   */
  readonly bookedWith: string | null;
  /** Whether a commit gave the session, which had no therapist, to this one. */
  readonly hadNobody: boolean;
  /** The key of the session that this piece was cut from; null for a whole session. */
  readonly parentId: string | null;
  /** The client's name; null for administrative time. */
  readonly client: string | null;
  readonly groupKey: string | null;
  readonly clash: boolean;
  /** What is wrong with it, in sentences; undefined when nothing is, or when only the appointment itself was read. */
  readonly wrong?: readonly string[] | undefined;
  readonly version: number;
  /** The times that need a therapist. */
  readonly uncovered: readonly Interval[];
  /** Why some of the appointment's time is lost, if recorded. */
  readonly why?: Loss | undefined;
}

/**
 * Returns the therapist who was booked before a commit changed the therapist; null for an appointment that takes up no
 * time.
 */
export function bookedWith(
  { occupies, therapistId, bookedTherapistId }: Pick<DayAppointment, 'occupies' | 'therapistId' | 'bookedTherapistId'>,
  names: ReadonlyMap<string, string>,
): string | null {
  if (!occupies || bookedTherapistId === null || bookedTherapistId === therapistId) return null;
  return names.get(bookedTherapistId) ?? null;
}

/** Whether a commit gave an appointment to a therapist that had none before. */
export const hadNobody = ({
  occupies,
  therapistId,
  bookedTherapistId,
  commitId,
}: Pick<DayAppointment, 'occupies' | 'therapistId' | 'bookedTherapistId' | 'commitId'>): boolean =>
  occupies && therapistId !== null && bookedTherapistId === null && commitId !== null;

/** An appointment in the API's format (DATA-01); administrative time gets the administrative client's name. */
export function presentAppointment(appointment: ShownAppointment, adminClientName: string): WireAppointment {
  const { label, group } = locationOf(appointment.location);
  return {
    Id: appointment.wireId,
    StartDateTime: formatWireDateTime(appointment.date, appointment.start),
    EndDateTime: formatWireDateTime(appointment.date, appointment.end),
    Subject: appointment.subject,
    Preferred_Provider_Name: appointment.therapist ?? UNASSIGNED,
    Appointment_Status: statusShown(appointment.status, appointment.hasTherapist),
    'Client Name': appointment.client ?? adminClientName,
    Location: label,
    'Location Group': group,
    key: appointment.key,
    version: appointment.version,
    service: appointment.service,
    needs_cover: appointment.uncovered.length > 0,
    uncovered: appointment.uncovered.map(({ start, end }) => ({ start: formatTime(start), end: formatTime(end) })),
    clash: appointment.clash,
    ...(appointment.wrong === undefined ? {} : { wrong: [...appointment.wrong] }),
    group: appointment.groupKey,
    ...(appointment.bookedWith === null ? {} : { booked_with: appointment.bookedWith }),
    ...(appointment.hadNobody ? { had_nobody: true } : {}),
    ...(appointment.parentId === null ? {} : { part_of: appointment.parentId }),
    ...(appointment.why === undefined ? {} : { loss: appointment.why }),
  };
}
