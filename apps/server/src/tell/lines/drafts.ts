import {
  changesToTell,
  ENGLISH,
  isTelehealth,
  locationLabel,
  nameKey,
  openTimes,
  overlaps,
  ringAgainBy,
  ringDue,
  say,
  subtract,
  timeAtWork,
  withoutStretches,
  type Interval,
  type Language,
  type NetChange,
  type PersonChanges,
  type ToldStretch,
} from '@clinic/domain';
import type { Answer, PersonKey } from '../memory/call-day.ts';
import { closedWords, closureOf, type Closure } from '../../day/facts/closures.ts';
import type { DayAppointment, FreeTold } from '../../day/facts/day.ts';
import { freeTold } from '../../day/free-told.ts';
import { owed, type Knows } from '../memory/knows.ts';
import { dayToKnow, type BookedStretch, type DayOf } from '../memory/told-people.ts';
import type { AwayWindows } from '../../day/facts/uncovered.ts';
import { askingOf } from './asked.ts';
import { believed } from './heard.ts';
import { sessionsOf } from './line-sessions.ts';
import type { CallData, CallPerson, Present } from './line.ts';

/** The data that all lines of a day share. */
export interface Board {
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
}

/** A line before it is known what the others ask. */
export type Draft = NonNullable<ReturnType<typeof draftOf>>;

export function draftOf(board: Board, person: CallPerson, key: PersonKey, last: Knows) {
  const { day, present } = board.data;
  const elsewhere = elsewhereOf(board.data, person);
  const ownWord = board.own.get(person.id) ?? [];
  const nowFor = (known: readonly ToldStretch[]): ToldStretch[] => dayToKnow(board.booked.get(key) ?? [], known);
  const known = last.told?.day ?? board.opening.get(key) ?? [];
  const {
    day: believedDay,
    times,
    from,
  } = believed(known, last.heard, (day) => changesToTell(day, nowFor(day), ownWord, 0));
  const due = ringDue(owed(last), believedDay, nowFor(believedDay), present.clock);
  const told = due.length === 0 ? believedDay : withoutStretches(believedDay, due);
  const now = nowFor(told);
  const changes = changesToTell(told, now, ownWord, present.from);
  const [earliest] = changes;
  if (!earliest) return null;
  const freed = freeTold(board.data.answers.filter((each) => each.person === key));
  const days = { known, believedDay, told, now, changes, elsewhere, released: freed.released };
  const { agreed, ...asking } = askingOf(board.data, person, days);
  const byVideo = day.appointments.filter((a) => isWith(person, a) && isTelehealth(a.subject));
  const isByVideo = (change: NetChange): boolean => byVideo.some((a) => overlaps(a, change));
  const site = person.location === day.location || changes.every(isByVideo) ? null : locationLabel(day.location);
  const open = person.kind === 'client' ? openTimes(changes, now, present.from) : [];
  const nameOf = nameFor(board, person);
  const own: PersonChanges = {
    language: ENGLISH,
    date: day.date,
    today: present.today,
    changes,
    told,
    now,
    nameOf,
    site,
  };
  const promised = changes.some((c) => c.with === null && isAbout(due, c)) ? (owed(last)?.by ?? null) : null;
  const unheard = changes.filter((c) => subtract([c], [...times, ...due]).length > 0);
  const outdated = changes.some((c) => isAbout(times, c)) ? from : null;
  const before = unheard.length > 0 ? toldBefore(last, unheard) : null;
  const again = before ? aboutCall(before, unheard) : changes.filter((c) => isAbout(outdated?.wrong ?? [], c));
  const earlier = before ?? outdated;
  return {
    person: key,
    kind: person.kind,
    id: person.id,
    name: person.displayName,
    first: Math.min(...changes.map((c) => c.start)),
    here: isInBuilding(agreed, [...elsewhere, ...byVideo.filter((a) => a.occupies)], freed, present),
    outdated: outdated !== null,
    sessions: sessionsOf(
      { day, shown: board.shown },
      person,
      [...changes, ...open.map((time) => ({ ...time, what: 'new' as const }))],
      { told, now },
    ),
    ...asking,
    seen: last.seen,
    ringBy: ringBy(open, present),
    open,
    promised,
    since: before?.cancelled ? last.since.slice(last.since.indexOf(before) + 1) : last.since,
    newest: last.since.at(-1)?.id ?? '',
    changes,
    nameOf,
    isByVideo,
    now,
    own,
    elsewhere,
    firstName: person.firstName,
    // The sentences that come before those about the changes.
    opening: (language: Language): string[] => [
      ...(promised === null ? [] : [say(language, 'promised', { time: language.time(promised) })]),
      ...closuresOf(board.data, changes).map((closure) => closedWords(closure, language)),
      ...(outdated && outdated.how !== 'said-no' ? [say(language, 'outdated')] : []),
    ],
    // What they knew before, if something of it has changed since.
    earlier: earlier && { from: earlier, was: before ? known : (outdated?.day ?? []), changes: again },
  };
}

/**
 * Returns the function that gives the name by which a person knows someone. A family is told a therapist's whole name
 * if the child has the same first name.
 */
function nameFor(
  { spoken, shown }: Board,
  { kind, firstName }: CallPerson,
): (id: string, language?: Language) => string {
  return (id, language = ENGLISH) => {
    const name = kind === 'client' ? spoken.get(id) : undefined;
    const isClear = name !== undefined && nameKey(name) !== nameKey(firstName);
    return (isClear ? name : shown.get(id)) ?? say(language, 'somebody');
  };
}

/** The closures that cancelled sessions: they are told as the reason, by the name that families are to hear. */
function closuresOf({ day, closures }: CallData, changes: readonly NetChange[]): Closure[] {
  const lost = changes
    .filter(({ what }) => what === 'gone')
    .map(({ start, end }) => ({ start, end, location: day.location, date: day.date }));
  return closures.filter((each) => lost.some((change) => closureOf([each], change)));
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
function toldBefore({ whole, since }: Knows, changes: readonly NetChange[]): Answer | null {
  const off = since.findLast(({ cancelled }) => cancelled && changes.some((c) => isAbout(cancelled, c)));
  return off ?? (whole?.answer === 'told' ? whole : null);
}

const isWith = ({ kind, id }: CallPerson, a: DayAppointment): boolean =>
  (kind === 'client' ? a.clientId : a.therapistId) === id;

/** Whether a person is at work here now, or stands by, and is not in a session at another location or by video. */
function isInBuilding(
  told: readonly ToldStretch[],
  elsewhere: readonly Interval[],
  { released, standBy }: FreeTold,
  { minutes }: Present,
): boolean {
  const isNow = (window: Interval): boolean => minutes !== null && window.start <= minutes && minutes < window.end;
  return [...timeAtWork(told, released), ...standBy].some(isNow) && !elsewhere.some(isNow);
}

/** What a therapist has at other locations, which is part of their booked day; empty for a client. */
const elsewhereOf = ({ day, elsewhere }: CallData, person: CallPerson): ToldStretch[] =>
  person.kind === 'client'
    ? []
    : [...day.appointments, ...elsewhere]
        .filter((a) => a.therapistId === person.id && a.location !== day.location && a.occupies)
        .map(({ start, end, clientId, service }) => ({ start, end, with: clientId, service }));

function ringBy(open: readonly ToldStretch[], { clock }: Present): number | null {
  const times = open.flatMap((c) => ringAgainBy(c, clock) ?? []);
  return times.length === 0 ? null : Math.min(...times);
}
