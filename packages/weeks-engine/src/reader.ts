/**
 * Reads what the problems of weeks share: dates, people, times and limits. NOTE: `knows` and `excludes` may name
 * therapists who are not in the problem, since people also work at other locations.
 */
import {
  DAY_START,
  dayOfWeek,
  GENDERS,
  isoDate,
  mondayOf,
  parseDate,
  parseTime,
  readList,
  readOneOf,
  readRecord,
  readText,
  readTruth,
  readWhole,
  shown,
  SLOT_MINUTES,
  SLOTS,
  SPECIALIZATIONS,
  unreadable,
  type Json,
} from '@clinic/domain';
import { HOUR, type Client, type ClientService, type Familiarity, type Span, type Therapist } from './problem.ts';

/** The largest problem that is read: far more than a clinic has, and little enough to answer by the deadline. */
export const MOST = { dates: 400, people: 1000, series: 400, owed: 200, sessions: 5000, percent: 10_000 };
export const SERVICES: readonly ClientService[] = ['direct', 'supervision', 'parent-training'];

/** The list at `key`, empty when it is left out. */
export const optionalList = (value: unknown, where: string): readonly unknown[] =>
  value == null ? [] : readList(value, where);

const optionalRecord = (value: unknown, where: string): Json => (value == null ? {} : readRecord(value, where));

const optionalTruth = (value: unknown, where: string): boolean => value != null && readTruth(value, where);

export const percent = (value: unknown, where: string): number =>
  value == null ? 100 : readWhole(value, 0, MOST.percent, where);

function readSlot(value: unknown, where: string): number {
  const minutes = typeof value === 'string' ? parseTime(value) : null;
  if (minutes === null) return unreadable(`${where}: ${shown(value)} is not a time (HH:MM).`);
  const slot = (minutes - DAY_START) / SLOT_MINUTES;
  if (!Number.isInteger(slot)) return unreadable(`${where}: ${shown(value)} is not on the quarter hour.`);
  return slot >= 0 && slot <= SLOTS ? slot : unreadable(`${where}: ${shown(value)} is outside 07:00 to 19:00.`);
}

export function readSpan(start: unknown, end: unknown, where: string): Span {
  const [from, to] = [readSlot(start, where), readSlot(end, where)];
  return from < to ? { from, to } : unreadable(`${where}: ${shown(start)} to ${shown(end)} ends before it begins.`);
}

function readPair(value: unknown, where: string): Span {
  const pair = readList(value, where);
  return pair.length === 2 ? readSpan(pair[0], pair[1], where) : unreadable(`${where} needs a start and an end.`);
}

export const readSpans = (value: unknown, where: string): Span[] =>
  readList(value, where).map((w) => readPair(w, where));

export const readDate = (value: unknown, where: string): string =>
  typeof value === 'string' && parseDate(value) !== null
    ? value
    : unreadable(`${where}: ${shown(value)} is not a date (YYYY-MM-DD).`);

/** Reads dates in ascending order. */
export function readDates(value: unknown, where: string): string[] {
  const dates = readList(value, where).map((date) => readDate(date, where));
  if (dates.length === 0) unreadable(`${where} is empty.`);
  if (dates.length > MOST.dates) unreadable(`${where} has more than ${MOST.dates} dates.`);
  dates.forEach((date, i) => {
    if (i > 0 && date <= dates[i - 1]!) unreadable(`${where} does not ascend at ${date}.`);
  });
  return dates;
}

export class Reader {
  readonly dates: readonly string[];
  readonly weeks: readonly string[];
  readonly weekOf: readonly number[];
  private readonly place: ReadonlyMap<string, number>;
  private readonly ids = new Set<string>();

  constructor(value: unknown) {
    this.dates = readDates(value, 'The list of dates');
    const mondays = this.dates.map((date) => mondayOf(isoDate(date)));
    this.weeks = [...new Set(mondays)];
    this.weekOf = mondays.map((monday) => this.weeks.indexOf(monday));
    this.place = new Map(this.dates.map((date, i) => [date, i]));
  }

  /** For each date, what a record by date says of it. Other dates are read and left out. */
  private byDate<T>(value: unknown, where: string, read: (each: unknown, where: string) => T): (T | null)[] {
    const result = this.dates.map((): T | null => null);
    for (const [date, each] of Object.entries(optionalRecord(value, where))) {
      readDate(date, where);
      const said = read(each, `${where} on ${date}`);
      const at = this.place.get(date);
      if (at !== undefined) result[at] = said;
    }
    return result;
  }

  private caps(value: unknown, where: string): number[] {
    const result = this.weeks.map(() => Infinity);
    for (const [week, most] of Object.entries(optionalRecord(value, where))) {
      if (dayOfWeek(isoDate(readDate(week, where))) !== 1) unreadable(`${where}: ${week} is not a Monday.`);
      const cap = readWhole(most, 0, 1e6, `${where} in the week of ${week}`);
      const at = this.weeks.indexOf(week);
      if (at >= 0) result[at] = cap;
    }
    return result;
  }

  private id(value: unknown, where: string): string {
    const id = readText(value, where);
    if (this.ids.has(id)) unreadable(`The id ${shown(id)} is given to two people.`);
    this.ids.add(id);
    return id;
  }

  readonly therapist = (value: unknown, index: number): Therapist => {
    const t = readRecord(value, 'A therapist');
    const id = this.id(t['id'], "A therapist's id");
    const who = `of therapist ${shown(id)}`;
    const free = this.byDate(t['free'], `The free time ${who}`, readSpans);
    const admin = this.byDate(t['admin'], `The administrative time ${who}`, readSpans);
    return {
      index,
      id,
      credential: readOneOf(t['credential'], SPECIALIZATIONS, `The credential ${who}`),
      gender: readOneOf(t['gender'], GENDERS, `The gender ${who}`),
      tags: new Set(optionalList(t['tags'], `The list of tags ${who}`).map((tag) => readText(tag, `A tag ${who}`))),
      onlyKnown: optionalTruth(t['onlyKnown'], `The mark onlyKnown ${who}`),
      hours: this.dates.map((_, d) => hoursOf(free[d] ?? [], admin[d] ?? [])),
      day: this.byDate(t['day'], `The booked day ${who}`, readPair),
      caps: this.caps(t['caps'], `The cap ${who}`),
    };
  };

  client(value: unknown, index: number, therapists: readonly Therapist[]): Client {
    const c = readRecord(value, 'A client');
    const id = this.id(c['id'], "A client's id");
    const who = `of client ${shown(id)}`;
    const knows = new Map(
      Object.entries(optionalRecord(c['knows'], `The record of whom client ${shown(id)} knows`)).map(([t, how]) => [
        t,
        readOneOf<Familiarity>(how, ['team', 'known'], `What client ${shown(id)} knows of ${shown(t)}`),
      ]),
    );
    const texts = (key: string, where: string): string[] =>
      optionalList(c[key], `The list of ${where} ${who}`).map((each) =>
        readText(each, `An entry of the ${where} ${who}`),
      );
    return {
      index,
      id,
      priority: percent(c['priority'], `The priority ${who}`),
      requiresGender: optionalList(c['requiresGender'], `The required genders ${who}`).map((each) =>
        readOneOf(each, GENDERS, `A required gender ${who}`),
      ),
      excludes: new Set(texts('excludes', 'exclusions')),
      knownOnly: optionalTruth(c['knownOnly'], `The mark knownOnly ${who}`),
      credentials:
        c['credentials'] == null
          ? null
          : readList(c['credentials'], `The credentials ${who}`).map((each) =>
              readOneOf(each, SPECIALIZATIONS, `A credential ${who}`),
            ),
      needs: texts('needs', 'needs'),
      knows: therapists.map((t) => knows.get(t.id) ?? 'new'),
      caps: this.caps(c['caps'], `The cap ${who}`),
    };
  }

  /** For each date, the windows of a client. */
  windows(value: unknown, where: string): Span[][] {
    return this.byDate(value, where, readSpans).map((spans) => spans ?? []);
  }

  position(date: string): number | undefined {
    return this.place.get(date);
  }
}

export function hoursOf(free: readonly Span[], admin: readonly Span[]): Uint8Array | null {
  if (free.length === 0 && admin.length === 0) return null;
  const hours = new Uint8Array(SLOTS);
  for (const { from, to } of admin) hours.fill(HOUR.admin, from, to);
  for (const { from, to } of free) hours.fill(HOUR.free, from, to);
  return hours;
}

export function limited(value: unknown, most: number, where: string): readonly unknown[] {
  const all = readList(value, where);
  return all.length <= most ? all : unreadable(`${where} has more than ${most} entries.`);
}

export const byId = <T extends { readonly id: string }>(all: readonly T[]): ReadonlyMap<string, T> =>
  new Map(all.map((each) => [each.id, each]));

export function known<T>(all: ReadonlyMap<string, T>, value: unknown, where: string): T {
  return (
    (typeof value === 'string' ? all.get(value) : undefined) ?? unreadable(`${where} is unknown: ${shown(value)}.`)
  );
}
