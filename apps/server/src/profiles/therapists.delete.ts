import { shortDate, timeSlot, type IsoDate, type Location } from '@clinic/domain';
import type { Conflict } from '@clinic/contract';
import { lockAll, personDay } from '../db/locks.ts';
import { unassign } from '../day/unassign.ts';
import { bumpDays } from '../day/facts/versions.ts';
import { minutesAfter } from '../db/wall-time.ts';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import { requireTouched } from '../access/caller.ts';
import type { Act } from '../access/act.ts';
import { atEach, auditBy } from '../access/audit.ts';
import { isoAt } from '../platform/clock.ts';
import { refusal, type Refusal } from '../platform/refusal.ts';
import { publishAppointments, publishEvent } from '../platform/events.ts';
import {
  endSeries,
  markDeleted,
  selectFutureAppointments,
  withdrawFutureAbsences,
  type FutureAppointment,
} from './therapists.delete.queries.ts';
import { allowedRow } from './allowed-row.ts';
import { THERAPISTS } from './therapists.ts';

/** The current date and time at the clinic. */
export interface DeleteNow {
  readonly date: IsoDate;
  /** The date and time as `YYYY-MM-DD HH:MM:SS`. */
  readonly timestamp: string;
}

/**
 * Deletes a therapist; past sessions stay as they were. If there are future appointments, refuses (409) and lists them.
 * With `unassignAppointments`, sessions with clients instead lose their therapist and need cover, and administrative
 * time is cancelled, in the same transaction.
 */
export async function deleteTherapist(
  db: Db,
  act: Act,
  input: { id: string; unassignAppointments: boolean; now: DeleteNow },
): Promise<void> {
  const { id, now } = input;
  await inTransaction(db, async (trx) => {
    // Locks the days first and then the row, in the same order as bookings do.
    await lockAll(trx, daysOf(id, await selectFutureAppointments(trx, id, now.timestamp)));
    const therapist = await allowedRow(trx, THERAPISTS, act.caller, id, true);
    const appointments = await selectFutureAppointments(trx, id, now.timestamp);
    requireAll(act, therapist.display_name, appointments);
    if (appointments.length > 0 && !input.unassignAppointments) throw stillBooked(therapist.display_name, appointments);

    const settled = await unassign(
      trx,
      act,
      appointments.map((appointment) => appointment.id),
      'The therapist left the clinic',
    );
    const series = await endSeries(trx, id, now.date);
    const away = await withdrawFutureAbsences(trx, id, now.date, act);
    requireAll(act, therapist.display_name, [...series, ...away]);
    await markDeleted(trx, id, isoAt(act.at));
    // Plans at the therapist's home location could have used the therapist on these days, even if the sessions are at
    // other locations. So the home location's days change as well.
    const own = appointments.map(({ date }) => ({ location: therapist.location, date }));
    const days = [...appointments.map(({ location, date }) => ({ location, date })), ...own, ...away, ...settled];
    await bumpDays(trx, days);
    await publishEvent(trx, { kind: 'profiles', location: therapist.location, dates: [], by: act.caller.id });
    await publishAppointments(trx, days, act.caller.id);
    const entries = atEach([therapist.location, ...[...days, ...series].map(({ location }) => location)], {
      action: 'therapist.deleted',
      subjectKind: 'therapist',
      subjectIds: [id],
    });
    const at = <T extends { location: Location }>(list: readonly T[], location: Location): T[] =>
      list.filter((one) => one.location === location);
    await auditBy(
      trx,
      act,
      ...entries.map((entry) => ({
        ...entry,
        detail: {
          appointments: at(appointments, entry.location).map(({ id: key }) => key),
          absences: at(away, entry.location).length,
        },
      })),
    );
  });
}

function requireAll(act: Act, name: string, touched: readonly { location: Location }[]): void {
  requireTouched(
    act.caller,
    touched.map(({ location }) => location),
    (places) => refusal('person-booked-elsewhere', places, name),
  );
}

function daysOf(id: string, appointments: readonly FutureAppointment[]): string[] {
  return appointments.flatMap(({ date, client_id: client }) => [
    personDay('therapist', id, date),
    ...(client === null ? [] : [personDay('client', client, date)]),
  ]);
}

function stillBooked(name: string, appointments: readonly FutureAppointment[]): Refusal {
  const conflicts = appointments.map((appointment): Conflict => ({
    date: appointment.date,
    time: slotOf(appointment),
    therapist: name,
    location: appointment.location satisfies Location,
    ...(appointment.client === null ? {} : { client: appointment.client }),
    why: appointment.client === null ? appointment.subject : `${appointment.subject} with ${appointment.client}`,
  }));
  const [first] = appointments;
  const next = first ? `${shortDate(first.date)}, ${slotOf(first)}` : null;
  return refusal('therapist-still-booked', name, appointments.length, next).with({ conflicts });
}

function slotOf({ date, starts, ends }: FutureAppointment): string {
  return timeSlot(minutesAfter(date, starts), minutesAfter(date, ends));
}
