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
import { personKey, type Answer, type BeforeRow, type PersonKey } from './call-day.ts';
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

/** What a person was last told, and the calls made since then. */
export interface LastTold {
  /**
   * The latest answer that records what the person was told about their day; null if there is none. This answer may
   * record only that a family was told about a cancelled session.
   */
  readonly told: Answer | null;
  /** The latest answer that records that the person was told about their whole day; null if there is none. */
  readonly whole: Answer | null;
  /** The calls after the answer in `whole`, oldest first, including calls about a cancelled session. */
  readonly since: readonly Answer[];
}

const isTold = ({ answer }: Pick<Answer, 'answer'>): boolean => answer === 'told' || answer === 'sheet';
const isWhole = (answer: Answer): boolean => isTold(answer) && answer.cancelled === null;

/**
 * Adds an answer to a person's earlier answers. `not-told` is not added: it removes the last answer in which they were
 * told something, so that everything before it counts again, also a no.
 */
function withAnswer<Said extends Pick<Answer, 'answer'>>(log: readonly Said[], answer: Said): readonly Said[] {
  if (answer.answer !== 'not-told') return [...log, answer];
  const taken = log.findLast(isTold);
  return log.filter((each) => each !== taken);
}

/** The answers of one person that count, oldest first: those that *not told* took back are left out. */
export const answersThatCount = <Said extends Pick<Answer, 'answer'>>(answers: readonly Said[]): readonly Said[] =>
  answers.reduce<readonly Said[]>(withAnswer, []);

/**
 * Returns what each person was last told. *Not told* takes back the previous answer, so that the answer before it
 * counts again.
 */
export function lastTold(answers: readonly Answer[]): ReadonlyMap<PersonKey, LastTold> {
  const logs = new Map<PersonKey, readonly Answer[]>();
  for (const answer of answers) logs.set(answer.person, withAnswer(logs.get(answer.person) ?? [], answer));
  return new Map(
    [...logs].map(([person, log]) => {
      const last = log.findLastIndex(isWhole);
      return [person, { told: log.findLast(isTold) ?? null, whole: log[last] ?? null, since: log.slice(last + 1) }];
    }),
  );
}
