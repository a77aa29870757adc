import { joinStretches, pushTo, type Interval, type Service, type ToldStretch } from '@clinic/domain';
import type { ClinicDay, DayAppointment } from '../../../clinic-day/day.ts';
import type { AppointmentStatus } from '../../../db/schema/calendar.ts';
import { personKey, type Answer, type BeforeRow, type PersonKey } from './call-day.queries.ts';

/** Each person's day, with adjacent parts joined. */
export type DayOf = ReadonlyMap<PersonKey, readonly ToldStretch[]>;

/** Must match the database's `is_told`: a no-show still belonged to its therapist and client. */
const TOLD: ReadonlySet<AppointmentStatus> = new Set(['pending', 'booked', 'fulfilled', 'noshow']);

interface Booked extends Interval {
  readonly clientId: string | null;
  readonly therapistId: string | null;
  readonly service: Service;
}

function byPerson(rows: readonly Booked[]): DayOf {
  const days = new Map<PersonKey, ToldStretch[]>();
  for (const { clientId, therapistId, service, start, end } of rows) {
    if (therapistId !== null)
      pushTo(days, personKey('therapist', therapistId), { start, end, with: clientId, service });
    if (clientId !== null) pushTo(days, personKey('client', clientId), { start, end, with: therapistId, service });
  }
  return new Map([...days].map(([person, list]) => [person, joinStretches(list)]));
}

/** The location's sessions that people are told about. */
export const bookedHere = (day: ClinicDay): DayAppointment[] =>
  day.appointments.filter((a) => a.location === day.location && TOLD.has(a.status));

/** Each person's day at this location as it is now. */
export const daysNow = (day: ClinicDay): DayOf => byPerson(bookedHere(day));

/** Each person's day as it was when the date's call list was opened. */
export function daysAtOpening(day: ClinicDay, before: readonly BeforeRow[]): DayOf {
  const changed = new Set(before.map((row) => row.key));
  const unchanged = bookedHere(day).filter((a) => !changed.has(a.key));
  return byPerson([...unchanged, ...before.flatMap((row) => row.state ?? [])]);
}

/** What a person was last told, and the calls made since then. */
export interface LastTold {
  /** The latest answer that says that the person knows their day; null if there is none. */
  readonly told: Answer | null;
  readonly since: readonly Answer[];
}

/**
 * What each person was last told. *Not told* takes back the previous answer, so that the answer before it counts again.
 */
export function lastTold(answers: readonly Answer[]): ReadonlyMap<PersonKey, LastTold> {
  const standing = new Map<PersonKey, Answer[]>();
  const attempts = new Map<PersonKey, Answer[]>();
  for (const answer of answers) {
    const { person } = answer;
    const told = standing.get(person) ?? [];
    standing.set(person, told);
    if (answer.answer === 'told' || answer.answer === 'sheet') {
      told.push(answer);
      attempts.set(person, []);
    } else if (answer.answer === 'not-told') told.pop();
    else pushTo(attempts, person, answer);
  }
  return new Map(
    [...standing].map(([person, told]) => [person, { told: told.at(-1) ?? null, since: attempts.get(person) ?? [] }]),
  );
}
