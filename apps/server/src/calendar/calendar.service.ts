import type { Interval, IsoDate, Location } from '@clinic/domain';
import { loadClinicDay } from '../day/clinic-day.ts';
import type { ClinicDay } from '../day/facts/day.ts';
import { closedTime, selectClosures } from '../day/facts/closures.ts';
import { whyLost } from '../day/facts/why-lost.ts';
import { cutAt } from '../day/facts/present.ts';
import { countToSubmit, loadWell, type WellDay } from '../day/well.ts';
import { onSnapshot } from '../db/retry.ts';
import { together } from '../db/snapshot.ts';
import { awayWindows, hasTherapist, uncoveredOf } from '../day/facts/uncovered.ts';
import type { Db } from '../db/connection.ts';
import { bookedWith, hadNobody, type ShownAppointment } from '../day/present-appointment.ts';
import type { WallNow } from '../platform/wall-clock.ts';
import { mergeShown } from './merge-shown.ts';

/** A location's day as the calendar shows it. */
export interface CalendarDay {
  readonly day: ClinicDay;
  readonly appointments: readonly ShownAppointment[];
  /** When the location is closed. */
  readonly closed: readonly (Interval & { readonly name: string })[];
  /** How many sessions are not cancelled yet although their client is away. */
  readonly toCancel: number;
  /** How many other things are wrong. */
  readonly wrong: number;
  readonly now: WallNow;
}

/** Reads a location's day: everyone with a row, their appointments, and the times without a therapist. */
export async function readCalendarDay(db: Db, location: Location, date: IsoDate, now: WallNow): Promise<CalendarDay> {
  const [day, wellOf, closures] = await onSnapshot(db, (trx) =>
    together(
      loadClinicDay(trx, location, date, { familiarity: false }),
      loadWell(trx, [date, date], () => now),
      selectClosures(trx, date, date),
    ),
  );
  const cut = cutAt(now, day.isDemo)(date);
  const well = wellOf(location, date);
  const toCancel = countToSubmit(well);
  const appointments = shownAppointments(day, cut, well.marks);
  const closed = closures.flatMap((each) => {
    const time = each.location === location ? closedTime(each, date) : null;
    return time === null ? [] : [{ ...time, name: each.name }];
  });
  return { day, appointments, closed, toCancel, wrong: well.wrong.length - toCancel, now };
}

/**
 * Returns the location's appointments on a day, with names. Times before `cut` (minutes after midnight) count as past;
 * when `cut` is null, no time does.
 */
function shownAppointments(day: ClinicDay, cut: number | null, marks: WellDay['marks']): ShownAppointment[] {
  const therapists = new Map(day.therapists.map((therapist) => [therapist.id, therapist.displayName]));
  const clients = new Map(day.clients.map((client) => [client.id, client.displayName]));
  const away = awayWindows(day);
  const here = day.appointments.filter((appointment) => appointment.location === day.location);
  return mergeShown(
    here.map((appointment) => ({
      key: appointment.key,
      wireId: appointment.wireId,
      location: appointment.location,
      date: day.date,
      start: appointment.start,
      end: appointment.end,
      subject: appointment.subject,
      service: appointment.service,
      status: appointment.status,
      therapist: appointment.therapistId === null ? null : (therapists.get(appointment.therapistId) ?? null),
      hasTherapist: hasTherapist(appointment, away),
      bookedWith: bookedWith(appointment, therapists),
      hadNobody: hadNobody(appointment),
      parentId: appointment.parentId,
      client: appointment.clientId === null ? null : (clients.get(appointment.clientId) ?? null),
      groupKey: appointment.groupKey,
      clash: appointment.clash,
      wrong: marks.get(appointment.key),
      version: appointment.version,
      uncovered: uncoveredOf(appointment, away, cut),
      why: whyLost(day, appointment),
    })),
  );
}
