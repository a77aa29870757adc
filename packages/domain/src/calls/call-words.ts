import { intersect, minutesOf, overlaps, subtract, type Interval } from '../interval.ts';
import { clockTime, duration, longDate, MINUTES_A_DAY, type IsoDate } from '../time.ts';
import type { Service } from '../services.ts';
import { adminGivenUp, calledIn, freedTime, sortMoves, type MovedStretch } from './call-kind.ts';
import type { NetChange, ToldStretch } from './told-day.ts';

// No one takes 7:00 to 6:59 for the wrong half of the day: clinics are open then.
const MORNING = 420;
const EVENING = 1140;

/** A time as people say it: `2:00`; with AM or PM if it could be misunderstood. */
export const sayTime = (minutes: number): string =>
  minutes >= MORNING && minutes < EVENING ? clockTime(minutes).replace(/ [AP]M$/, '') : clockTime(minutes);

/** `from 8:30 to 11:30`. */
const sayWindow = ({ start, end }: Interval): string => `from ${sayTime(start)} to ${sayTime(end)}`;

/** `8:30 to 11:30`. */
const plainWindow = ({ start, end }: Interval): string => `${sayTime(start)} to ${sayTime(end)}`;

const WORK: Readonly<Record<Exclude<Service, 'direct'>, string>> = {
  supervision: 'supervision',
  'parent-training': 'parent training',
  admin: 'admin time',
};

/** `Kai’s`, with the apostrophe that pages and workbooks use. */
const possessive = (name: string): string => (name.endsWith('s') ? `${name}’` : `${name}’s`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whom to ask for: a family is called by its child's name. */
export const whomToCall = (kind: 'therapist' | 'client', name: string): string =>
  kind === 'client' ? `Family of ${name}` : name;

/** One person's change, with everything its words may need. */
export interface Telling {
  readonly date: IsoDate;
  /** Today's date at the clinic; for any other date the words name it. */
  readonly today: IsoDate;
  readonly changes: readonly NetChange[];
  readonly told: readonly ToldStretch[];
  readonly now: readonly ToldStretch[];
  /** The other person, as this person knows them. */
  readonly nameOf: (id: string) => string;
}

export interface TherapistTelling extends Telling {
  /** From their first to their last booking, at any location; null: nothing was booked. */
  readonly bookedDay: Interval | null;
  /** Where the sessions are, if not where the therapist usually works. */
  readonly site: string | null;
  /** Whether the client no longer has a session then, with anyone. */
  readonly isCancelled: (change: NetChange) => boolean;
  /** Sessions without a therapist, for which freed staff stand by. */
  readonly uncovered: readonly Interval[];
}

export interface FamilyTelling extends Telling {
  /** The child's first name. */
  readonly child: string;
  /** Minutes after midnight; null: another date, or a day that is not cut. */
  readonly present: number | null;
}

const dated = ({ date, today }: Telling, sentences: string[]): string[] =>
  date === today || sentences.length === 0 ? sentences : [`${longDate(date)}: ${sentences[0]}`, ...sentences.slice(1)];

/** What a stretch replaces: `instead of Mo Diaz`, with the times if they differ. */
function insteadOf(stretch: Interval, gone: readonly NetChange[], name: (change: NetChange) => string): string {
  const parts = gone.flatMap((change) => {
    const both = intersect(stretch, change);
    if (!both) return [];
    const whole = both.start === stretch.start && both.end === stretch.end;
    return [whole ? name(change) : `${name(change)} ${sayWindow(both)}`];
  });
  return parts.length === 0 ? '' : ` instead of ${parts.join(' and ')}`;
}

/** What is gone and not already mentioned as replaced. */
const unreplaced = (gone: readonly NetChange[], fresh: readonly Interval[]): NetChange[] =>
  gone.flatMap((change) => subtract([change], fresh).map((left) => ({ ...change, ...left })));

/** What to say to a therapist, one sentence per stretch. */
export function sayToTherapist(telling: TherapistTelling): string[] {
  const { moved, other } = sortMoves(telling.changes, telling.told, telling.now);
  const fresh = other.filter((c) => c.what === 'new');
  const gone = other.filter((c) => c.what === 'gone');
  const work = (stretch: ToldStretch): string => {
    const name = stretch.with === null ? null : telling.nameOf(stretch.with);
    if (stretch.service === 'direct') return name ?? 'a session';
    return name === null ? WORK[stretch.service] : `${WORK[stretch.service]} with ${name}`;
  };
  const at = telling.site === null ? '' : ` at ${telling.site}`;
  const sentences = [
    ...moved.map((stretch): TimedSentence => ({ at: stretch.start, text: movedWords(stretch, work(stretch), at) })),
    ...fresh.map((stretch): TimedSentence => {
      const what = `${work(stretch)} ${sayWindow(stretch)}${at}${insteadOf(stretch, gone, work)}`;
      return { at: stretch.start, text: newWords(telling, stretch, what) };
    }),
    ...unreplaced(gone, fresh).map((stretch): TimedSentence => {
      const what = capital(`${work(stretch)} ${sayWindow(stretch)}`);
      return {
        at: stretch.start,
        text: `${what} is ${telling.isCancelled(stretch) ? 'cancelled' : 'no longer yours'}.`,
      };
    }),
  ];
  return dated(telling, [...inTime(sentences), ...adminWords(telling), ...freedWords(telling)]);
}

interface TimedSentence {
  readonly at: number;
  readonly text: string;
}
const inTime = (sentences: readonly TimedSentence[]): string[] =>
  [...sentences].sort((a, b) => a.at - b.at).map(({ text }) => text);

const movedWords = (stretch: MovedStretch, what: string, at: string): string =>
  `${capital(what)} is ${sayWindow(stretch)}${at} instead of ${plainWindow(stretch.was)}.`;

function newWords({ bookedDay, told, now }: TherapistTelling, stretch: NetChange, what: string): string {
  if (stretch.service === 'admin') return `You have ${what}.`;
  if (calledIn(stretch, bookedDay)) return `Can you come in for ${what}?`;
  return adminGivenUp([stretch], told, now).length > 0 ? `Can you take ${what}?` : `You have ${what}.`;
}

function adminWords({ changes, told, now }: TherapistTelling): string[] {
  const taken = adminGivenUp(changes, told, now);
  if (taken.length === 0) return [];
  return [`It takes ${duration(minutesOf(taken))} of your admin time, ${taken.map(plainWindow).join(' and ')}.`];
}

/**
 * Freed staff stand by while some session in that time has no therapist; otherwise they are released until the next
 * session.
 */
function freedWords({ changes, now, uncovered }: TherapistTelling): string[] {
  return freedTime(changes, now).map((free) => {
    if (uncovered.some((gap) => overlaps(gap, free))) return `Please stand by ${sayWindow(free)}.`;
    const next = Math.min(...now.filter((s) => s.start >= free.end).map((s) => s.start), MINUTES_A_DAY);
    return next === MINUTES_A_DAY
      ? `You are released from ${sayTime(free.start)} on.`
      : `You are released until ${sayTime(next)}.`;
  });
}

/** What to say to a family: only about their own child, and never why someone is away. */
export function sayToFamily(telling: FamilyTelling): string[] {
  const { child, nameOf } = telling;
  const { moved, other } = sortMoves(telling.changes, telling.told, telling.now);
  const fresh = other.filter((c) => c.what === 'new');
  const gone = other.filter((c) => c.what === 'gone');
  const session = ({ service }: ToldStretch): string =>
    `${possessive(child)} ${service === 'direct' ? 'session' : WORK[service]}`;
  const sentences = [
    ...moved.map((stretch): TimedSentence => ({ at: stretch.start, text: movedWords(stretch, session(stretch), '') })),
    ...fresh.map((stretch): TimedSentence => ({ at: stretch.start, text: freshForFamily(telling, stretch, gone) })),
    ...unreplaced(gone, fresh).map((stretch): TimedSentence => {
      const whom = stretch.with !== null && stillThere(telling, stretch) ? ` with ${nameOf(stretch.with)}` : '';
      return { at: stretch.start, text: `${session(stretch)} ${sayWindow(stretch)}${whom} is cancelled.` };
    }),
  ];
  return dated(telling, inTime(sentences));
}

/** Whether the child keeps another session in that time, so that the words must say which one is cancelled. */
const stillThere = ({ now }: Telling, stretch: Interval): boolean => now.some((s) => overlaps(s, stretch));

function freshForFamily(telling: FamilyTelling, stretch: NetChange, gone: readonly NetChange[]): string {
  const { child, nameOf } = telling;
  if (stretch.with === null) return nobodyWords(telling, stretch);
  const replaced = gone.filter((c) => c.with !== null);
  const instead = insteadOf(stretch, replaced, (c) => nameOf(c.with ?? ''));
  const known = telling.told.some((t) => overlaps(t, stretch));
  const who = nameOf(stretch.with);
  if (!known) {
    const what = stretch.service === 'direct' ? 'a new session' : `new ${WORK[stretch.service]}`;
    return `${child} has ${what} ${sayWindow(stretch)} with ${who}.`;
  }
  return stretch.service === 'direct'
    ? `${child} is with ${who} ${sayWindow(stretch)}${instead}.`
    : `${possessive(child)} ${WORK[stretch.service]} ${sayWindow(stretch)} is with ${who}${instead}.`;
}

/** How many minutes before a session without a therapist the family must know for certain. */
const CERTAIN_BEFORE = 60;

function nobodyWords({ child, present }: FamilyTelling, stretch: Interval): string {
  const by = stretch.start - CERTAIN_BEFORE;
  const again = present === null || by > present ? `, or may we ring again by ${sayTime(by)}` : '';
  return `We have nobody for ${child} ${sayWindow(stretch)}; shall we cancel it${again}?`;
}

/** A day in a few words, for *was told … → now …*. */
export function sayDay(stretches: readonly ToldStretch[], nameOf: (id: string) => string): string {
  if (stretches.length === 0) return 'nothing';
  return stretches
    .map((stretch) => {
      const name = stretch.with === null ? null : nameOf(stretch.with);
      const what =
        stretch.service === 'direct' ? (name ?? 'nobody') : [WORK[stretch.service], name ?? []].flat().join(' with ');
      return `${what} ${plainWindow(stretch)}`;
    })
    .join(', ');
}

/** The stretches of a day affected by the changes, cut to the changes, so that both sides can be compared. */
export const withinChanges = (day: readonly ToldStretch[], changes: readonly Interval[]): ToldStretch[] =>
  day.filter((stretch) => changes.some((change) => overlaps(stretch, change)));
