import { isoDate, toldCancelled, withoutStretches, type Location } from '@clinic/domain';
import { personKey, type Answer, type BeforeRow, type PersonKey } from '../tell/memory/call-day.ts';
import type { DayAbsence, DayAppointment } from '../day/facts/day.ts';
import { knowledge } from '../tell/memory/knows.ts';
import { daysAtOpening, daysNow } from '../tell/memory/told-people.ts';
import type { CallData, CallPerson, Line } from '../tell/lines/line.ts';
import { callList } from '../tell/lines/lines.ts';
import { dayAppointment } from './day-appointment.ts';

const AT: Location = 'altamonte';
const DATE = isoDate('2030-11-22');

/** People of the location, whose ids are their names. */
export const peopleOf = (therapists: readonly string[], clients: readonly string[]): CallPerson[] =>
  [
    ...therapists.map((id) => ({ kind: 'therapist' as const, id })),
    ...clients.map((id) => ({ kind: 'client' as const, id })),
  ].map((person) => ({ ...person, firstName: person.id, displayName: person.id, location: AT }));

export type DeskSession = Pick<DayAppointment, 'clientId' | 'therapistId' | 'service' | 'status' | 'start' | 'end'> &
  Partial<Pick<DayAppointment, 'loss'>>;

const appointmentOf = (key: string, session: DeskSession): DayAppointment =>
  dayAppointment({
    ...session,
    key,
    bookedTherapistId: session.therapistId,
    subject: '',
    occupies: session.status !== 'cancelled',
  });

/** A coordinator's desk: the calendar, the earlier states that the database's trigger would keep, and the answers. */
export class CallDesk {
  sessions: ReadonlyMap<string, DeskSession> = new Map();
  absences: readonly DayAbsence[] = [];
  readonly answers: Answer[] = [];
  readonly people: readonly CallPerson[];
  readonly #before = new Map<string, BeforeRow['state']>();

  constructor(people: readonly CallPerson[]) {
    this.people = people;
  }

  /** Writes the calendar, as a commit, an undo, a withdrawal or a booking by hand would. */
  write(next: ReadonlyMap<string, DeskSession>): void {
    for (const key of new Set([...this.sessions.keys(), ...next.keys()])) {
      const was = this.sessions.get(key);
      if (was === next.get(key) || this.#before.has(key)) continue;
      this.#before.set(key, was === undefined || was.status === 'cancelled' ? null : was);
    }
    this.sessions = next;
  }

  answer(person: PersonKey, answer: Answer['answer'], line: Pick<Line, 'version' | 'now'> | null): void {
    const heard = answer === 'left-message' || (answer === 'said-no' && person.startsWith('client:'));
    const day = answer === 'told' || answer === 'sheet' || heard ? (line?.now ?? null) : null;
    const at = `2030-11-22 ${String(this.answers.length).padStart(6, '0')}`;
    const kept = {
      person,
      answer,
      note: null,
      version: line?.version ?? '',
      day,
      cancelled: null,
      ringAgain: null,
      free: [],
    };
    this.answers.push({ id: at, ...kept, at, accountId: null, by: 'Dana', byPage: false, takenBack: false });
  }

  /** Records that the family was told that a session is cancelled, as the session's form does. */
  familyTold(key: string): void {
    const before = this.sessions.get(key);
    if (!before) return;
    this.write(new Map([...this.sessions, [key, { ...before, status: 'cancelled' }]]));
    const person = personKey('client', before.clientId ?? '');
    const { day, before: rows } = this.#data();
    const last = knowledge(this.answers).get(person)?.told;
    const told = last?.day ?? daysAtOpening(day, rows).get(person) ?? [];
    const session = { ...before, therapists: [before.therapistId] };
    const cancelled = toldCancelled(told, daysNow(day).get(person) ?? [], session);
    if (cancelled.length === 0) return;
    const at = `2030-11-22 ${String(this.answers.length).padStart(6, '0')}`;
    const kept = {
      note: null,
      version: '',
      day: withoutStretches(told, cancelled),
      cancelled,
      ringAgain: null,
      free: [],
    };
    this.answers.push({
      id: at,
      person,
      answer: 'told',
      ...kept,
      at,
      accountId: null,
      by: 'Dana',
      byPage: false,
      takenBack: false,
    });
  }

  list() {
    return callList(this.#data());
  }

  #data(): CallData {
    const appointments = [...this.sessions].map(([key, session]) => appointmentOf(key, session));
    const day = {
      location: AT,
      date: DATE,
      version: 0,
      isDemo: false,
      therapists: [],
      clients: [],
      appointments,
      declines: [],
      freeTold: new Map(),
      extra: [],
    };
    return {
      day: { ...day, absences: [...this.absences], weights: new Map() },
      before: [...this.#before].map(([key, state]) => ({ key, state })),
      answers: this.answers,
      heard: [],
      returned: new Map(),
      undone: new Set(),
      people: this.people,
      further: [],
      closures: [],
      elsewhere: [],
      unmet: new Set(),
      serves: () => true,
      present: { today: DATE, minutes: null, from: 0, clock: null },
    };
  }

  /** For each person, their booked quarter hours, each with the other person and the service. */
  days(): ReadonlyMap<string, ReadonlySet<string>> {
    const days = new Map<string, Set<string>>();
    const add = (person: string, minute: string): void =>
      void days.set(person, (days.get(person) ?? new Set()).add(minute));
    for (const { clientId, therapistId, service, status, start, end } of this.sessions.values())
      for (let m = start; status !== 'cancelled' && m < end; m += 15) {
        if (therapistId !== null) add(`therapist:${therapistId}`, `${m} ${clientId ?? '-'} ${service}`);
        if (clientId !== null) add(`client:${clientId}`, `${m} ${therapistId ?? '-'} ${service}`);
      }
    return days;
  }
}
