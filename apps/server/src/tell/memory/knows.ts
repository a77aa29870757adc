/** What each person knows of a day, and what they may have heard: a fold over all that reached them. */
import { groupBy, type RingPromise, type ToldStretch } from '@clinic/domain';
import { millisOf } from '../../platform/clock.ts';
import type { Answer, PersonKey } from './call-day.ts';

/** A person's day as they may have heard of it, without being told by anyone. */
export interface Heard {
  readonly person: PersonKey;
  /** In a call (`left-message`, `said-no`), in a message, or on their own page, as a question that they have not answered. */
  readonly how: 'left-message' | 'said-no' | 'sent' | 'seen';
  /** The version of the line that they heard. */
  readonly version: string;
  readonly day: readonly ToldStretch[];
  /** A timestamp as PostgreSQL writes it. */
  readonly at: string;
  /** Who called, or released the message; empty for `seen`. */
  readonly by: string;
}

/** What reached a person outside calls: a message, or a day on their own page, which an older server stored without it. */
export type Reached = Omit<Heard, 'day'> & { readonly how: 'sent' | 'seen'; readonly day: Heard['day'] | null };

/** A call in which a family was told that sessions are cancelled. */
interface Cancelled {
  readonly at: string;
  readonly cancelled: readonly ToldStretch[];
}

/** What a person was told, and what reached them since. */
export interface Knows {
  /**
   * The latest answer that records what the person was told about their day; null if there is none. This answer may
   * record only that a family was told about a cancelled session.
   */
  readonly told: Answer | null;
  /** The latest answer that records that the person was told about their whole day; null if there is none. */
  readonly whole: Answer | null;
  /** The calls after the answer in `whole`, oldest first, including calls about a cancelled session. */
  readonly since: readonly Answer[];
  /**
   * What the person has heard since then and may still believe, and the cancellations that a family was told since, oldest
   * first. After a no, earlier words no longer count: a therapist does not expect what they refused, and a family heard
   * the plan again.
   */
  readonly heard: readonly (Heard | Cancelled)[];
  /** What they saw last on their own page; null for a family. */
  readonly seen: Reached | null;
}

export const KNOWS_NOTHING: Knows = { told: null, whole: null, since: [], heard: [], seen: null };

/** The promise to ring the person again that the clinic owes them; null if it owes none. */
export const owed = ({ whole }: Pick<Knows, 'whole'>): RingPromise | null => whole?.ringAgain ?? null;

/**
 * Returns what each person knows after these answers, in the order in which they were stored, and after what reached them
 * outside calls.
 */
export function knowledge(answers: readonly Answer[], outside: readonly Reached[] = []): ReadonlyMap<PersonKey, Knows> {
  const calls = groupBy(answers, ({ person }) => person);
  const others = groupBy(outside, ({ person }) => person);
  const people = [...new Set([...calls.keys(), ...others.keys()])];
  return new Map(
    people.map((person) => {
      const own = others.get(person) ?? [];
      const seen = own.findLast(({ how }) => how === 'seen') ?? null;
      const reached = own.flatMap((each) => (each.day === null ? [] : [{ ...each, day: each.day }]));
      const said = answersThatCount(calls.get(person) ?? []);
      const known = said.reduce<Knows>(after, { ...KNOWS_NOTHING, seen, heard: reached });
      if (own.length === 0) return [person, known];
      return [person, { ...known, heard: [...known.heard].sort((a, b) => millisOf(a.at) - millisOf(b.at)) }];
    }),
  );
}

/** What a person knows after one more answer. */
function after(knows: Knows, answer: Answer): Knows {
  const { since, heard } = knows;
  const { person, at, cancelled, takenBack } = answer;
  const more = [...since, answer];
  // A call leaves only what reached the person later, outside calls.
  const later = heard.filter((each) => 'how' in each && isOutside(each) && millisOf(each.at) > millisOf(at));
  switch (answer.answer) {
    case 'told':
    case 'sheet':
      return cancelled === null
        ? { ...knows, told: answer, whole: answer, since: [], heard: later }
        : { ...knows, told: answer, since: more, heard: [...heard, { at, cancelled }] };
    case 'left-message':
      return { ...knows, since: more, heard: [...heard, ...inCall(answer, 'left-message')] };
    case 'said-no': {
      // A no that was taken back changes nothing for a therapist, but the family has heard the plan.
      const isHeard = person.startsWith('client:');
      return { ...knows, since: more, heard: isHeard || !takenBack ? [...later, ...inCall(answer, 'said-no')] : heard };
    }
    default:
      return { ...knows, since: more };
  }
}

const isOutside = ({ how }: Heard): boolean => how === 'sent' || how === 'seen';

const inCall = ({ person, version, day, at, by }: Answer, how: Heard['how']): Heard[] =>
  day === null ? [] : [{ person, how, version, day, at, by }];

/**
 * The answers of one person that count, oldest first. `not-told` removes the last answer in which they were told
 * something, so that everything before it counts again, also a no.
 */
export const answersThatCount = <Said extends Pick<Answer, 'answer'>>(answers: readonly Said[]): readonly Said[] =>
  answers.reduce<readonly Said[]>((log, each) => {
    if (each.answer !== 'not-told') return [...log, each];
    const taken = log.findLast(({ answer }) => answer === 'told' || answer === 'sheet');
    return log.filter((other) => other !== taken);
  }, []);
