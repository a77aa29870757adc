// Over 250 lines: one translation, from a day as received to the rows of the grid.
import type { SlotsReply, StoredAbsence } from '@clinic/contract';
import {
  compareNames,
  compareText,
  intersect,
  overlaps,
  parseTime,
  plainName,
  sortKey,
  timeSlot,
  union,
  type Interval,
} from '@clinic/domain';
import {
  isOff,
  isUnassigned,
  keyOf,
  minutesAt,
  readAppointments,
  remembered,
  type CalendarAppointment,
} from './appointments.ts';
import { exactSpan, type View } from './bars.ts';

export type PersonType = 'therapist' | 'client';

/**
 * A person's absence for a window of that day, in minutes: stored on the server, or selected here and not saved yet.
 */
export interface AwayWindow extends Interval {
  name: string;
  /** Its `nameKey`. */
  key: string;
  type: PersonType;
}

/** A row before anyone is selected: everything that clicks do not change. */
export interface BaseRow {
  id: string;
  /**
   * The person the row marks absent; null for the row of sessions without a therapist, and for people who have left the
   * clinic.
   */
  person: { name: string; type: PersonType } | null;
  /** Whether this is the row of sessions without a therapist. */
  open: boolean;
  name: string;
  /** Its `nameKey`. */
  key: string;
  credential: string | null;
  available: readonly Interval[];
  stored: readonly AwayWindow[];
  /** In drawing order. */
  sessions: readonly (readonly [CalendarAppointment, ...CalendarAppointment[]])[];
  /** Sessions that were theirs until a commit gave them to another therapist, or to none. */
  traces: readonly Trace[];
  /** By session: when a supervisor is present. */
  brackets: ReadonlyMap<CalendarAppointment, readonly Interval[]>;
}

/** What is left of a session in the row of the therapist who had it. */
export interface Trace extends Interval {
  label: string;
  /** The full label; it begins with the visible text. */
  name: string;
}

export interface Day {
  appointments: CalendarAppointment[];
  stored: AwayWindow[];
  /** Sessions outside 7:00 AM to 7:00 PM, which cannot be drawn. */
  outside: number;
}

function readStored(list: readonly StoredAbsence[]): AwayWindow[] {
  return list.flatMap(({ name, type, startTime, endTime }) => {
    const start = parseTime(startTime);
    const end = parseTime(endTime);
    return start === null || end === null
      ? []
      : [{ name, key: keyOf(name), type, start, end: end === 1439 ? 1440 : end }];
  });
}

/** The day as received, read once: appointments cleaned (CAL-10 to 12), absences in minutes. */
export function readDay(reply: SlotsReply, adminClient: string): Day {
  const appointments = readAppointments(reply.appointments, adminClient);
  return {
    appointments,
    stored: readStored(reply.absences),
    outside: appointments.filter((a) => !isOff(a) && !exactSpan(a)).length,
  };
}

/** Groups drawn as one bar: same group key, times and therapist; only in Therapist View. */
function sessionsOf(list: CalendarAppointment[], view: View): [CalendarAppointment, ...CalendarAppointment[]][] {
  const out: [CalendarAppointment, ...CalendarAppointment[]][] = [];
  const groups = new Map<string, CalendarAppointment[]>();
  for (const a of list) {
    const key = view === 'therapist' && a.group !== null && !isOff(a) ? `${a.group}:${a.start}:${a.end}` : null;
    const known = key === null ? undefined : groups.get(key);
    if (known) {
      known.push(a);
      continue;
    }
    const session: [CalendarAppointment, ...CalendarAppointment[]] = [a];
    if (key !== null) groups.set(key, session);
    out.push(session);
  }
  // The more it matters to care, the higher its lane: direct sessions, then supervision, then administrative time.
  const rank = (a: CalendarAppointment): number =>
    a.admin ? 3 : isOff(a) ? 2 : a.supervision && view === 'client' ? 1 : 0;
  return out.sort(
    (a, b) =>
      rank(a[0]) - rank(b[0]) ||
      a[0].start - b[0].start ||
      b[0].end - a[0].end ||
      compareNames(a[0].client, b[0].client),
  );
}

/** For each direct session of a client, the windows in which another therapist supervises it. */
function bracketsOf(appointments: readonly CalendarAppointment[]): Map<CalendarAppointment, Interval[]> {
  const visits = new Map<string, CalendarAppointment[]>();
  for (const a of appointments) {
    if (!a.supervision || isOff(a)) continue;
    const list = visits.get(a.clientKey);
    if (list) list.push(a);
    else visits.set(a.clientKey, [a]);
  }
  const found = new Map<CalendarAppointment, Interval[]>();
  for (const a of appointments) {
    if (a.supervision || a.admin || isOff(a)) continue;
    const alongside = (visits.get(a.clientKey) ?? [])
      .filter((v) => overlaps(v, a) && v.therapistKey !== a.therapistKey)
      .map((v) => intersect(v, a))
      .filter((v) => v !== null);
    if (alongside.length > 0) found.set(a, union(alongside));
  }
  return found;
}

/** By `nameKey` of the therapist who had them: the sessions that a commit took from each, a group's as one. */
function tracesOf(appointments: readonly CalendarAppointment[]): Map<string, Trace[]> {
  const found = new Map<string, Trace[]>();
  const groups = new Map<string, Trace>();
  for (const a of appointments) {
    if (a.bookedWith === null || a.admin || isOff(a)) continue;
    const key = keyOf(a.bookedWith);
    const now = isUnassigned(a.therapist) ? 'now unassigned' : `now with ${a.therapist}`;
    const of = [key, a.start, a.end, a.therapistKey].join();
    const group = a.group === null ? undefined : groups.get(of);
    const label = group ? `${group.label}, ${a.client}` : a.client;
    const named = { start: a.start, end: a.end, label, name: `${label}, ${timeSlot(a.start, a.end)}, ${now}` };
    if (group) Object.assign(group, named);
    else {
      found.set(key, [...(found.get(key) ?? []), named]);
      if (a.group !== null) groups.set(of, named);
    }
  }
  return found;
}

const NO_TRACES: readonly Trace[] = [];

/** Therapists' available windows, in minutes after midnight, by `nameKey`. */
export type Available = ReadonlyMap<string, readonly Interval[]>;

/** The day's available windows; windows with unreadable times are left out. */
export function readAvailable(reply: SlotsReply): Available {
  const windows = new Map<string, Interval[]>();
  for (const a of reply.availabilities) {
    const start = minutesAt(a.start_time.slice(11, 16));
    const end = a.end_time.slice(0, 10) > a.start_time.slice(0, 10) ? 1440 : minutesAt(a.end_time.slice(11, 16));
    if (start === null || end === null) continue;
    const key = keyOf(a.therapist_name);
    const list = windows.get(key);
    if (list) list.push({ start, end });
    else windows.set(key, [{ start, end }]);
  }
  return windows;
}

const OPEN_ROW = 'unassigned';

/**
 * One row per person (CAL-05), including booked people the clinic does not list; in Therapist View, sessions without a
 * therapist come first.
 */
export function buildRows(reply: SlotsReply, day: Day, view: View, available = readAvailable(reply)): BaseRow[] {
  const brackets = view === 'therapist' ? bracketsOf(day.appointments) : new Map<CalendarAppointment, Interval[]>();
  const traces = view === 'therapist' ? tracesOf(day.appointments) : new Map<string, Trace[]>();
  const people = new Map<string, { name: string; credential: string | null }>();
  const add = (name: string, credential: string | null): void => {
    const key = keyOf(name);
    if (key !== '' && !people.has(key)) people.set(key, { name, credential });
  };
  for (const p of reply.people) if (p.type === view) add(p.name, p.credential ?? null);
  const former = new Set(reply.people.filter((p) => p.type === view && p.former === true).map((p) => keyOf(p.name)));
  const byPerson = new Map<string, CalendarAppointment[]>();
  const open: CalendarAppointment[] = [];
  for (const a of day.appointments) {
    const name = view === 'therapist' ? a.therapist : a.client;
    if (view === 'therapist' && isUnassigned(name)) {
      open.push(a);
      continue;
    }
    if (view === 'client' && a.admin) continue;
    add(name, null);
    const key = view === 'therapist' ? a.therapistKey : a.clientKey;
    const list = byPerson.get(key);
    if (list) list.push(a);
    else byPerson.set(key, [a]);
  }
  const windows: Available = view === 'therapist' ? available : new Map();
  if (view === 'therapist') for (const a of reply.availabilities) add(a.therapist_name, null);
  for (const s of day.stored) if (s.type === view) add(s.name, null);

  const rowOf = (
    id: string,
    name: string,
    person: BaseRow['person'],
    credential: string | null,
    list: CalendarAppointment[],
  ): BaseRow => ({
    id,
    person,
    open: id === OPEN_ROW,
    name,
    key: keyOf(name),
    credential,
    available: union(windows.get(keyOf(name)) ?? []),
    stored: id === OPEN_ROW ? [] : day.stored.filter((s) => s.type === view && s.key === keyOf(name)),
    sessions: sessionsOf(list, view),
    traces: traces.get(keyOf(name)) ?? NO_TRACES,
    brackets,
  });
  // BCBAs first; people with nothing that day last.
  const rank = (key: string, credential: string | null): number =>
    byPerson.has(key) || windows.has(key) ? (credential === 'BCBA' ? 0 : 1) : 2;
  const rows = [...people]
    .map(([key, p]) => ({ key, p, rank: rank(key, p.credential), by: sortKey(p.name) }))
    .sort((a, b) => a.rank - b.rank || compareText(a.by, b.by))
    .map(({ key, p }) =>
      rowOf(
        `${view}:${key}`,
        p.name,
        former.has(key) ? null : { name: p.name, type: view },
        p.credential,
        byPerson.get(key) ?? [],
      ),
    );
  return open.length > 0 ? [rowOf(OPEN_ROW, 'Unassigned', null, null, open), ...rows] : rows;
}

const plain = remembered(plainName);

/** Rows whose name contains every word typed, ignoring accents and case. */
export function findRows(rows: readonly BaseRow[], typed: string): readonly BaseRow[] {
  const words = plain(typed).split(' ').filter(Boolean);
  return words.length === 0 ? rows : rows.filter((row) => words.every((word) => plain(row.name).includes(word)));
}
