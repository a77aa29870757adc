// This file is over 250 lines because it tests every kind of line on a call list.
import { expect, test } from 'vitest';
import {
  formatTime,
  isoDate,
  overlaps,
  randomFrom,
  toldCancelled,
  withoutStretches,
  type Interval,
  type Location,
  type Service,
} from '@clinic/domain';
import type { DayAbsence, DayAppointment } from '../../../clinic-day/day.ts';
import type { AppointmentStatus } from '../../../db/schema/calendar.ts';
import { dayAppointment } from '../../../testing/day-appointment.ts';
import { doseOf, keepFigures, seedOfRun, timeLimit } from '../../../reliability/doses.ts';
import { personKey, type Answer, type BeforeRow, type PersonKey } from '../../../clinic-day/call-day.ts';
import { daysAtOpening, daysNow, lastTold } from '../../../clinic-day/told-people.ts';
import type { CallData, CallPerson, Line } from './line.ts';
import { callList } from './lines.ts';

/**
 * Random acts on a day, checked against a simple model. For every quarter hour, the model stores only what each person
 * was last told and what the calendar says now. `calls.reliability.test.ts` does the same through real requests and the
 * database; here calendar and answers are plain values, so ten thousand acts take seconds.
 */

const ACTS = doseOf('call-lines');
const AT: Location = 'altamonte';
const DATE = isoDate('2030-11-22');
const THERAPISTS = ['ana', 'kai', 'lin', 'max'];
const CLIENTS = ['bo', 'mo', 'ida', 'eve'];
const SERVICES: readonly Service[] = ['direct', 'direct', 'supervision'];
const LAST = 20 * 60;

type Minutes = ReadonlySet<string>;
const NONE: Minutes = new Set();
type Days = ReadonlyMap<string, Minutes>;

const people: CallPerson[] = [
  ...THERAPISTS.map((id) => ({ kind: 'therapist' as const, id })),
  ...CLIENTS.map((id) => ({ kind: 'client' as const, id })),
].map((person) => ({ ...person, firstName: person.id, displayName: person.id, location: AT }));

type Session = Pick<DayAppointment, 'clientId' | 'therapistId' | 'service' | 'status' | 'start' | 'end'>;

const minuteOf = (each: string): number => Number(each.split(' ')[0]);

/** What a person knows of their day, and how they came to know it. */
interface Standing {
  readonly day: Minutes;
  /** True if a call told them, false if the day sheet did. */
  readonly told: boolean;
  /** The quarter hours of the sessions that a family was told are cancelled, if they were told nothing else. */
  readonly cancelled?: ReadonlySet<number>;
}

/** Whether a call told the person about any of these quarter hours, which have changed since. */
function wasToldElse(standing: readonly Standing[], changed: readonly number[]): boolean {
  for (const { told, cancelled } of standing.toReversed())
    if (!cancelled) return told;
    else if (changed.some((m) => cancelled.has(m))) return true;
  return false;
}

/** A coordinator's desk: the calendar, the earlier states that the database's trigger would keep, and the answers. */
class Desk {
  sessions: ReadonlyMap<string, Session> = new Map();
  absences: readonly DayAbsence[] = [];
  readonly answers: Answer[] = [];
  readonly #before = new Map<string, BeforeRow['state']>();

  /** Writes the calendar, as a commit, an undo, a withdrawal or a booking by hand would. */
  write(next: ReadonlyMap<string, Session>): void {
    for (const key of new Set([...this.sessions.keys(), ...next.keys()])) {
      const was = this.sessions.get(key);
      if (was === next.get(key) || this.#before.has(key)) continue;
      this.#before.set(key, was === undefined || was.status === 'cancelled' ? null : was);
    }
    this.sessions = next;
  }

  answer(person: PersonKey, answer: Answer['answer'], line: Pick<Line, 'version' | 'now'> | null): void {
    const day = answer === 'told' || answer === 'sheet' ? (line?.now ?? null) : null;
    const at = `2030-11-22 ${String(this.answers.length).padStart(6, '0')}`;
    const kept = { person, answer, note: null, version: line?.version ?? '', day, cancelled: null };
    this.answers.push({ id: at, ...kept, at, accountId: null, by: 'Dana', byPage: false });
  }

  /** Records that the family was told that a session is cancelled, as the session's form does. */
  familyTold(key: string): void {
    const before = this.sessions.get(key);
    if (!before) return;
    this.write(new Map([...this.sessions, [key, { ...before, status: 'cancelled' }]]));
    const person = personKey('client', before.clientId ?? '');
    const { day, before: rows } = this.#data();
    const last = lastTold(this.answers).get(person)?.told;
    const told = last?.day ?? daysAtOpening(day, rows).get(person) ?? [];
    const session = { ...before, therapists: [before.therapistId] };
    const cancelled = toldCancelled(told, daysNow(day).get(person) ?? [], session);
    if (cancelled.length === 0) return;
    const at = `2030-11-22 ${String(this.answers.length).padStart(6, '0')}`;
    const kept = { note: null, version: '', day: withoutStretches(told, cancelled), cancelled };
    this.answers.push({ id: at, person, answer: 'told', ...kept, at, accountId: null, by: 'Dana', byPage: false });
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
      extra: [],
    };
    return {
      day: { ...day, absences: [...this.absences], weights: new Map() },
      before: [...this.#before].map(([key, state]) => ({ key, state })),
      answers: this.answers,
      people,
      away: new Map(),
      elsewhere: [],
      present: { today: DATE, minutes: null, from: 0, clock: null },
    };
  }

  /** For each person, their booked quarter hours, each with the other person and the service. */
  days(): Days {
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

const appointmentOf = (key: string, session: Session): DayAppointment =>
  dayAppointment({
    ...session,
    key,
    bookedTherapistId: session.therapistId,
    subject: '',
    occupies: session.status !== 'cancelled',
  });

const clash = (a: Session, b: Session): boolean =>
  a.status !== 'cancelled' &&
  b.status !== 'cancelled' &&
  overlaps(a, b) &&
  ((a.therapistId !== null && a.therapistId === b.therapistId) || a.clientId === b.clientId);

test(
  'after any random changes, each call line is the difference between what the person was last told and the current calendar',
  { timeout: timeLimit(ACTS, 60) },
  () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    let desk = new Desk();
    let opening: Days = new Map();
    let standing = new Map<string, Standing[]>();
    let made = 0;
    const figures = { lines: 0, again: 0, told: 0, backAgain: 0, familyTold: 0, corrections: 0 };
    /** Earlier states of the calendar, for an undo or a withdrawal to restore. */
    let earlier: ReadonlyMap<string, Session>[] = [];

    const minute = (): number => 480 + 15 * random.int(0, 40);
    const session = (): Session => {
      const start = minute();
      const end = Math.min(LAST, start + random.pick([15, 45, 60, 120]));
      const client = random.pick(CLIENTS);
      const service = random.pick(SERVICES);
      return {
        clientId: client,
        therapistId: random.pick([...THERAPISTS, null]),
        service,
        status: 'booked',
        start,
        end,
      };
    };
    const change = (changed: ReadonlyMap<string, Session>): void => {
      const next = new Map([...desk.sessions, ...changed]);
      const list = [...next.values()];
      if (list.some((a, i) => list.slice(i + 1).some((b) => clash(a, b)))) return;
      earlier.push(desk.sessions);
      desk.write(next);
    };
    const some = () => {
      const all = [...desk.sessions];
      return all.length === 0 ? undefined : random.pick(all);
    };
    const keep = (person: string, day: Minutes, told: boolean): void =>
      void standing.set(person, [...(standing.get(person) ?? []), { day, told }]);

    const isAway = (person: string, m: number): boolean =>
      desk.absences.some(
        (each: DayAbsence & Interval) =>
          person ===
            personKey(each.clientId === null ? 'therapist' : 'client', each.therapistId ?? each.clientId ?? '') &&
          each.start <= m &&
          m < each.end,
      );
    const knownBy = (person: string): Minutes => standing.get(person)?.at(-1)?.day ?? opening.get(person) ?? NONE;
    /**
     * What a person should know about their day. A therapist is not told of new time with a client who is away; a family whose therapist is away is told of the time, but not of the therapist.
     */
    const dayToKnow = (person: PersonKey, booked = desk.days().get(person)): Minutes => {
      const known = knownBy(person);
      const [kind] = person.split(':');
      return new Set(
        [...(booked ?? NONE)].flatMap((each) => {
          const [, other = '', service = ''] = each.split(' ');
          const m = minuteOf(each);
          if (known.has(each)) return [each];
          if (isAway(person, m)) return [];
          if (!isAway(personKey(kind === 'client' ? 'therapist' : 'client', other), m)) return [each];
          return kind === 'client' ? [`${m} - ${service}`] : [];
        }),
      );
    };

    const acts = {
      book: () => change(new Map([[`s${++made}`, session()]])),
      move: () => {
        const found = some();
        if (found) change(new Map([[found[0], { ...session(), clientId: found[1].clientId }]]));
      },
      cancel: () => {
        const found = some();
        if (found) change(new Map([[found[0], { ...found[1], status: 'cancelled' satisfies AppointmentStatus }]]));
      },
      'family told': () => {
        const found = some();
        if (!found) return;
        const [key, { clientId, therapistId, service, start, end }] = found;
        earlier.push(desk.sessions);
        desk.familyTold(key);
        const person = `client:${clientId}`;
        const was = standing.get(person)?.at(-1)?.day ?? opening.get(person) ?? NONE;
        const now = desk.days().get(person) ?? NONE;
        const off = new Set<string>();
        for (let m = start; m < end; m += 15) {
          const here = [...now].filter((each) => minuteOf(each) === m);
          const gone = [...was].filter((each) => minuteOf(each) === m && !now.has(each));
          const same = gone.filter((each) => each.endsWith(` ${service}`));
          const own = same.find((each) => each === `${m} ${therapistId ?? '-'} ${service}`);
          // Prefers a lost session with the same service. If the family now has nothing booked at that time, any other
          // service will do.
          const only = here.length === 0 ? (same.length > 0 ? same : gone) : same;
          const replaced = here.some((each) => each.endsWith(` ${service}`));
          const one = own ?? (only.length === 1 && !replaced ? only[0] : undefined);
          if (one !== undefined) off.add(one);
        }
        if (off.size === 0) return;
        figures.familyTold++;
        const day = new Set([...was].filter((each) => !off.has(each)));
        const cancelled = new Set([...off].map(minuteOf));
        standing.set(person, [...(standing.get(person) ?? []), { day, told: true, cancelled }]);
      },
      /** Changes several sessions at once and cuts some of them in two, as a commit does. */
      submit: () => {
        const changed = new Map<string, Session>();
        for (const [key, each] of random.sample([...desk.sessions], Math.min(3, desk.sessions.size))) {
          const cut = each.start + 15 * random.int(1, 4);
          if (random.chance(0.5) && cut < each.end) {
            changed.set(key, { ...each, end: cut });
            changed.set(`s${++made}`, { ...each, start: cut, therapistId: random.pick([...THERAPISTS, null]) });
          } else changed.set(key, { ...each, therapistId: random.pick([...THERAPISTS, null]) });
        }
        change(changed);
      },
      /** Restores an earlier calendar, as an undo or a withdrawal does, whatever was answered in between. */
      'back again': () => {
        const before = earlier.pop();
        if (!before) return;
        const removed = [...desk.sessions].filter(([key]) => !before.has(key));
        desk.write(
          new Map([
            ...before,
            ...removed.map(([key, each]) => [key, { ...each, status: 'cancelled' as const }] as const),
          ]),
        );
        figures.backAgain++;
      },
      away: () => {
        const person = random.pick(people);
        const start = minute();
        const id = `a${++made}`;
        const whose = { therapistId: null, clientId: null, [`${person.kind}Id`]: person.id };
        desk.absences = [...desk.absences, { id, location: AT, start, end: start + 120, ...whose }];
      },
      'there again': () => void (desk.absences = desk.absences.slice(1)),
      told: () => {
        const { lines } = desk.list();
        if (lines.length === 0) return;
        const line = random.pick(lines);
        keep(line.person, dayToKnow(line.person), true);
        desk.answer(line.person, 'told', line);
        figures.told++;
      },
      'no answer': () => {
        const [line] = desk.list().lines;
        if (line) desk.answer(line.person, random.pick(['no-answer', 'left-message', 'said-no'] as const), line);
      },
      'not told': () => {
        const { told, lines } = desk.list();
        const all = [...told, ...lines.filter((line) => line.again ?? line.since.some((each) => each.cancelled))];
        if (all.length === 0) return;
        const { person } = random.pick(all);
        standing.get(person)?.pop();
        desk.answer(person, 'not-told', null);
      },
      sheet: () => {
        for (const line of desk.list().lines) {
          keep(line.person, dayToKnow(line.person), false);
          desk.answer(line.person, 'sheet', line);
        }
      },
    };

    const expected = () => {
      const now = desk.days();
      const lines: Record<string, { first: string; again: boolean }> = {};
      const told: string[] = [];
      for (const { kind, id } of people) {
        const person = personKey(kind, id);
        const is = dayToKnow(person, now.get(person));
        const last = standing.get(person)?.at(-1);
        const was = knownBy(person);
        const gone = [...was].filter((each) => !is.has(each) && !isAway(person, minuteOf(each)));
        const minutes = [...gone, ...[...is].filter((each) => !was.has(each))].map(minuteOf);
        const again = wasToldElse(standing.get(person) ?? [], minutes);
        if (minutes.length > 0) lines[person] = { first: formatTime(Math.min(...minutes)), again };
        else if (last?.told) told.push(person);
      }
      return { lines, told: told.sort() };
    };

    const history: string[] = [];
    for (let n = 0; n < ACTS; n++) {
      if (n % 100 === 0) {
        // Starts another day, on which everyone already knows their first sessions.
        desk = new Desk();
        const known = new Map<string, Session>();
        for (let i = 0; i < 12; i++) {
          const each = session();
          if (![...known.values()].some((other) => clash(other, each))) known.set(`s${++made}`, each);
        }
        desk.sessions = known;
        opening = desk.days();
        standing = new Map();
        earlier = [];
      }
      const name = random.weighted<keyof typeof acts>([
        ...(['book', 'move', 'cancel', 'submit', 'told', 'family told'] as const).map((each) => [each, 3] as const),
        ...(['back again', 'no answer', 'not told', 'away', 'there again'] as const).map((each) => [each, 1] as const),
        ['back again', 2],
        ['sheet', 0.1],
      ]);
      history.push(name);
      acts[name]();
      const list = desk.list();
      const shown = {
        lines: Object.fromEntries(
          list.lines.map((line) => [line.person, { first: formatTime(line.first), again: line.again !== null }]),
        ),
        told: list.told.map((each) => each.person).sort(),
      };
      expect(shown, `act ${n}, after ${history.slice(-5).join(', ')}`).toEqual(expected());
      figures.lines += list.lines.length;
      figures.corrections += list.lines.filter((line) => line.again?.told.cancelled).length;
      figures.again += list.lines.filter((line) => line.again).length;
    }
    expect(figures.lines).toBeGreaterThan(ACTS);
    for (const count of Object.values(figures)) expect(count).toBeGreaterThan(ACTS / 50);
    keepFigures('call-lines', ACTS, began, { 'differences from the model': 0, ...figures });
  },
);
