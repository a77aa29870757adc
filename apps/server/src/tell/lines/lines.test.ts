import { expect, test } from 'vitest';
import { formatTime, overlaps, randomFrom, subtract, type Interval, type Service } from '@clinic/domain';
import { personKey, type PersonKey } from '../memory/call-day.ts';
import type { DayAbsence } from '../../day/facts/day.ts';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import { doseOf, keepFigures, seedOfRun, timeLimit } from '../../reliability/testing/doses.ts';
import { CallDesk, peopleOf, type DeskSession } from '../../testing/call-desk.ts';
import {
  andTold,
  believedIn,
  isAgain,
  lastTold,
  minuteOf,
  notTold,
  type Minutes,
  type Standing,
} from '../../testing/told-model.ts';
import type { Line } from './line.ts';

/**
 * Random acts on a day, checked against a simple model. For every quarter hour, the model stores only what each person
 * was last told and what the calendar says now. `calls.reliability.test.ts` does the same through real requests and the
 * database; here calendar and answers are plain values, so ten thousand acts take seconds.
 */

const ACTS = doseOf('call-lines');
const THERAPISTS = ['ana', 'kai', 'lin', 'max'];
const CLIENTS = ['bo', 'mo', 'ida', 'eve'];
const SERVICES: readonly Service[] = ['direct', 'direct', 'supervision'];
const LAST = 20 * 60;

const NONE: Minutes = new Set();
/** A loss that the clinic caused. */
const CLOSED = {
  loss: { cause: 'closed', label: 'Clinic closed', lostBy: 'clinic', saidBy: null, known: null },
} as const;
type Days = ReadonlyMap<string, Minutes>;

const people = peopleOf(THERAPISTS, CLIENTS);

const clash = (a: DeskSession, b: DeskSession): boolean =>
  a.status !== 'cancelled' &&
  b.status !== 'cancelled' &&
  overlaps(a, b) &&
  ((a.therapistId !== null && a.therapistId === b.therapistId) || a.clientId === b.clientId);

/**
 * What a list would say too early: a family that is promised someone who is asked and does not wait under the ask, and a
 * therapist who is released although they could take what someone else is asked for.
 */
function brokenPromises(lines: readonly Line[], absences: readonly DayAbsence[]): string[] {
  const asks = lines.filter(({ call }) => call === 'ask');
  const fresh = (line: Line) => line.changes.filter((c) => c.what === 'new' && c.service !== 'admin');
  const early = lines.flatMap((line, at) => {
    const promised = asks.filter(
      (ask) =>
        line.kind === 'client' &&
        fresh(line).some(
          (is) =>
            is.with === ask.id &&
            fresh(ask).some((c) => c.with === line.id && c.service === is.service && overlaps(c, is)),
        ),
    );
    const waits = promised.every((ask) => line.after.some(({ id }) => id === ask.id) && lines.indexOf(ask) < at);
    return waits ? [] : [`${line.person} does not wait`];
  });
  const home = lines.flatMap(({ person, id, free }) => {
    const released = free.filter(({ how }) => how === 'released');
    const there = subtract(
      released,
      absences.filter(({ therapistId }) => therapistId === id),
    );
    const needed = asks.some((ask) => ask.id !== id && fresh(ask).some((c) => there.some((r) => overlaps(c, r))));
    return needed ? [`${person} is released`] : [];
  });
  return [...early, ...home];
}

test(
  'after any random changes, each call line is the difference between what the person was last told and the current calendar',
  { timeout: timeLimit(ACTS, 60) },
  () => {
    const began = performance.now();
    const random = randomFrom(seedOfRun());
    let desk = new CallDesk(people);
    let opening: Days = new Map();
    let standing = new Map<string, Standing[]>();
    let made = 0;
    const figures = {
      lines: 0,
      again: 0,
      told: 0,
      backAgain: 0,
      familyTold: 0,
      corrections: 0,
      outdated: 0,
      waiting: 0,
      near: 0,
    };
    /** Earlier states of the calendar, for an undo or a withdrawal to restore. */
    let earlier: ReadonlyMap<string, DeskSession>[] = [];

    const minute = (): number => 480 + 15 * random.int(0, 40);
    const session = (): DeskSession => {
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
    const change = (changed: ReadonlyMap<string, DeskSession>): void => {
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
      void standing.set(person, andTold(standing.get(person) ?? [], day, told));

    const isAway = (person: string, m: number): boolean =>
      desk.absences.some(
        (each: DayAbsence & Interval) =>
          person ===
            personKey(each.clientId === null ? 'therapist' : 'client', each.therapistId ?? each.clientId ?? '') &&
          each.start <= m &&
          m < each.end,
      );
    /** Whether a person said themselves that they are away, and so knows what they lose. */
    const saidSo = (person: string, m: number): boolean => {
      const off = [...desk.sessions.values()].some(
        (each) =>
          `client:${each.clientId}` === person &&
          each.status === 'cancelled' &&
          each.loss?.lostBy === 'clinic' &&
          each.start <= m &&
          m < each.end,
      );
      return desk.absences.some(
        ({ therapistId, clientId, start, end, loss, untold }) =>
          person === (clientId === null ? `therapist:${therapistId}` : `client:${clientId}`) &&
          start <= m &&
          m < end &&
          (untold === undefined ? loss?.lostBy !== 'clinic' && !off : !untold),
      );
    };
    const knownBy = (person: string): Minutes => lastTold(standing.get(person) ?? []) ?? opening.get(person) ?? NONE;
    /**
     * What a person should know about their day. A therapist is not told of new time with a client who is away; a family whose therapist is away is told of the time, but not of the therapist.
     */
    const dayToKnow = (person: PersonKey, known: Minutes, booked = desk.days().get(person)): Minutes => {
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

    /** The quarter hours at which a person who knows this day must be told something. */
    const changed = (person: PersonKey, known: Minutes): number[] => {
      const is = dayToKnow(person, known);
      const gone = [...known].filter((each) => !is.has(each) && !saidSo(person, minuteOf(each)));
      return [...gone, ...[...is].filter((each) => !known.has(each))].map(minuteOf);
    };
    const believed = (person: PersonKey) =>
      believedIn(person, standing.get(person) ?? [], knownBy(person), (day) => changed(person, day));

    const acts = {
      book: () => change(new Map([[`s${++made}`, session()]])),
      move: () => {
        const found = some();
        if (found) change(new Map([[found[0], { ...session(), clientId: found[1].clientId }]]));
      },
      cancel: () => {
        const found = some();
        const status = 'cancelled' satisfies AppointmentStatus;
        if (found) change(new Map([[found[0], { ...found[1], status, ...(random.chance(0.3) ? CLOSED : {}) }]]));
      },
      'family told': () => {
        const found = some();
        if (!found) return;
        const [key, { clientId, therapistId, service, start, end }] = found;
        earlier.push(desk.sessions);
        desk.familyTold(key);
        const person = `client:${clientId}`;
        const was = knownBy(person);
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
        const changed = new Map<string, DeskSession>();
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
        const untold = random.chance(0.2) ? { untold: random.chance(0.5) } : {};
        const said = { ...(random.chance(0.3) ? CLOSED : {}), ...untold };
        desk.absences = [...desk.absences, { id, location: 'altamonte', start, end: start + 120, ...whose, ...said }];
      },
      'there again': () => void (desk.absences = desk.absences.slice(1)),
      told: () => {
        const { lines } = desk.list();
        if (lines.length === 0) return;
        const line = random.pick(lines);
        keep(line.person, dayToKnow(line.person, believed(line.person).day), true);
        desk.answer(line.person, 'told', line);
        figures.told++;
      },
      'no answer': () => {
        const { lines } = desk.list();
        if (lines.length === 0) return;
        const line = random.pick(lines);
        const { person } = line;
        const answer = random.pick(['no-answer', 'left-message', 'left-message', 'said-no'] as const);
        const day = dayToKnow(person, believed(person).day);
        if (answer !== 'no-answer')
          standing.set(person, [...(standing.get(person) ?? []), { day, told: false, heard: answer }]);
        desk.answer(person, answer, line);
      },
      'not told': () => {
        const { told, lines } = desk.list();
        const wasTold = ({ person }: Line): boolean => standing.get(person)?.some((each) => each.told) ?? false;
        const all = [...told, ...lines.filter(wasTold)];
        if (all.length === 0) return;
        const { person } = random.pick(all);
        standing.set(person, notTold(standing.get(person) ?? []));
        desk.answer(person, 'not-told', null);
      },
      sheet: () => {
        for (const line of desk.list().lines) {
          keep(line.person, dayToKnow(line.person, believed(line.person).day), false);
          desk.answer(line.person, 'sheet', line);
        }
      },
    };

    const expected = () => {
      const lines: Record<string, { first: string; again: boolean; outdated: boolean }> = {};
      const told: string[] = [];
      for (const { kind, id } of people) {
        const person = personKey(kind, id);
        const { day, heard } = believed(person);
        const all = standing.get(person) ?? [];
        const minutes = changed(person, day);
        const outdated = minutes.some((m) => heard.has(m));
        const again = isAgain(all, minutes, heard);
        if (minutes.length > 0) lines[person] = { first: formatTime(Math.min(...minutes)), again, outdated };
        else if (all.findLast((each) => !each.heard)?.told) told.push(person);
      }
      return { lines, told: told.sort() };
    };

    const history: string[] = [];
    for (let n = 0; n < ACTS; n++) {
      if (n % 100 === 0) {
        // Starts another day, on which everyone already knows their first sessions.
        desk = new CallDesk(people);
        const known = new Map<string, DeskSession>();
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
          list.lines.map((line) => {
            const outdated = line.outdated;
            return [line.person, { first: formatTime(line.first), again: line.again !== null, outdated }];
          }),
        ),
        told: list.told.map((each) => each.person).sort(),
      };
      expect(brokenPromises(list.lines, desk.absences), `act ${n}`).toEqual([]);
      figures.waiting += list.lines.filter(({ after }) => after.length > 0).length;
      figures.near += list.lines.filter(({ free }) => free.some(({ how }) => how === 'near')).length;
      expect(shown, `act ${n}, after ${history.slice(-5).join(', ')}`).toEqual(expected());
      figures.lines += list.lines.length;
      figures.corrections += list.lines.filter(
        (line) => line.again && 'cancelled' in line.again.from && line.again.from.cancelled,
      ).length;
      figures.outdated += list.lines.filter((line) => line.outdated).length;
      figures.again += list.lines.filter((line) => line.again).length;
    }
    expect(figures.lines).toBeGreaterThan(ACTS);
    for (const count of Object.values(figures)) expect(count).toBeGreaterThan(ACTS / 50);
    keepFigures('call-lines', ACTS, began, { 'differences from the model': 0, ...figures });
  },
);
