// This file is over 250 lines because it holds everything that turns a person's changes into a line of the call list.
import { createHash } from 'node:crypto';
import {
  affectedBy,
  bookedDay,
  changesToTell,
  inCallOrder,
  intersect,
  isUrgent,
  locationLabel,
  MINUTES_A_DAY,
  nameKey,
  openTimes,
  overlaps,
  ringAgainBy,
  sayDay,
  sayTime,
  sayToFamily,
  sayToTherapist,
  spokenNames,
  subtract,
  therapistKind,
  withoutStretches,
  withoutTakenAdmin,
  type FamilyChanges,
  type Interval,
  type IsoDate,
  type NetChange,
  type PersonChanges,
  type TherapistChanges,
  type ToldStretch,
} from '@clinic/domain';
import { rootOf, type ClinicDay, type DayAppointment, type ExtraHours } from '../../../clinic-day/day.ts';
import { isOver, type WallPresent } from '../../../clinic-day/present.ts';
import { declinedTogether } from '../../../clinic-day/declines.ts';
import { ownWindows } from '../../../clinic-day/own-word.ts';
import { awayWindows, uncoveredOf, type AwayWindows } from '../../../clinic-day/uncovered.ts';
import { believed } from './heard.ts';
import { saidNo } from './messages.ts';
import { ringDue, ringsLater } from './promises.ts';
import { waitsOf } from './waits.ts';
import {
  absencesOf,
  type CallData,
  type CallList,
  type CallPerson,
  type Line,
  type LineSession,
  type Present,
  type Told,
} from './line.ts';
import { personKey, type Answer, type PersonKey } from '../../../clinic-day/call-day.ts';
import {
  dayToKnow,
  daysAtOpening,
  daysBooked,
  lastTold,
  type BookedStretch,
  type DayOf,
  type LastTold,
} from '../../../clinic-day/told-people.ts';

/** The data that all lines of a day share. */
interface Board {
  readonly data: CallData;
  readonly booked: ReadonlyMap<PersonKey, readonly BookedStretch[]>;
  readonly opening: DayOf;
  readonly away: AwayWindows;
  /** When people are away by their own word. */
  readonly own: AwayWindows;
  /**
   * Names by person id, in two forms: `spoken` has the names that callers say (for a therapist, the name that families
   * know), and `shown` the names on the screen.
   */
  readonly spoken: ReadonlyMap<string, string>;
  readonly shown: ReadonlyMap<string, string>;
  readonly uncovered: readonly Interval[];
}

/** Makes a day's call list: for each person, compares what they were last told with the current calendar. */
export function callList(data: CallData): CallList {
  const { day, people, answers } = data;
  const absences = absencesOf(data);
  const away = awayWindows({ absences });
  const board: Board = {
    data,
    booked: daysBooked(day, away),
    opening: daysAtOpening(day, data.before),
    away,
    own: ownWindows(absences, day.appointments),
    spoken: spokenNames(people.filter((p) => p.kind === 'therapist')),
    shown: new Map(people.map((p) => [p.id, p.displayName])),
    uncovered: day.appointments
      .filter((a) => a.location === day.location)
      .flatMap((a) => uncoveredOf(a, away, data.present.minutes)),
  };
  const standing = lastTold(answers);
  const lines: Line[] = [];
  const told: Told[] = [];
  const rings: number[] = [];
  for (const person of people) {
    const key = personKey(person.kind, person.id);
    const last = standing.get(key) ?? NOTHING_TOLD;
    const line = lineOf(board, person, key, last);
    rings.push(...ringsLater(last, dayToKnow(board.booked.get(key) ?? [], last.told?.day ?? []), data.present));
    if (line) lines.push(line);
    else if (last.told?.answer === 'told')
      told.push({ person: key, kind: person.kind, id: person.id, name: person.displayName, told: last.told });
  }
  const nextRing = rings.length === 0 ? null : Math.min(...rings);
  return { lines: inCallOrder(lines), told: told.sort((a, b) => (a.told.at < b.told.at ? 1 : -1)), nextRing };
}

/** The first sentence for a person who may have heard a message that no longer holds. */
const MESSAGE_OUTDATED = 'Our earlier message no longer holds.';

const NOTHING_TOLD: LastTold = { told: null, whole: null, since: [] };

function lineOf(board: Board, person: CallPerson, key: PersonKey, last: LastTold): Line | null {
  const { day, present } = board.data;
  const elsewhere = elsewhereOf(board.data, person);
  const ownWord = board.own.get(person.id) ?? [];
  const nowFor = (known: readonly ToldStretch[]): ToldStretch[] => dayToKnow(board.booked.get(key) ?? [], known);
  const known = last.told?.day ?? board.opening.get(key) ?? [];
  const heard = board.data.heard.filter((each) => each.person === key);
  const {
    day: believedDay,
    times,
    from,
  } = believed(person.kind, known, last, heard, (day) => changesToTell(day, nowFor(day), ownWord, 0));
  const due = ringDue(last, believedDay, nowFor(believedDay), present);
  const told = due.length === 0 ? believedDay : withoutStretches(believedDay, due);
  const now = nowFor(told);
  const changes = changesToTell(told, now, ownWord, present.from);
  const [earliest] = changes;
  if (!earliest) return null;
  const first = Math.min(...changes.map((c) => c.start));
  const booked = bookedDay([...told, ...elsewhere]);
  const nameOf = nameFor(board, person);
  const site = person.location === day.location ? null : locationLabel(day.location);
  const open = person.kind === 'client' ? openTimes(changes, now, present.from) : [];
  const own: PersonChanges = { date: day.date, today: present.today, changes, told, now, nameOf, site };
  const promised = changes.some((c) => c.with === null && isAbout(due, c)) ? (last.whole?.ringAgain?.by ?? null) : null;
  const unheard = changes.filter((c) => subtract([c], [...times, ...due]).length > 0);
  const outdated = changes.some((c) => isAbout(times, c)) ? from : null;
  const before = unheard.length > 0 ? toldBefore(last, unheard) : null;
  const again = before ? aboutCall(before, unheard) : changes.filter((c) => isAbout(outdated?.wrong ?? [], c));
  const was = before ? known : (outdated?.day ?? []);
  const both = affectedBy(again, withoutTakenAdmin(was), withoutTakenAdmin(now, elsewhere));
  const since = before?.cancelled ? last.since.slice(last.since.indexOf(before) + 1) : last.since;
  const earlier = before ?? outdated;
  const extra = person.kind === 'client' ? [] : askedOf(day, person.id, changes);
  const version = versionOf(told, now, changesToTell(told, now, ownWord, 0), extra, promised);
  const sayOf = (some: readonly NetChange[], then: readonly ToldStretch[]): string[] =>
    person.kind === 'client'
      ? sayFamily(board, person, { ...own, changes: some, now: then, open })
      : sayTherapist(board, person, { ...own, changes: some, now: then, extra, elsewhere }, booked);
  return {
    person: key,
    kind: person.kind,
    id: person.id,
    name: person.displayName,
    call:
      person.kind === 'client'
        ? 'family'
        : extra.length > 0
          ? 'ask'
          : therapistKind(changes, told, [...now, ...elsewhere], booked),
    version,
    first,
    urgent: !saidNo({ since, version }) && (promised !== null || isUrgent(first, present.minutes)),
    here: isInBuilding(believedDay, elsewhere, present),
    say: [
      ...(promised === null ? [] : [`We promised to ring again by ${sayTime(promised)}.`]),
      ...(outdated && outdated.how !== 'said-no' ? [MESSAGE_OUTDATED] : []),
      ...sayOf(changes, now),
    ],
    sayOf,
    again: earlier && { was: sayDay(both.told, nameOf), now: sayDay(both.now, nameOf), from: earlier },
    outdated: outdated !== null,
    sessions: sessionsOf(board, person, [...changes, ...open.map((time) => ({ ...time, what: 'new' as const }))], {
      told,
      now,
    }),
    extra,
    ...waitsOf(board, person, changes, open),
    ringBy: ringBy(open, present),
    open,
    promised,
    since,
    newest: last.since.at(-1)?.id ?? '',
    changes,
    nameOf,
    now,
  };
}

/**
 * Returns the function that gives the name by which a person knows someone. A family is told a therapist's whole name
 * if the child has the same first name.
 */
function nameFor({ spoken, shown }: Board, { kind, firstName }: CallPerson): (id: string) => string {
  return (id) => {
    const name = kind === 'client' ? spoken.get(id) : undefined;
    const isClear = name !== undefined && nameKey(name) !== nameKey(firstName);
    return (isClear ? name : shown.get(id)) ?? 'somebody else';
  };
}

/** Whether a change is about these times, or about these cancelled sessions. */
const isAbout = (times: readonly Interval[], change: NetChange): boolean =>
  times.some((time) => overlaps(time, change));

/** The changes that a call told the person something different about. */
const aboutCall = ({ cancelled }: Answer, changes: readonly NetChange[]): readonly NetChange[] =>
  cancelled === null ? changes : changes.filter((c) => isAbout(cancelled, c));

/**
 * Returns the earlier call in which the person was told something different about the times that have now changed; null
 * if there was none.
 */
function toldBefore({ whole, since }: LastTold, changes: readonly NetChange[]): Answer | null {
  const off = since.findLast(({ cancelled }) => cancelled && changes.some((c) => isAbout(cancelled, c)));
  return off ?? (whole?.answer === 'told' ? whole : null);
}

/**
 * Returns the extra hours, within the therapist's new time, that the therapist was asked to work but has not agreed to.
 */
const askedOf = (day: ClinicDay, id: string, changes: readonly NetChange[]): ExtraHours[] =>
  day.extra.filter(
    (each) =>
      each.therapistId === id &&
      each.state === 'asked' &&
      changes.some((change) => change.what === 'new' && overlaps(change, each)),
  );

/** Whether a person is between their first and last session here, and not in a session at another location. */
function isInBuilding(told: readonly ToldStretch[], elsewhere: readonly ToldStretch[], { minutes }: Present): boolean {
  const isNow = (window: Interval): boolean => minutes !== null && window.start <= minutes && minutes < window.end;
  const day = bookedDay(told);
  return day !== null && isNow(day) && !elsewhere.some(isNow);
}

/** What a therapist has at other locations, which is part of their booked day; empty for a client. */
const elsewhereOf = ({ day, elsewhere }: CallData, person: CallPerson): ToldStretch[] =>
  person.kind === 'client'
    ? []
    : [...day.appointments, ...elsewhere]
        .filter((a) => a.therapistId === person.id && a.location !== day.location && a.occupies)
        .map(({ start, end, clientId, service }) => ({ start, end, with: clientId, service }));

const sayFamily = ({ data }: Board, person: CallPerson, own: PersonChanges & Pick<FamilyChanges, 'open'>): string[] =>
  sayToFamily({ ...own, child: person.firstName, clock: data.present.clock });

function sayTherapist(
  board: Board,
  { id }: CallPerson,
  own: PersonChanges & Pick<TherapistChanges, 'extra' | 'elsewhere'>,
  booked: Interval | null,
): string[] {
  return sayToTherapist({
    ...own,
    bookedDay: booked,
    away: board.away.get(id) ?? [],
    isCancelled: (change) =>
      !(board.booked.get(personKey('client', change.with ?? '')) ?? []).some((s) => overlaps(s, change)),
    uncovered: board.uncovered,
  });
}

/** Returns the sessions that a line is about: those that are new to the person, without administrative time. */
function sessionsOf(
  board: Board,
  person: CallPerson,
  changes: readonly NetChange[],
  { told, now }: Pick<PersonChanges, 'told' | 'now'>,
): LineSession[] {
  const fresh = changes.filter((c) => c.what === 'new');
  // A child may have two therapists at once; a change to one therapist's session is not a change to the other's.
  const staysBeside = (a: DayAppointment, c: NetChange): boolean =>
    person.kind === 'client' &&
    c.with !== a.therapistId &&
    now.some((n) => n.with === a.therapistId && n.service === a.service && overlaps(n, c));
  const sessions = board.data.day.appointments.filter((a) => a.location === board.data.day.location);
  const own = sessionsHere(board, person);
  return own
    .filter((a) => fresh.some((c) => overlaps(c, a) && !staysBeside(a, c)))
    .map((a) => {
      const open = person.kind === 'client' && fresh.every((c) => c.with === null || !overlaps(c, a));
      const therapistId = open ? null : a.therapistId;
      const other = person.kind === 'client' ? therapistId : a.clientId;
      const pieces = own.filter((each) => rootOf(each) === rootOf(a));
      const parts = person.kind === 'client' ? null : addedParts(a, pieces, changes, told);
      const named = other === null ? null : { id: other, name: board.shown.get(other) ?? '' };
      return { ...a, therapistId, with: named, parts, roots: declinedTogether(sessions, a) };
    });
}

/**
 * Returns the parts that were added to a session that its therapist already knew about. Null if the therapist did not
 * know about the session, or if any of the time that they knew about is gone.
 */
function addedParts(
  session: DayAppointment,
  pieces: readonly DayAppointment[],
  changes: readonly NetChange[],
  told: readonly ToldStretch[],
): Interval[] | null {
  const same = (s: ToldStretch): boolean => s.with === session.clientId && s.service === session.service;
  const own = changes.filter(same);
  if (own.some((c) => c.what === 'gone') || !told.some((t) => same(t) && pieces.some((piece) => overlaps(t, piece))))
    return null;
  return own.flatMap((c) => intersect(c, session) ?? []);
}

const sessionsHere = ({ data: { day } }: Board, { kind, id }: CallPerson): DayAppointment[] =>
  day.appointments.filter(
    (a) =>
      a.location === day.location &&
      a.occupies &&
      a.service !== 'admin' &&
      (kind === 'client' ? a.clientId : a.therapistId) === id,
  );

function ringBy(open: readonly ToldStretch[], { clock }: Present): number | null {
  const times = open.flatMap((c) => ringAgainBy(c, clock) ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** Makes a hash that changes whenever the words for the person change. */
function versionOf(
  told: readonly ToldStretch[],
  now: readonly ToldStretch[],
  changes: readonly NetChange[],
  extra: readonly ExtraHours[],
  promised: number | null,
): string {
  const ring = promised === null ? [] : [`ring ${promised}`];
  return createHash('sha256')
    .update(JSON.stringify([told, now, changes, ...extra.map(({ id }) => id), ...ring]))
    .digest('hex')
    .slice(0, 16);
}

/** The current time for a date's calls. A past date has no calls. In a demo clinic, no date counts as past. */
export function presentOf(date: IsoDate, wall: WallPresent, cut: (date: string) => number | null): Present {
  const { date: today, minutes: clock } = wall;
  const minutes = cut(date);
  const from = isOver(date, wall, cut) ? MINUTES_A_DAY : (minutes ?? 0);
  return { today, minutes, from, clock: date === today ? clock : date < today ? MINUTES_A_DAY : null };
}
