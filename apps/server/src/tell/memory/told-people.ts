import {
  intersect,
  joinStretches,
  pushTo,
  subtract,
  type Interval,
  type PersonKind,
  type Service,
  type ToldStretch,
} from '@clinic/domain';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import { personKey, type BeforeRow, type PersonKey } from './call-day.ts';
import type { ClinicDay, DayAppointment } from '../../day/facts/day.ts';
import type { AwayWindows } from '../../day/facts/uncovered.ts';

/** Each person's day, with adjacent parts joined. */
export type DayOf = ReadonlyMap<PersonKey, readonly ToldStretch[]>;

/**
 * The statuses of the sessions that people are told about. A no-show is included, because the session stayed on both
 * people's schedules. Must match the database's `is_told`.
 */
const TOLD: ReadonlySet<AppointmentStatus> = new Set(['pending', 'booked', 'fulfilled', 'noshow']);

interface Booked extends Interval {
  readonly clientId: string | null;
  readonly therapistId: string | null;
  readonly service: Service;
}

/** Groups these sessions by the people in them. `partOf` makes the entry for each person and session. */
function byPerson<Row extends Booked, Part>(
  rows: readonly Row[],
  partOf: (stretch: ToldStretch, row: Row, kind: PersonKind) => Part,
): Map<PersonKey, Part[]> {
  const parts = new Map<PersonKey, Part[]>();
  for (const row of rows) {
    const { clientId, therapistId, service, start, end } = row;
    const add = (kind: PersonKind, id: string | null, other: string | null): void => {
      if (id !== null) pushTo(parts, personKey(kind, id), partOf({ start, end, with: other, service }, row, kind));
    };
    add('therapist', therapistId, clientId);
    add('client', clientId, therapistId);
  }
  return parts;
}

function dayOf(rows: readonly Booked[]): DayOf {
  const parts = byPerson(rows, (stretch) => stretch);
  return new Map([...parts].map(([person, list]) => [person, joinStretches(list)]));
}

type LocationAppointments = Pick<ClinicDay, 'location' | 'appointments'>;

/** Returns the location's sessions that people are told about. */
export const bookedHere = (day: LocationAppointments): DayAppointment[] =>
  day.appointments.filter((a) => a.location === day.location && TOLD.has(a.status));

/**
 * A booked session as its therapist or its client's family sees it, and the times when someone's absence interrupts it.
 */
export interface BookedStretch extends ToldStretch {
  /** When the person or their client is away. */
  readonly off: readonly Interval[];
  /** When the therapist, but not the client, is away; always empty for a therapist. */
  readonly open: readonly Interval[];
}

/** Returns each person's day at this location as it is booked now. */
export function daysBooked(day: ClinicDay, away: AwayWindows): ReadonlyMap<PersonKey, readonly BookedStretch[]> {
  const windows = (id: string | null): readonly Interval[] => away.get(id ?? '') ?? [];
  return byPerson(bookedHere(day), (stretch, { clientId, therapistId, declined }, kind) => {
    const clientOff = windows(clientId);
    // If the therapist said no, the call list already says so, and an absence recorded together with the refusal adds
    // nothing.
    const without = declined === undefined ? windows(therapistId) : [];
    return kind === 'therapist'
      ? { ...stretch, off: [...without, ...clientOff], open: [] }
      : { ...stretch, off: clientOff, open: subtract(without, clientOff) };
  });
}

/**
 * Returns a person's day as the person should know it. No one is told about a session with someone who is away: a
 * therapist's day leaves that time out, and a family's day shows it without a therapist. But time that the person was
 * already told about stays until a plan changes it.
 */
export function dayToKnow(booked: readonly BookedStretch[], told: readonly ToldStretch[]): ToldStretch[] {
  return joinStretches(
    booked.flatMap(({ off, open, ...stretch }) => {
      const known = told.filter((each) => each.with === stretch.with && each.service === stretch.service);
      const fresh = (list: readonly Interval[]): Interval[] =>
        subtract(
          list.flatMap((window) => intersect(stretch, window) ?? []),
          known,
        );
      const takesPlace = subtract([stretch], [...fresh(off), ...fresh(open)]);
      return [
        ...takesPlace.map((window) => ({ ...stretch, ...window })),
        ...fresh(open).map((window) => ({ ...stretch, ...window, with: null })),
      ];
    }),
  );
}

/** Returns each person's day at this location as it is booked now, even while people are away. */
export const daysNow = (day: LocationAppointments): DayOf => dayOf(bookedHere(day));

/** Returns each person's day as it was when the date's call list was opened. */
export function daysAtOpening(day: LocationAppointments, before: readonly BeforeRow[]): DayOf {
  const changed = new Set(before.map((row) => row.key));
  const unchanged = bookedHere(day).filter((a) => !changed.has(a.key));
  return dayOf([...unchanged, ...before.flatMap((row) => row.state ?? [])]);
}
