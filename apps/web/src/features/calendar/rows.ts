import { UNASSIGNED, type SlotsReply, type StoredAbsence } from '@clinic/contract';
import {
  compareNames,
  compareText,
  groupBy,
  intersect,
  overlaps,
  parseTime,
  plainName,
  pushTo,
  sortKey,
  timeSlot,
  union,
  endMinute,
  type Interval,
  type PersonKind,
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

/**
 * When a person is away that day, in minutes after midnight: recorded on the server, or selected here and not yet
 * saved.
 */
export interface AwayWindow extends Interval {
  name: string;
  /** The person's normalized name, for comparison. */
  key: string;
  type: PersonKind;
  /** The only row that it is about, when each row is a date. */
  row?: string;
}

/** A row without the selected absences, so that selecting someone as absent does not change it. */
export interface BaseRow {
  id: string;
  /**
   * The person whom a click on this row marks absent. Null for the row of unassigned sessions and for people who have
   * left the clinic.
   */
  person: { name: string; type: PersonKind } | null;
  /** Whether this is the row of unassigned sessions. */
  open: boolean;
  name: string;
  /** The row's normalized name, for comparison. */
  key: string;
  credential: string | null;
  available: readonly Interval[];
  stored: readonly AwayWindow[];
  /** The row's sessions in drawing order. The sessions of a group form one entry. */
  sessions: readonly (readonly [CalendarAppointment, ...CalendarAppointment[]])[];
  /** Sessions that a commit took from this therapist. */
  traces: readonly Trace[];
  /** When a supervisor is present, for each session. */
  brackets: ReadonlyMap<CalendarAppointment, readonly Interval[]>;
  /** Set when the row is a date in a person's week. */
  day?: WeekDay;
}

/** What a date in a person's week has besides a row of the day. */
export interface WeekDay {
  /** What is said beside the date. */
  note: string;
  today: boolean;
  /** Whether nothing lies in it, so that its row is low. */
  quiet: boolean;
  /** The times when the person is away or the location is closed, in words. */
  said: readonly (Interval & { words: string })[];
}

/** The mark left in the booked therapist's row when a commit takes a session from them. */
export interface Trace extends Interval {
  label: string;
  /** The full label; it begins with the visible text. */
  name: string;
}

export interface Day {
  appointments: CalendarAppointment[];
  stored: AwayWindow[];
  /** The sessions that lie outside 7:00 AM to 7:00 PM and so have no bar, by time. */
  outside: CalendarAppointment[];
}

function readStored(list: readonly StoredAbsence[]): AwayWindow[] {
  return list.flatMap(({ name, type, startTime, endTime }) => {
    const start = parseTime(startTime);
    const end = parseTime(endTime);
    return start === null || end === null ? [] : [{ name, key: keyOf(name), type, start, end: endMinute(end) }];
  });
}

/**
 * Converts the server's reply into a day: cleans up the appointments (CAL-10 to CAL-12) and converts the absences'
 * times to minutes.
 */
export function readDay(reply: SlotsReply, adminClient: string): Day {
  const appointments = readAppointments(reply.appointments, adminClient);
  return {
    appointments,
    stored: readStored(reply.absences),
    outside: appointments.filter((a) => !isOff(a) && !exactSpan(a)).sort((a, b) => a.start - b.start),
  };
}

/** In Therapist View, puts the appointments of a group into one entry when they share a start and an end. */
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
  // Direct sessions get the lowest lanes. In Client View supervision follows; cancelled sessions and administrative
  // time come last.
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

/** The times when another therapist supervises each direct session. */
function bracketsOf(appointments: readonly CalendarAppointment[]): Map<CalendarAppointment, Interval[]> {
  const visits = groupBy(
    appointments.filter((a) => a.supervision && !isOff(a)),
    (a) => a.clientKey,
  );
  const found = new Map<CalendarAppointment, Interval[]>();
  if (visits.size === 0) return found;
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

/** The sessions that a commit took from each therapist, by the therapist's name key. A group leaves one trace. */
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
      pushTo(found, key, named);
      if (a.group !== null) groups.set(of, named);
    }
  }
  return found;
}

const NO_TRACES: readonly Trace[] = [];

/** When therapists are available, in minutes after midnight, by name key. */
export type Available = ReadonlyMap<string, readonly Interval[]>;

/** Reads when therapists are available; skips entries with unreadable times. */
export function readAvailable(reply: SlotsReply): Available {
  const windows = new Map<string, Interval[]>();
  for (const a of reply.availabilities) {
    const start = minutesAt(a.start_time.slice(11, 16));
    const end = a.end_time.slice(0, 10) > a.start_time.slice(0, 10) ? 1440 : minutesAt(a.end_time.slice(11, 16));
    if (start === null || end === null) continue;
    pushTo(windows, keyOf(a.therapist_name), { start, end });
  }
  return windows;
}

const OPEN_ROW = 'unassigned';

/**
 * One row for each person (CAL-05), including booked people who are not on the clinic's list. In Therapist View, the
 * row of unassigned sessions comes first.
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
    pushTo(byPerson, view === 'therapist' ? a.therapistKey : a.clientKey, a);
  }
  const windows: Available = view === 'therapist' ? available : new Map();
  if (view === 'therapist') for (const a of reply.availabilities) add(a.therapist_name, null);
  for (const s of day.stored) if (s.type === view) add(s.name, null);

  const rowOf = (
    id: string,
    key: string,
    name: string,
    person: BaseRow['person'],
    credential: string | null,
    list: CalendarAppointment[],
  ): BaseRow => ({
    id,
    person,
    open: id === OPEN_ROW,
    name,
    key,
    credential,
    available: union(windows.get(key) ?? []),
    stored: id === OPEN_ROW ? [] : day.stored.filter((s) => s.type === view && s.key === key),
    sessions: sessionsOf(list, view),
    traces: traces.get(key) ?? NO_TRACES,
    brackets,
  });
  // Sorts BCBAs first, and people with nothing that day last.
  const rank = (key: string, credential: string | null): number =>
    byPerson.has(key) || windows.has(key) ? (credential === 'BCBA' ? 0 : 1) : 2;
  const rows = [...people]
    .map(([key, p]) => ({ key, p, rank: rank(key, p.credential), by: sortKey(p.name) }))
    .sort((a, b) => a.rank - b.rank || compareText(a.by, b.by))
    .map(({ key, p }) =>
      rowOf(
        `${view}:${key}`,
        key,
        p.name,
        former.has(key) ? null : { name: p.name, type: view },
        p.credential,
        byPerson.get(key) ?? [],
      ),
    );
  return open.length > 0 ? [rowOf(OPEN_ROW, keyOf(UNASSIGNED), UNASSIGNED, null, null, open), ...rows] : rows;
}

const plain = remembered(plainName);

/** The rows whose name contains every typed word, ignoring accents and case. */
export function findRows(rows: readonly BaseRow[], typed: string): readonly BaseRow[] {
  const words = plain(typed).split(' ').filter(Boolean);
  return words.length === 0 ? rows : rows.filter((row) => words.every((word) => plain(row.name).includes(word)));
}
