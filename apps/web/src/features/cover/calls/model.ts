import type { CallAnswer, CallLine, CallMessage, CallNo, CallsReply, Contact, ToldPerson } from '@clinic/contract';
import {
  afterWords,
  clockTime,
  compareNames,
  shortList,
  groupBy,
  listWords,
  parseTime,
  possessive,
  sayTime,
  whomToCall,
} from '@clinic/domain';

/** Pure functions for the call list's wording and for finding its current line. */

/** The possible results of a call, in the order of their keys. */
export const ANSWERS = [
  { key: '1', answer: 'told', label: 'Told' },
  { key: '2', answer: 'left-message', label: 'Left message' },
  { key: '3', answer: 'no-answer', label: 'No answer' },
  { key: '4', answer: 'said-no', label: 'Said no' },
] as const satisfies readonly { key: string; answer: CallAnswer; label: string }[];

const DONE: Readonly<Record<CallLine['answers'][number]['answer'], string>> = {
  told: 'told',
  sheet: 'on the day sheet',
  'not-told': 'not told',
  'left-message': 'left message',
  'no-answer': 'no answer',
  'said-no': 'said no',
};
export const answerWords = (answer: CallLine['answers'][number]['answer']): string => DONE[answer];

/** A result on a line: `said no, taken back`. */
export const resultWords = ({ answer, taken_back }: CallLine['answers'][number]): string =>
  `${answerWords(answer)}${taken_back ? ', taken back' : ''}`;

/** Who recorded the result of a call: `by Dana Whitfield`, or `on their own page`. */
export const byWords = ({ by, own_page }: { by: string; own_page: boolean }): string =>
  own_page ? 'on their own page' : `by ${by}`;

/** Who recorded a call's result, and the note: `Dana Whitfield`, or `on their own page: no car today`. */
export function recordedWords(answer: { by: string; own_page: boolean; note: string | null }): string {
  const who = answer.own_page ? byWords(answer) : answer.by;
  return answer.note === null ? who : `${who}: ${answer.note}`;
}

/** A promise to ring a family again by this time (HH:MM): `we ring again by 9:30 AM`. */
export const ringWords = (by: string): string => `we ring again by ${clockTime(parseTime(by) ?? 0)}`;

/** The note of a person who was told, and what we promised them: `: both parents know; we ring again by 9:30 AM`. */
export function toldNote({ note, ring_by: by }: Pick<ToldPerson, 'note' | 'ring_by'>): string {
  const parts = [note, by ? ringWords(by) : null].filter((each) => each !== null);
  return parts.length === 0 ? '' : `: ${[...new Set(parts)].join('; ')}`;
}

/** How and when a person came to know what no longer holds: `Was told at 7:12 by Dana Whitfield`. */
export function heardWords({ heard, by }: NonNullable<CallLine['again']>, time: string): string {
  switch (heard) {
    case 'told':
      return `Was told at ${time} by ${by}`;
    case 'left-message':
      return `Message left at ${time} by ${by}`;
    case 'said-no':
      return `Said no at ${time} to ${by}`;
    case 'sent':
      return `Message sent at ${time} by ${by}`;
    case 'seen':
      return `Seen at ${time} on their own page`;
  }
}

const MESSAGES = { waiting: 'not sent yet', sent: 'sent', failed: 'not delivered', dropped: 'dropped' } as const;
/** The state of a message: `sent, by email`. */
export const messageWords = ({ way, state }: CallMessage): string =>
  `${MESSAGES[state]}, by ${way === 'email' ? 'email' : 'text message'}`;

/** Whether a message is late or was not delivered. A dropped message does not count, since it was never sent. */
export const isTrouble = ({ state, fault }: CallMessage): boolean => state !== 'dropped' && fault !== null;

/** A line's identity, which stays the same when its words change. */
export const lineKey = (line: Pick<CallLine, 'kind' | 'id'>): string => `${line.kind}:${line.id}`;

export const whoWords = ({ kind, name }: Pick<CallLine, 'kind' | 'name'>): string => whomToCall(kind, name);

const KIND: Readonly<Record<CallLine['call'], string>> = { ask: 'Ask', inform: 'Tell', family: 'Family' };
export const kindWords = (line: Pick<CallLine, 'call'>): string => KIND[line.call];

/**
 * A contact in words, as shown on the person's line: `Maria López, Mother, prefers a text, speaks Spanish`. For a
 * therapist's own number, the name and the relation are left out.
 */
export function contactWords({ name, relation, preferred, language }: Contact, line: Pick<CallLine, 'name'>): string {
  const own = name === line.name || /^self$/i.test(relation);
  return [
    ...(own ? [] : [name, relation]),
    preferred === 'text' ? 'prefers a text' : '',
    language === '' ? '' : `speaks ${language}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** If more families than this share a number, they are only counted: such a number is probably a placeholder. */
const MOST_NAMED = 3;

/**
 * The other families on the list that have one of this family's numbers, such as a sibling's, so that one call can tell
 * both: `same number: Family of Ida Lee`. Null if there are none.
 */
export function sameNumberWords(line: CallLine, lines: readonly CallLine[]): string | null {
  if (line.kind !== 'client') return null;
  const numbers = new Set(line.contacts.flatMap(({ dial }) => dial ?? []));
  const others = lines.filter(
    (other) =>
      other.kind === 'client' &&
      other.id !== line.id &&
      other.contacts.some(({ dial }) => dial !== null && numbers.has(dial)),
  );
  return others.length === 0 ? null : `same number: ${shortList(others.map(whoWords), MOST_NAMED)}`;
}

/** A time in the short form used in the call list's sentences: `8:00`. */
export const firstWords = (time: string): string => sayTime(parseTime(time) ?? 0);

/** A window in the short form used in the call list's sentences: `2:00 to 3:00`. */
export const windowWords = ({ start, end }: { start: string; end: string }): string =>
  `${firstWords(start)} to ${firstWords(end)}`;

/** The page's main figure, its title and the text below it. */
export function headWords(reply: Pick<CallsReply, 'date' | 'now' | 'lines' | 'told' | 'sheet' | 'open'>): {
  count: number;
  title: string;
  text: string;
} {
  const { lines, told, sheet, open } = reply;
  const urgent = lines.filter((line) => line.urgent).length;
  const first = lines.map((line) => line.first).sort()[0];
  if (lines.length === 0) {
    if (isOver(reply))
      return {
        count: 0,
        title: 'This day is over',
        text: told.length === 0 ? 'No one was told.' : toldWords(told.length),
      };
    if (!open) return { count: 0, title: 'Nothing listed yet', text: 'No one has been told about this day.' };
    if (told.length > 0) return { count: 0, title: 'Everyone has been told', text: peopleWords(told.length) };
    const text = sheet ? 'Nothing has changed since the day sheet was sent.' : 'Nothing has changed that day.';
    return { count: 0, title: 'No one to tell', text };
  }
  const soon = urgent === 0 ? '' : ` ${urgent} within half an hour.`;
  const done = told.length === 0 ? '' : ` ${peopleWords(told.length)}`;
  return {
    count: lines.length,
    title: lines.length === 1 ? '1 person to tell' : `${lines.length} people to tell`,
    text: `The first change is at ${firstWords(first ?? '')}.${soon}${done}`,
  };
}

/** Whether the day has ended, by the clinic's clock. If so, its list is empty, even if some people were never told. */
const isOver = ({ date, now }: Pick<CallsReply, 'date' | 'now'>): boolean => date < now.slice(0, 10);

/** What a coordinator must know about a list without lines. */
export function emptyWords(reply: Pick<CallsReply, 'date' | 'now' | 'open'>): string {
  if (isOver(reply)) return 'People are told only about today and later days.';
  return reply.open
    ? 'As soon as this day changes, the people to call appear here, with what to tell them.'
    : 'New bookings and changes to whole series appear here three days before the day. If people need to know sooner, tell them yourself.';
}

const toldWords = (n: number): string => `${n} ${n === 1 ? 'person was' : 'people were'} told.`;
const peopleWords = (n: number): string => `${n} ${n === 1 ? 'person has' : 'people have'} been told.`;

/** The previous line (`step` -1) or the next one (1); the first line if the given line is gone. */
export function neighbor(lines: readonly CallLine[], key: string | null, step: 1 | -1): CallLine | undefined {
  const at = lines.findIndex((line) => lineKey(line) === key);
  if (at < 0) return lines[0];
  return lines[Math.min(lines.length - 1, Math.max(0, at + step))];
}

/**
 * The current line: the chosen line or, if the coordinator's own action took that line off the list, the line after it, or
 * the first one: who waited for a yes moves down the list with it, so that others are still to be called above.
 * If something else took the chosen line off, there is no current line, so that the next key does not apply to another
 * person.
 */
export function currentLine(
  lines: readonly CallLine[],
  chosen: string | null,
  before: readonly string[],
  own: ReadonlySet<string>,
): CallLine | undefined {
  const still = lines.find((line) => lineKey(line) === chosen);
  if (still || chosen === null) return still ?? lines[0];
  if (!own.has(chosen)) return undefined;
  const after = before.slice(before.indexOf(chosen) + 1);
  return lines.find((line) => after.includes(lineKey(line))) ?? lines[0];
}

type Session = CallLine['sessions'][number];

/**
 * A family's sessions as the family cancels them: those of two therapists at the same time are one, since the child then
 * stays at home.
 */
export const cancelableIn = (sessions: readonly Session[]): (readonly [Session, ...Session[]])[] =>
  [...groupBy(sessions, (session) => `${windowWords(session)} ${session.has_therapist}`).values()].flatMap(
    ([first, ...others]) => (first ? [[first, ...others] as const] : []),
  );

const named = (sessions: readonly Session[]): string =>
  listWords(sessions.map((each) => `${windowWords(each)}${each.with ? ` with ${each.with.name}` : ''}`));

/** Which sessions were cancelled, although the family could not be recorded as told of the rest, and why. */
export const cancelledWords = (done: readonly Session[], why: string): string =>
  `Cancelled: ${named(done)}. The rest is still to be told: ${why}`;

/** Which of several sessions were cancelled when a later one was not, and why it was not. */
export function partlyCancelledWords(done: readonly Session[], left: readonly Session[], why: string): string {
  return `Cancelled: ${named(done)}. Not cancelled: ${named(left)}. ${why}`;
}

/** One possible meaning of a no; `key` is its shortcut, if it has one. */
export interface NoChoice {
  readonly key?: string;
  readonly label: string;
  readonly act:
    | { readonly do: 'say'; readonly no: CallNo }
    | { readonly do: 'cancel'; readonly sessions: readonly Session[] }
    | { readonly do: 'keep'; readonly therapist: string };
}

/** What this person may have said no to, the most common choice first. */
export function noChoices(line: CallLine): NoChoice[] {
  return line.kind === 'therapist' ? therapistNo(line) : familyNo(line);
}

function therapistNo({ sessions }: CallLine): NoChoice[] {
  // The children of a group have one therapist and one time, so a no applies to all of them.
  const groups = [...groupBy(sessions, windowWords)];
  const one = groups.length === 1;
  const each = groups.map(([times, group]): NoChoice => {
    const names = listWords(group.map((session) => session.with?.name ?? 'the session').sort(compareNames));
    const no = { scope: 'session', sessions: group.map(({ key }) => key) } as const;
    return { label: `Only ${names} ${times}`, act: { do: 'say', no } };
  });
  const all: NoChoice = {
    key: 's',
    label: one ? 'For this session' : `For these ${groups.length} sessions`,
    act: { do: 'say', no: { scope: 'session' } },
  };
  const today: NoChoice = { key: 't', label: 'For today', act: { do: 'say', no: { scope: 'today' } } };
  return sessions.length === 0 ? [] : [all, ...(one ? [] : each), today];
}

function familyNo({ sessions }: CallLine): NoChoice[] {
  const therapists = new Map(sessions.flatMap((s) => (s.with ? [[s.with.id, s.with.name] as const] : [])));
  const first = (i: number, key: string): { key?: string } => (i === 0 ? { key } : {});
  return [
    ...cancelableIn(sessions).map((together, i): NoChoice => {
      const label = `Rather cancel ${windowWords(together[0])}`;
      return { ...first(i, 'c'), label, act: { do: 'cancel', sessions: together } };
    }),
    ...[...therapists].map(([therapist, name], i): NoChoice => {
      const no = { scope: 'but', therapist } as const;
      return { ...first(i, 'a'), label: `Anybody but ${name}`, act: { do: 'say', no } };
    }),
    ...[...therapists].map(([therapist, name], i): NoChoice => {
      return { ...first(i, 'k'), label: `Anybody but ${name}, from now on`, act: { do: 'keep', therapist } };
    }),
  ];
}

/**
 * The sessions in a line for which another therapist can be chosen: those waiting for a yes, and those without a
 * therapist.
 */
export const choosableIn = ({ call, sessions }: CallLine): Session[] =>
  call === 'ask' ? sessions : sessions.filter((session) => !session.has_therapist);

/** The suggested end of an absence: the latest end among the line's sessions. */
export const untilOf = ({ sessions }: CallLine): string =>
  sessions
    .map((s) => s.end)
    .sort()
    .at(-1) ?? '';

/** Whether this result says that the person heard something that hangs on a yes which nobody has given yet. */
export const isBeforeYes = ({ after }: Pick<CallLine, 'after'>, answer: CallAnswer): boolean =>
  after.length > 0 && (answer === 'told' || answer === 'left-message');

/** Whose yes the line waits for, if a new plan does not come first: `after Yuki says yes`. */
export const waitWords = ({ after, waits_for: plan }: Pick<CallLine, 'after' | 'waits_for'>): string | null =>
  after.length === 0 || plan.length > 0 ? null : afterWords(after.map(({ name }) => name));

/** Why the page asks before it records such a result. */
export function beforeYesWords({ after, kind, name }: Pick<CallLine, 'after' | 'kind' | 'name'>): string {
  const asked = listWords(after.map((each) => each.name));
  const has = after.length === 1 ? 'has' : 'have';
  const who = kind === 'client' ? `${possessive(name)} family` : name;
  return `${asked} ${has} not said yes yet. After a no, ${who} would have heard something wrong.`;
}

type Progressing = Pick<CallLine, 'call' | 'after' | 'waits_for' | 'answers'>;

/** Whether the line is waiting for a new plan rather than a call. */
export const needsPlan = (line: Pick<Progressing, 'waits_for' | 'answers'>): boolean =>
  line.waits_for.length > 0 || line.answers.findLast((each) => !each.taken_back)?.answer === 'said-no';

type Mark = 'told' | 'ask' | 'waits' | 'plan' | 'tell';

/** How far a day's calls are, in marks, one for each person, and in words: `1 of 13 told`, `5 to ask, 7 wait, 2 need new options`. */
export function progressOf(told: number, lines: readonly Progressing[]) {
  const markOf = (line: Progressing): Mark => {
    if (needsPlan(line)) return 'plan';
    return line.after.length > 0 ? 'waits' : line.call === 'ask' ? 'ask' : 'tell';
  };
  const marks: Mark[] = [...Array<Mark>(told).fill('told'), ...lines.map(markOf)];
  const of = (mark: Mark): number => marks.filter((each) => each === mark).length;
  const [wait, plan] = [of('waits'), of('plan')];
  const left = [
    ...(of('ask') > 0 ? [`${of('ask')} to ask`] : []),
    ...(wait > 0 ? [`${wait} ${wait === 1 ? 'waits' : 'wait'}`] : []),
    ...(plan > 0 ? [`${plan} ${plan === 1 ? 'needs' : 'need'} new options`] : []),
  ];
  return { marks, words: `${told} of ${marks.length} told`, left: left.join(', ') };
}
