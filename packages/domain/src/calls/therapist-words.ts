import type { ExtraTime } from '../extra-hours.ts';
import { DAY_END, DAY_START } from '../grid.ts';
import { contains, minutesOf, overlaps, type Interval } from '../interval.ts';
import { duration, MINUTES_A_DAY } from '../time.ts';
import { compareNames } from '../names.ts';
import { say, saySpan, sayTime, sayWindow } from '../words/language.ts';
import { adminGivenUp, calledIn, sortMoves, therapistKind, type MovedStretch } from './call-kind.ts';
import {
  dated,
  inTime,
  movedValues,
  namesOf,
  replacedBy,
  sameTime,
  when,
  type PersonChanges,
  type TimedSentence,
} from './call-words.ts';
import { freeTime, type CoverNeed } from './free-time.ts';
import { unreplaced, type NetChange, type ToldStretch } from './told-day.ts';

/** A request to work longer: `stay late until 5:30`, `come early at 7:30`. Several times become one request. */
export function extraWords(times: readonly ExtraTime[]): string {
  const { early, late } = extraTimes(times);
  return [
    ...(early === null ? [] : [`come early at ${sayTime(early)}`]),
    ...(late === null ? [] : [`stay late until ${sayTime(late)}`]),
  ].join(' and ');
}

/** When the day begins and ends with these times; null if it stays. */
function extraTimes(times: readonly ExtraTime[]): { early: number | null; late: number | null } {
  const early = times.filter((time) => time.kind === 'early').map((time) => time.start);
  const late = times.filter((time) => time.kind === 'late').map((time) => time.end);
  return {
    early: early.length === 0 ? null : Math.min(...early),
    late: late.length === 0 ? null : Math.max(...late),
  };
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
  /** Whether a session is by video, so that nobody comes in for it. */
  readonly isByVideo: (change: NetChange) => boolean;
  /** Whether the therapist was only asked for a session that is gone, and had not said yes. */
  readonly wasAsked: (change: NetChange) => boolean;
  /** Time beyond their availability that the therapist is asked to work. */
  readonly extra?: readonly ExtraTime[];
}

/** The sentences to say to a therapist, one for each change; a change to a group session is one sentence. */
export function sayToTherapist(person: TherapistChanges): string[] {
  const { moved, other } = sortMoves(person.changes, person.told, person.now);
  const fresh = other.filter((c) => c.what === 'new');
  const gone = other.filter((c) => c.what === 'gone');
  const { language } = person;
  const sentences = [
    ...moved.map((stretch): TimedSentence => ({ at: stretch.start, text: movedForTherapist(person, stretch) })),
    ...sameTime(fresh).map((group): TimedSentence => {
      const text = freshForTherapist(person, group, gone);
      if (!group.some(person.isUnmet)) return { at: group[0].start, text };
      const names = language.list(namesOf(group, person.nameOf));
      return { at: group[0].start, text: `${text} ${say(language, 'notMet', { names })}` };
    }),
    ...sameTime(unreplaced(gone, fresh), (each) => [person.isCancelled(each), person.wasAsked(each)]).map(
      (group): TimedSentence => {
        const [stretch] = group;
        const values = { work: workWords(group, person), when: when(person, stretch) };
        if (person.wasAsked(stretch)) return { at: stretch.start, text: say(language, 'notNeeded', values) };
        const became = person.isCancelled(stretch) ? 'off' : 'lost';
        const number = group.length > 1 && stretch.service === 'direct' ? 'other' : 'one';
        return { at: stretch.start, text: say(language, `${became}.${number}`, values) };
      },
    ),
  ];
  return dated(person, [...inTime(sentences), ...adminWords(person), ...awayWords(person), ...freedWords(person)]);
}

/**
 * Names the clients or the work of `group`: `Bo Lee and Mo Diaz`, `supervision with Bo Lee`. All its sessions have the
 * same service.
 */
function workWords(group: readonly [ToldStretch, ...ToldStretch[]], { language, nameOf }: PersonChanges): string {
  const [{ service }] = group;
  const names = language.list(namesOf(group, nameOf).sort(compareNames));
  return names === '' ? say(language, `work.${service}`) : say(language, `workWith.${service}`, { names });
}

function movedForTherapist(person: TherapistChanges, stretch: MovedStretch): string {
  const { language } = person;
  const values = movedValues(person, stretch, workWords([stretch], person));
  const extra = extraAsked(person, stretch);
  if (!extra) return say(language, isAskedToMove(person, stretch) ? 'takeMoved' : 'moved', values);
  return `${say(language, 'moved', values)} ${say(language, EXTEND[extra.how], extra)}`;
}

const EXTEND = { early: 'canEarly', late: 'canLate', both: 'canBoth' } as const;

/** Whether the therapist may refuse the session's new time, as with any new session (`therapistKind`). */
function isAskedToMove(person: TherapistChanges, { with: client, service }: MovedStretch): boolean {
  const own = person.changes.filter((c) => c.with === client && c.service === service);
  return therapistKind(own, person.told, everywhere(person), person.atWork) === 'ask';
}

/** How a therapist is asked to work longer for this session; null if they are not. */
function extraAsked({ language, extra = [] }: TherapistChanges, stretch: Interval) {
  const { early, late } = extraTimes(extra.filter((time) => overlaps(time, stretch)));
  if (early === null && late === null) return null;
  const how = early === null ? ('late' as const) : late === null ? ('early' as const) : ('both' as const);
  return { how, early: language.time(early ?? 0), late: language.time(late ?? 0) };
}

/** Tells a therapist of new sessions that begin and end together, or asks for them. */
function freshForTherapist(
  person: TherapistChanges,
  group: readonly [NetChange, ...NetChange[]],
  gone: readonly NetChange[],
): string {
  const { language } = person;
  const [stretch] = group;
  const replaced = replacedBy(language, stretch, gone, (each) => workWords([each], person));
  const extra = stretch.service === 'admin' ? null : extraAsked(person, stretch);
  const how = extra?.how ?? newHow(person, stretch);
  const { early = '', late = '' } = extra ?? {};
  const values = { work: workWords(group, person), when: when(person, stretch), early, late };
  return replaced === null ? say(language, how, values) : say(language, `${how}.instead`, { ...values, replaced });
}

function newHow(person: TherapistChanges, stretch: NetChange): 'have' | 'take' | 'comeIn' {
  const { atWork, told } = person;
  if (stretch.service === 'admin') return 'have';
  const isHere = atWork.some((time) => time.start <= stretch.start && stretch.start < time.end);
  if (calledIn(stretch, atWork)) return isHere || person.isByVideo(stretch) ? 'take' : 'comeIn';
  if (person.isUnmet(stretch)) return 'take';
  return adminGivenUp([stretch], told, everywhere(person)).length > 0 ? 'take' : 'have';
}

function adminWords(person: TherapistChanges): string[] {
  const { language } = person;
  const taken = adminGivenUp(person.changes, person.told, everywhere(person));
  if (taken.length === 0) return [];
  const times = language.list(taken.map((each) => saySpan(language, each)));
  return [say(language, 'adminTaken', { length: duration(minutesOf(taken)), times })];
}

/** The therapist's day at every location. */
const everywhere = ({ now, elsewhere }: TherapistChanges): ToldStretch[] => [...now, ...elsewhere];

/**
 * Tells a therapist that they are recorded as away when they lose sessions. Those who said so themselves are not told of
 * these sessions.
 */
function awayWords({ language, changes, away, date, today }: TherapistChanges): string[] {
  const windows = away.filter((window) => changes.some((c) => c.what === 'gone' && overlaps(c, window)));
  if (windows.length === 0) return [];
  const isWhole = windows.some((window) => contains(window, { start: DAY_START, end: DAY_END }));
  if (isWhole) return [say(language, date === today ? 'awayToday' : 'awayThatDay')];
  return [say(language, 'awayAt', { times: language.list(windows.map((each) => saySpan(language, each))) })];
}

/** The sentences about freed time (`freeTime`). */
function freedWords(person: TherapistChanges): string[] {
  const { language } = person;
  const changes = person.changes.filter((change) => !person.wasAsked(change));
  const free = freeTime({ ...person, changes, day: everywhere(person) });
  const near = free.filter(({ how }) => how === 'near');
  const until = Math.max(...near.map((each) => each.until));
  const releasedUntil = new Set<number>();
  return free.flatMap((each) => {
    if (each.how === 'stand-by') return [say(language, 'standBy', { when: sayWindow(language, each) })];
    // One time covers all of the day for which they may be needed.
    if (each.how === 'near') return each === near[0] ? [say(language, 'near', { time: language.time(until) })] : [];
    const { end: next } = each;
    if (releasedUntil.has(next)) return [];
    // Without a start, `until 4:00` would also release them from what they have, or are needed for, before.
    const needed = [...everywhere(person), ...free.filter(({ how }) => how !== 'released')];
    const isFromNow = !needed.some(({ start, end }) => start < each.start && end > (person.clock ?? 0));
    const isAtOnce = isFromNow && releasedUntil.size === 0;
    releasedUntil.add(next);
    const times = { start: language.time(each.start), end: language.time(next) };
    if (next === MINUTES_A_DAY) return [say(language, 'releasedFrom', times)];
    return [say(language, isAtOnce ? 'releasedUntil' : 'releasedBetween', times)];
  });
}
