import { contains, intersect, overlaps, subtract, type Interval } from '../interval.ts';
import { say, sayWindow } from '../words/language.ts';
import { sortMoves, type MovedStretch } from './call-kind.ts';
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
import { ringAgainBy } from './ring-again.ts';
import { replacing, unreplaced, type NetChange, type ToldStretch } from './told-day.ts';

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

/** The sentences to say to a family: only about their own child, and never why someone is away. */
export function sayToFamily(person: FamilyChanges): string[] {
  const { language, nameOf } = person;
  const { moved, other } = sortMoves(person.changes, person.told, person.now);
  const fresh = other.filter((c) => c.what === 'new');
  const gone = other.filter((c) => c.what === 'gone');
  const lost = gone.filter((was) => !fresh.some((is) => isMovedToOther(person, was, is)));
  const named = (stretch: MovedStretch): string => {
    const session = sessionOf(person, stretch);
    const isOneOfTwo = isBeside(person, [stretch], stretch) || isBeside(person, [stretch], stretch.was);
    const names = isOneOfTwo ? language.list(namesOf([stretch], nameOf)) : '';
    return names === '' ? session : say(language, 'sessionWith', { session, names });
  };
  const sentences = [
    ...moved.map((stretch): TimedSentence => ({
      at: stretch.start,
      text: say(language, 'moved', movedValues(person, stretch, named(stretch))),
    })),
    ...sameTime(fresh.filter((stretch) => stretch.with !== null && !isNamedBeside(stretch, fresh))).map(
      (group): TimedSentence => ({ at: group[0].start, text: freshForFamily(person, group, gone) }),
    ),
    ...person.open.flatMap((stretch) => openForFamily(person, stretch)),
    ...sameTime(lost.flatMap((was) => unreplaced([was], replacing(was, fresh, gone)))).map((group): TimedSentence => {
      const [stretch] = group;
      const names = isBeside(person, group, stretch) ? language.list(namesOf(group, nameOf)) : '';
      const values = { session: sessionOf(person, stretch), when: when(person, stretch), names };
      return { at: stretch.start, text: say(language, names === '' ? 'sessionOff' : 'sessionWithOff', values) };
    }),
  ];
  return dated(person, inTime(sentences));
}

/** `Bo’s session`, or its work if it is not direct therapy: `Bo’s supervision`. */
const sessionOf = ({ language, child }: FamilyChanges, { service }: ToldStretch): string =>
  say(language, `session.${service}`, { child });

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

/**
 * The sentence about therapists who start in the same time window. It also names a therapist who stays with the child
 * throughout that window.
 */
function freshForFamily(
  person: FamilyChanges,
  group: readonly [NetChange, ...NetChange[]],
  gone: readonly NetChange[],
): string {
  const { language, child, nameOf } = person;
  const [stretch] = group;
  const lost = gone.filter((c) => c.with !== null && replacing(c, [stretch], gone).length > 0);
  const was = lost.find((c) => isMovedToOther(person, c, stretch));
  const replaced = was
    ? say(language, 'replacedAt', { replaced: nameOf(was.with ?? ''), when: sayWindow(language, was) })
    : replacedBy(language, stretch, lost, (c) => nameOf(c.with ?? ''));
  const known = person.told.some((t) => overlaps(t, stretch));
  const stay = besides(person, stretch).filter((n) => contains(n, stretch) && group.every((c) => c.with !== n.with));
  const values = { child, when: when(person, stretch), names: language.list(namesOf([...group, ...stay], nameOf)) };
  const { service } = stretch;
  if (!known) return say(language, 'newSession', { ...values, session: say(language, `new.${service}`) });
  const session = sessionOf(person, stretch);
  const how = service === 'direct' ? 'isWith' : 'sessionIsWith';
  return replaced === null
    ? say(language, how, { ...values, session })
    : say(language, `${how}.instead`, { ...values, session, replaced });
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
    return both ? [{ ...both, name: person.nameOf(other.with ?? '') }] : [];
  });
  const open = subtract([stretch], others).map((window) => ({ ...window, name: null }));
  return [...alone, ...open].map(({ name, ...window }) => ({
    at: window.start,
    text: nobodyWords(person, { ...stretch, ...window }, name),
  }));
}

/** @param name the one of two therapists whom the child still has; null for nobody */
function nobodyWords(person: FamilyChanges, stretch: ToldStretch, name: string | null): string {
  const { language, child, clock } = person;
  const by = ringAgainBy(stretch, clock);
  // The child's therapist may well come: only the supervision, or another service, has no therapist.
  const whom = stretch.service === 'direct' ? child : sessionOf(person, stretch);
  const values = { whom, when: when(person, stretch), name: name ?? '', time: language.time(by ?? 0) };
  if (by === null) return say(language, name === null ? 'nobody' : 'only', values);
  return say(language, name === null ? 'nobodyRing' : 'onlyRing', values);
}
