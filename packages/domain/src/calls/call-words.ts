// This file is over 250 lines because it words every change that a person is told about.
import type { ExtraTime } from '../extra-hours.ts';
import { DAY_END, DAY_START } from '../grid.ts';
import { contains, intersect, minutesOf, overlaps, subtract, type Interval } from '../interval.ts';
import { groupBy } from '../lists.ts';
import { clockTime, duration, longDate, MINUTES_A_DAY, type IsoDate } from '../time.ts';
import { compareNames, listWords } from '../names.ts';
import type { Service } from '../services.ts';
import type { PersonKind } from '../people.ts';
import { adminGivenUp, calledIn, sortMoves, therapistKind, type MovedStretch } from './call-kind.ts';
import { freeTime, type CoverNeed } from './free-time.ts';
import { ringAgainBy } from './ring-again.ts';
import { replacing, unreplaced, type NetChange, type ToldStretch } from './told-day.ts';

/** A time as people say it: `2:00`, with AM or PM only outside the day's hours, where it could be misunderstood. */
export const sayTime = (minutes: number): string =>
  minutes >= DAY_START && minutes < DAY_END ? clockTime(minutes).replace(/ [AP]M$/, '') : clockTime(minutes);

/** A time inside a sentence: `from 8:30 to 11:30`. */
const sayWindow = ({ start, end }: Interval): string => `from ${sayTime(start)} to ${sayTime(end)}`;

/** A time as callers say it: `8:30 to 11:30`. */
export const plainWindow = ({ start, end }: Interval): string => `${sayTime(start)} to ${sayTime(end)}`;

/** A request to work longer: `stay late until 5:30`, `come early at 7:30`. Several times become one request. */
export function extraWords(times: readonly ExtraTime[]): string {
  const late = times.filter((time) => time.kind === 'late').map((time) => time.end);
  const early = times.filter((time) => time.kind === 'early').map((time) => time.start);
  return [
    ...(early.length === 0 ? [] : [`come early at ${sayTime(Math.min(...early))}`]),
    ...(late.length === 0 ? [] : [`stay late until ${sayTime(Math.max(...late))}`]),
  ].join(' and ');
}

/** What a session that is not direct therapy is called. */
export const WORK: Readonly<Record<Exclude<Service, 'direct'>, string>> = {
  supervision: 'supervision',
  'parent-training': 'parent training',
  admin: 'admin time',
};

/** `Kai’s`, with the apostrophe that pages and workbooks use. */
export const possessive = (name: string): string => (name.endsWith('s') ? `${name}’` : `${name}’s`);

/** With a capital at the beginning. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The name to ask for on the telephone; for a family, the child's name. */
export const whomToCall = (kind: PersonKind, name: string): string => (kind === 'client' ? `Family of ${name}` : name);

/** One person's changes, with everything that the sentences about these changes need. */
export interface PersonChanges {
  readonly date: IsoDate;
  /** The current date at the clinic; sentences about any other date name it. */
  readonly today: IsoDate;
  readonly changes: readonly NetChange[];
  readonly told: readonly ToldStretch[];
  readonly now: readonly ToldStretch[];
  /** The first name of a client or colleague, as this person knows them. */
  readonly nameOf: (id: string) => string;
  /** The location's name, if it is not the person's own location. */
  readonly site: string | null;
}

export interface TherapistChanges extends PersonChanges {
  /** The time from the therapist's first booking to the last, at any location, without what they were released from. */
  readonly atWork: readonly Interval[];
  /** Whether the client now has no session at the time of the change, with any therapist. */
  readonly isCancelled: (change: NetChange) => boolean;
  /** What the therapist could take in free time: sessions without a therapist, and those that others are asked for. */
  readonly needs: readonly CoverNeed[];
  /** The current time at the clinic, in minutes after midnight; null for a later date. */
  readonly clock: number | null;
  /** What the therapist has at other locations that day. */
  readonly elsewhere: readonly ToldStretch[];
  /** When the therapist is recorded as away. */
  readonly away: readonly Interval[];
  /** Whether a new session is the supervision of a client whom the therapist has not met. */
  readonly isUnmet: (change: NetChange) => boolean;
  /** Whether the therapist was only asked for a session that is gone, and had not said yes. */
  readonly wasAsked: (change: NetChange) => boolean;
  /** Time beyond their availability that the therapist is asked to work. */
  readonly extra?: readonly ExtraTime[];
}

export interface FamilyChanges extends PersonChanges {
  /** The child's first name. */
  readonly child: string;
  /** The times without a therapist to ask about (`openTimes`). */
  readonly open: readonly ToldStretch[];
  /**
   * The current time at the clinic, in minutes after midnight, even when plans ignore the time of day; null for a later
   * date.
   */
  readonly clock: number | null;
}

const atSite = ({ site }: PersonChanges): string => (site === null ? '' : ` at ${site}`);

/** Says in front of the sentences when they hold: `Friday, November 20, 2026: …`. */
export const sayWhen = (when: string, [first, ...more]: readonly string[]): string[] =>
  first === undefined ? [] : [`${when}: ${first}`, ...more];

const dated = ({ date, today }: PersonChanges, sentences: string[]): string[] =>
  date === today ? sentences : sayWhen(longDate(date), sentences);

/** The sentences about a person's date, without the date in front of them. */
export const undated = (date: IsoDate, [first = '', ...more]: readonly string[]): string[] => {
  const when = `${longDate(date)}: `;
  return [first.startsWith(when) ? first.slice(when.length) : first, ...more];
};

/** What a new session replaces: `instead of Mo Diaz and Ida Fox`, each with its time if any of them differs. */
function insteadOf(stretch: Interval, gone: readonly NetChange[], name: (change: NetChange) => string): string {
  const replaced = gone.flatMap((change) => {
    const both = intersect(stretch, change);
    return both ? [{ ...change, ...both }] : [];
  });
  const isWhole = replaced.every(({ start, end }) => start === stretch.start && end === stretch.end);
  const parts = sameTime(replaced).map((changes) => {
    const names = listWords(changes.map(name));
    return isWhole ? names : `${names} ${sayWindow(changes[0])}`;
  });
  return parts.length === 0 ? '' : ` instead of ${parts.join(' and ')}`;
}

/**
 * Groups sessions that one sentence can name together: those with the same service and time, such as those of a
 * group session.
 */
const sameTime = <T extends ToldStretch>(
  stretches: readonly T[],
  more: (stretch: T) => unknown = () => null,
): [T, ...T[]][] => [
  ...groupBy(stretches, (each) => JSON.stringify([each.start, each.end, each.service, more(each)])).values(),
];

/** The sentences to say to a therapist, one for each change; a change to a group session is one sentence. */
export function sayToTherapist(person: TherapistChanges): string[] {
  const { moved, other } = sortMoves(person.changes, person.told, person.now);
  const fresh = other.filter((c) => c.what === 'new');
  const gone = other.filter((c) => c.what === 'gone');
  const work = (stretch: ToldStretch): string => workWords([stretch], person);
  const at = atSite(person);
  const sentences = [
    ...moved.map((stretch): TimedSentence => {
      const asked = extraAsked(person, stretch);
      const question = asked.length === 0 ? '' : ` Can you ${extraWords(asked)}?`;
      const mayRefuse = question === '' && isAskedToMove(person, stretch);
      const moved = movedWords(stretch, work(stretch), at, mayRefuse);
      return { at: stretch.start, text: `${moved}${question}` };
    }),
    ...sameTime(fresh).map((group): TimedSentence => {
      const [stretch] = group;
      const what = `${workWords(group, person)} ${sayWindow(stretch)}${at}${insteadOf(stretch, gone, work)}`;
      const met = group.some(person.isUnmet) ? ` You have not met ${listWords(namesOf(group, person.nameOf))}.` : '';
      return { at: stretch.start, text: `${newWords(person, stretch, what)}${met}` };
    }),
    ...sameTime(unreplaced(gone, fresh), (each) => [person.isCancelled(each), person.wasAsked(each)]).map(
      (group): TimedSentence => {
        const [stretch] = group;
        if (person.wasAsked(stretch))
          return {
            at: stretch.start,
            text: `We do not need you after all for ${workWords(group, person)} ${sayWindow(stretch)}${at}.`,
          };
        const is = group.length > 1 && stretch.service === 'direct' ? 'are' : 'is';
        const became = person.isCancelled(stretch) ? 'cancelled' : 'no longer yours';
        const what = `${capital(workWords(group, person))} ${sayWindow(stretch)}${at}`;
        return { at: stretch.start, text: `${what} ${is} ${became}.` };
      },
    ),
  ];
  return dated(person, [...inTime(sentences), ...adminWords(person), ...awayWords(person), ...freedWords(person)]);
}

/**
 * Names the clients or the work of `group`: `Bo Lee and Mo Diaz`, `supervision with Bo Lee`. All its sessions have the
 * same service.
 */
function workWords(group: readonly [ToldStretch, ...ToldStretch[]], { nameOf }: PersonChanges): string {
  const [{ service }] = group;
  const names = listWords(namesOf(group, nameOf).sort(compareNames));
  if (service === 'direct') return names || 'a session';
  return names === '' ? WORK[service] : `${WORK[service]} with ${names}`;
}

interface TimedSentence {
  readonly at: number;
  readonly text: string;
}
const inTime = (sentences: readonly TimedSentence[]): string[] =>
  [...sentences].sort((a, b) => a.at - b.at).map(({ text }) => text);

function movedWords(stretch: MovedStretch, what: string, at: string, asks = false): string {
  const times = `${sayWindow(stretch)}${at} instead of ${plainWindow(stretch.was)}`;
  return asks ? `Can you take ${what} ${times}?` : `${capital(what)} is ${times}.`;
}

/** Whether the therapist may refuse the session's new time, as with any new session (`therapistKind`). */
function isAskedToMove(person: TherapistChanges, { with: client, service }: MovedStretch): boolean {
  const own = person.changes.filter((c) => c.with === client && c.service === service);
  return therapistKind(own, person.told, everywhere(person), person.atWork) === 'ask';
}

/** The extra time that the therapist is asked to work for this session. */
const extraAsked = ({ extra = [] }: TherapistChanges, stretch: Interval): ExtraTime[] =>
  extra.filter((time) => overlaps(time, stretch));

function newWords(person: TherapistChanges, stretch: NetChange, what: string): string {
  const { atWork, told } = person;
  if (stretch.service === 'admin') return `You have ${what}.`;
  const beyond = extraAsked(person, stretch);
  if (beyond.length > 0) return `Can you ${extraWords(beyond)} for ${what}?`;
  const isHere = atWork.some((time) => time.start <= stretch.start && stretch.start < time.end);
  if (calledIn(stretch, atWork)) return isHere ? `Can you take ${what}?` : `Can you come in for ${what}?`;
  if (person.isUnmet(stretch)) return `Can you take ${what}?`;
  return adminGivenUp([stretch], told, everywhere(person)).length > 0 ? `Can you take ${what}?` : `You have ${what}.`;
}

function adminWords(person: TherapistChanges): string[] {
  const taken = adminGivenUp(person.changes, person.told, everywhere(person));
  if (taken.length === 0) return [];
  return [`It takes ${duration(minutesOf(taken))} of your admin time, ${listWords(taken.map(plainWindow))}.`];
}

/** The therapist's day at every location. */
const everywhere = ({ now, elsewhere }: TherapistChanges): ToldStretch[] => [...now, ...elsewhere];

/**
 * Tells a therapist that they are recorded as away when they lose sessions. Those who said so themselves are not told of
 * these sessions.
 */
function awayWords({ changes, away, date, today }: TherapistChanges): string[] {
  const windows = away.filter((window) => changes.some((c) => c.what === 'gone' && overlaps(c, window)));
  if (windows.length === 0) return [];
  const isWhole = windows.some((window) => contains(window, { start: DAY_START, end: DAY_END }));
  const when = isWhole ? (date === today ? 'today' : 'that day') : `from ${listWords(windows.map(plainWindow))}`;
  return [`We have you down as away ${when}.`];
}

/** The sentences about freed time (`freeTime`). */
function freedWords(person: TherapistChanges): string[] {
  const changes = person.changes.filter((change) => !person.wasAsked(change));
  const free = freeTime({ ...person, changes, day: everywhere(person) });
  const near = free.filter(({ how }) => how === 'near');
  const until = Math.max(...near.map((each) => each.until));
  const releasedUntil = new Set<number>();
  return free.flatMap((each) => {
    if (each.how === 'stand-by') return [`Please stand by ${sayWindow(each)}.`];
    // One time covers all of the day for which they may be needed.
    if (each.how === 'near')
      return each === near[0] ? [`Please stay near the phone until ${sayTime(until)}; we may need you.`] : [];
    const { end: next } = each;
    if (releasedUntil.has(next)) return [];
    // Without a start, `until 4:00` would also release them from what they have, or are needed for, before.
    const needed = [...everywhere(person), ...free.filter(({ how }) => how !== 'released')];
    const isFromNow = !needed.some(({ start, end }) => start < each.start && end > (person.clock ?? 0));
    const from = isFromNow && releasedUntil.size === 0 && next < MINUTES_A_DAY ? '' : ` from ${sayTime(each.start)}`;
    releasedUntil.add(next);
    return [`You are released${from}${next === MINUTES_A_DAY ? ' on' : ` until ${sayTime(next)}`}.`];
  });
}

/** The sentences to say to a family: only about their own child, and never why someone is away. */
export function sayToFamily(person: FamilyChanges): string[] {
  const { child, nameOf } = person;
  const { moved, other } = sortMoves(person.changes, person.told, person.now);
  const fresh = other.filter((c) => c.what === 'new');
  const gone = other.filter((c) => c.what === 'gone');
  const lost = gone.filter((was) => !fresh.some((is) => isMovedToOther(person, was, is)));
  const at = atSite(person);
  const session = ({ service }: ToldStretch): string =>
    `${possessive(child)} ${service === 'direct' ? 'session' : WORK[service]}`;
  const named = (stretch: MovedStretch): string =>
    isBeside(person, [stretch], stretch) || isBeside(person, [stretch], stretch.was)
      ? `${session(stretch)}${withNames(namesOf([stretch], nameOf))}`
      : session(stretch);
  const sentences = [
    ...moved.map((stretch): TimedSentence => ({ at: stretch.start, text: movedWords(stretch, named(stretch), at) })),
    ...sameTime(fresh.filter((stretch) => stretch.with !== null && !isNamedBeside(stretch, fresh))).map(
      (group): TimedSentence => ({ at: group[0].start, text: freshForFamily(person, group, gone) }),
    ),
    ...person.open.flatMap((stretch) => openForFamily(person, stretch)),
    ...sameTime(lost.flatMap((was) => unreplaced([was], replacing(was, fresh, gone)))).map((group): TimedSentence => {
      const [stretch] = group;
      const whom = isBeside(person, group, stretch) ? withNames(namesOf(group, nameOf)) : '';
      return { at: stretch.start, text: `${session(stretch)} ${sayWindow(stretch)}${at}${whom} is cancelled.` };
    }),
  ];
  return dated(person, inTime(sentences));
}

/**
 * Whether the child has another session in the time of a window, or had one of the same service, so that a sentence
 * about the sessions of `group` must name their therapists.
 */
function isBeside({ told, now }: PersonChanges, group: readonly ToldStretch[], window: Interval): boolean {
  const isOther = (s: ToldStretch): boolean =>
    overlaps(s, window) && !group.some((own) => own.with === s.with && own.service === s.service);
  return now.some(isOther) || told.some((s) => isOther(s) && group.some((own) => own.service === s.service));
}

/**
 * Whether the sentences about the child's other, shorter times name this therapist for all of the stretch, so that it
 * needs no sentence of its own.
 */
function isNamedBeside(stretch: NetChange, fresh: readonly NetChange[]): boolean {
  const shorter = fresh.flatMap((c) => {
    const both = c.with !== stretch.with && c.service === stretch.service ? intersect(c, stretch) : null;
    const isNamed = both && (c.with === null || contains(stretch, c)) && !contains(both, stretch);
    return isNamed ? [both] : [];
  });
  return subtract([stretch], shorter).length === 0;
}

/** The names of the stretches' therapists; stretches without a therapist are left out. */
const namesOf = (stretches: readonly ToldStretch[], nameOf: PersonChanges['nameOf']): string[] =>
  stretches.flatMap((stretch) => (stretch.with === null ? [] : [nameOf(stretch.with)]));

const withNames = (names: readonly string[]): string => (names.length === 0 ? '' : ` with ${listWords(names)}`);

/**
 * The sentence about therapists who start in the same time window. It also names a therapist who stays with the child
 * throughout that window.
 */
function freshForFamily(
  person: FamilyChanges,
  group: readonly [NetChange, ...NetChange[]],
  gone: readonly NetChange[],
): string {
  const { child, nameOf } = person;
  const [stretch] = group;
  const replaced = gone.filter((c) => c.with !== null && replacing(c, [stretch], gone).length > 0);
  const was = replaced.find((c) => isMovedToOther(person, c, stretch));
  const instead = was
    ? ` instead of ${nameOf(was.with ?? '')} ${sayWindow(was)}`
    : insteadOf(stretch, replaced, (c) => nameOf(c.with ?? ''));
  const known = person.told.some((t) => overlaps(t, stretch));
  const stay = besides(person, stretch).filter((n) => contains(n, stretch) && group.every((c) => c.with !== n.with));
  const who = listWords(namesOf([...group, ...stay], nameOf));
  const when = `${sayWindow(stretch)}${atSite(person)}`;
  if (!known) {
    const what = stretch.service === 'direct' ? 'a new session' : `new ${WORK[stretch.service]}`;
    return `${child} has ${what} ${when} with ${who}.`;
  }
  return stretch.service === 'direct'
    ? `${child} is with ${who} ${when}${instead}.`
    : `${possessive(child)} ${WORK[stretch.service]} ${when} is with ${who}${instead}.`;
}

/**
 * Whether a whole session was moved to a time that overlaps its old time, and given to another therapist. If so, one
 * sentence covers both changes. In a separate sentence, the minutes outside the new time would sound like a cancelled
 * session.
 */
function isMovedToOther({ told, now }: PersonChanges, was: NetChange, is: NetChange): boolean {
  const only = (day: readonly ToldStretch[], change: NetChange): boolean => {
    const near = day.filter((s) => overlaps(s, was) || overlaps(s, is));
    return near.length === 1 && near.every((s) => s.start === change.start && s.end === change.end);
  };
  const isSession = was.with !== null && is.with !== null && was.service === is.service;
  const isMoved = overlaps(was, is) && !contains(was, is);
  return isSession && isMoved && only(told, was) && only(now, is);
}

/** The child's sessions of the same service, with a therapist, at the same time. */
const besides = ({ now }: PersonChanges, stretch: ToldStretch): ToldStretch[] =>
  now.filter((n) => n.with !== null && n.service === stretch.service && overlaps(n, stretch));

/**
 * The sentences about a session without a therapist. At times when the child still has one of two therapists, that
 * therapist is named.
 */
function openForFamily(person: FamilyChanges, stretch: ToldStretch): TimedSentence[] {
  const others = besides(person, stretch);
  const alone = others.flatMap((other) => {
    const both = intersect(other, stretch);
    return both ? [{ ...both, who: `only ${person.nameOf(other.with ?? '')}` }] : [];
  });
  const open = subtract([stretch], others).map((window) => ({ ...window, who: 'nobody' }));
  return [...alone, ...open].map(({ who, ...window }) => ({
    at: window.start,
    text: nobodyWords(person, { ...stretch, ...window }, who),
  }));
}

function nobodyWords(person: FamilyChanges, stretch: ToldStretch, who: string): string {
  const { child, clock } = person;
  const by = ringAgainBy(stretch, clock);
  const again = by === null ? '' : `, or may we ring again by ${sayTime(by)}`;
  // The child's therapist may well come: only the supervision, or another service, has no therapist.
  const what = stretch.service === 'direct' ? child : `${possessive(child)} ${WORK[stretch.service]}`;
  return `We have ${who} for ${what} ${sayWindow(stretch)}${atSite(person)}; shall we cancel it${again}?`;
}
