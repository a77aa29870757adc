import { SLOT_MINUTES } from './grid.ts';
import { minutesOf, union, type Interval } from './interval.ts';
import { findClashes, type Choice, type Claim, type ClaimsByClient, type Clash, type OneChoice } from './mix.ts';
import { duration, isoDate, mondayOf, shortDate } from './time.ts';

/** The figures that decide how much a therapist may take on a date, in minutes, as of when the options were made. */
export interface MixHours {
  /** The minutes booked in the week and on the date, and the limits; null for no limit. */
  week: number;
  week_limit: number;
  day: number;
  day_limit: number | null;
  /**
   * The time that the therapist's own absent clients leave free. The therapist may take this much beyond the limits.
   */
  freed: number;
  /** The therapist's minutes of work on the date before any choice. */
  before: number;
  /** Work that the therapist has on the date, whatever is chosen. */
  rest: Interval[];
  /**
   * The therapist's booked work with clients for whom there is a choice, by client, without the time that the client is
   * away. It stays as long as nothing is chosen for the client. Servers of older releases leave it out.
   */
  booked?: Record<string, Interval[]> | undefined;
}

/** What the options of a proposal say about each date; everything that is needed to check a mix of these options. */
export interface MixFacts {
  readonly claims: Readonly<Record<string, ClaimsByClient>>;
  /** By date and therapist; a therapist without an entry has no limits. */
  readonly hours: Readonly<Record<string, Readonly<Record<string, MixHours>>>>;
}

/** The chosen options, by date and client. */
export type MixChoices = Readonly<Record<string, Choice>>;

/** The option chosen for a client on a date; undefined if there is none. */
export function chosenIn(
  choices: MixChoices,
  { date, client }: Pick<OneChoice, 'date' | 'client'>,
): string | undefined {
  const clients = choices[date] ?? {};
  return Object.hasOwn(clients, client) ? clients[client] : undefined;
}

interface FaultBase {
  readonly date: string;
  readonly therapist: string;
  /** The choices that together cause the conflict. */
  readonly choices: readonly OneChoice[];
  /** Other choices that could remove the conflict if they changed. */
  readonly others: readonly OneChoice[];
}

/** A reason why a mix cannot be submitted. */
export type MixFault =
  | (FaultBase & Pick<Clash, 'from' | 'to'> & { readonly kind: 'clash' })
  | (FaultBase & {
      readonly kind: 'hours';
      /**
       * How many minutes of other therapists' sessions the therapist would take, and how many they may take at most.
       */
      readonly takes: number;
      readonly most: number;
      /** The limit that would be exceeded, in minutes, and how many minutes the therapist would have. */
      readonly over: { readonly of: 'day' | 'week'; readonly limit: number; readonly would: number };
    })
  | (FaultBase & { readonly kind: 'unknown' });

type Held = Claim & OneChoice;

function heldOn(date: string, claims: ClaimsByClient = {}, choice: Choice = {}): Map<string, Held[]> {
  const held = new Map<string, Held[]>();
  for (const [client, option] of Object.entries(choice))
    for (const claim of claims[client]?.[option] ?? []) {
      const own = held.get(claim.therapist);
      if (own) own.push({ ...claim, date, client, option });
      else held.set(claim.therapist, [{ ...claim, date, client, option }]);
    }
  return held;
}

const takenBy = (held: readonly Held[]): number =>
  held.reduce((sum, { other, from, to }) => sum + (other ? to - from : 0), 0);

/** By how many minutes a date's choices lengthen a therapist's work; less than 0 if they shorten it. */
function lengthened({ rest, before, booked = {} }: MixHours, held: readonly Held[], choice: Choice): number {
  const stays = Object.entries(booked).flatMap(([client, work]) => (Object.hasOwn(choice, client) ? [] : work));
  const chosen = held.map(({ exact, from, to }) => exact ?? { start: from, end: to });
  return minutesOf(union([...rest, ...stays, ...chosen])) - before;
}

/**
 * How many minutes these choices on one date add to each therapist's work. Therapists whose work does not grow are left
 * out.
 */
export function addedOn(date: string, { claims, hours }: MixFacts, choice: Choice): Map<string, number> {
  const held = heldOn(date, claims[date], choice);
  return new Map(
    Object.entries(hours[date] ?? {}).flatMap(([therapist, own]) => {
      const more = lengthened(own, held.get(therapist) ?? [], choice);
      return more > 0 ? [[therapist, more]] : [];
    }),
  );
}

/** Remembers what was found out about the choices of a date. */
class Memo<T> {
  readonly #byDate = new Map<string, WeakMap<Choice, T>>();

  of(date: string, choice: Choice, make: () => T, isFresh: (known: T) => boolean = () => true): T {
    const known = this.#byDate.get(date) ?? new WeakMap<Choice, T>();
    this.#byDate.set(date, known);
    const old = known.get(choice);
    if (old !== undefined && isFresh(old)) return old;
    const made = make();
    known.set(choice, made);
    return made;
  }
}

const NO_CHOICE: Choice = {};

/** Finds the conflicts of a mix on one date. Remembers what it found out about the date's choices. */
class DayReader {
  readonly #facts: MixFacts;
  readonly #held = new Memo<Map<string, Held[]>>();
  readonly #clashes = new Memo<MixFault[]>();
  /** `week` holds the choices of the earlier dates of the week. */
  readonly #hours = new Memo<{ readonly week: readonly (Choice | undefined)[]; readonly faults: MixFault[] }>();

  constructor(facts: MixFacts) {
    this.#facts = facts;
  }

  held(date: string, choice: Choice = NO_CHOICE): Map<string, Held[]> {
    return this.#held.of(date, choice, () => heldOn(date, this.#facts.claims[date], choice));
  }

  clashes(date: string, choice: Choice = NO_CHOICE): MixFault[] {
    return this.#clashes.of(date, choice, () => clashFaults(date, this.#facts.claims[date] ?? {}, choice));
  }

  hours(date: string, choices: MixChoices): MixFault[] {
    const monday = mondayOf(isoDate(date));
    const earlier = Object.keys(choices).filter((d) => monday <= d && d < date);
    const week = earlier.map((d) => choices[d]);
    const find = () => ({ week, faults: this.#findHours(date, earlier, choices) });
    const isSame = (old: readonly unknown[]): boolean =>
      old.length === week.length && old.every((choice, i) => choice === week[i]);
    return this.#hours.of(date, choices[date] ?? NO_CHOICE, find, (known) => isSame(known.week)).faults;
  }

  #findHours(date: string, earlier: readonly string[], choices: MixChoices): MixFault[] {
    return Object.entries(this.#facts.hours[date] ?? {}).flatMap(([therapist, own]) => {
      const held = this.held(date, choices[date]).get(therapist) ?? [];
      const takes = takenBy(held);
      if (takes === 0) return [];
      const before = earlier.map((d) => ({
        own: this.#facts.hours[d]?.[therapist],
        held: this.held(d, choices[d]).get(therapist) ?? [],
        choice: choices[d] ?? NO_CHOICE,
      }));
      const added = before.reduce(
        (sum, each) => sum + (each.own ? lengthened(each.own, each.held, each.choice) : 0),
        0,
      );
      const most = mostTaken(own, added);
      if (takes <= most) return [];
      const causing = [...held.filter(({ other }) => other), ...before.flatMap((each) => each.held.filter(isChange))];
      const rest = before.flatMap((each) => each.held.filter((claim) => !isChange(claim)));
      const more = lengthened(own, held, choices[date] ?? NO_CHOICE);
      const fault = { kind: 'hours' as const, date, therapist, takes, most };
      return [{ ...fault, over: limitOf(own, added, more), choices: eachOnce(causing), others: eachOnce(rest) }];
    });
  }

  unknown(date: string, choices: MixChoices): MixFault[] {
    const isOpen = (each: OneChoice): boolean => chosenIn(choices, each) === undefined;
    const isMade = (each: OneChoice): boolean => chosenIn(choices, each) === each.option;
    return [...this.held(date, choices[date]).values()].flat().flatMap((claim) => {
      const missing = (claim.knownBy ?? []).filter((list) => !list.some((each) => isOpen(each) || isMade(each)));
      if (missing.length === 0) return [];
      const others = missing.flat().map((each) => ({ ...each, option: chosenIn(choices, each) ?? '' }));
      const { therapist } = claim;
      return [{ kind: 'unknown' as const, date, therapist, choices: eachOnce([claim]), others: eachOnce(others) }];
    });
  }
}

const isChange = (claim: Claim): boolean => claim.changed;

/**
 * The most minutes that a therapist may take, by the commit's rule: what is left of the limits, in whole quarter hours,
 * plus the time that absent clients leave free.
 */
function mostTaken({ week, week_limit, day, day_limit, freed }: MixHours, added: number): number {
  const left = Math.min(week_limit - week - added, day_limit === null ? Infinity : day_limit - day);
  return Math.max(0, Math.floor(left / SLOT_MINUTES) * SLOT_MINUTES) + freed;
}

/**
 * The limit that the therapist is closer to exceeding (the day's or the week's), and the minutes that would count
 * towards it.
 */
function limitOf({ week, week_limit, day, day_limit }: MixHours, added: number, more: number) {
  if (day_limit !== null && day_limit - day < week_limit - week - added)
    return { of: 'day' as const, limit: day_limit, would: day + more };
  return { of: 'week' as const, limit: week_limit, would: week + added + more };
}

function clashFaults(date: string, claims: ClaimsByClient, choice: Choice): MixFault[] {
  return findClashes(claims, choice).map(({ clients, options, ...clash }) => {
    const choices = clients.map((client, i) => ({ date, client, option: options[i] ?? '' }));
    return { kind: 'clash', date, ...clash, choices, others: [] };
  });
}

function eachOnce(list: readonly OneChoice[]): OneChoice[] {
  const found = new Map(
    list.map(({ date, client, option }) => [JSON.stringify([date, client]), { date, client, option }]),
  );
  return [...found.values()];
}

/** Finds the conflicts in mixes. A mix that differs from an earlier one on only one date takes little time. */
export class FaultFinder {
  readonly #reader: DayReader;

  constructor(facts: MixFacts) {
    this.#reader = new DayReader(facts);
  }

  /** The first conflict in a mix; null if there is none. */
  first(choices: MixChoices): MixFault | null {
    for (const fault of this.#each(choices)) return fault;
    return null;
  }

  /**
   * Lists every reason why a mix cannot be submitted, by date; the commit refuses the same mixes. For a client without
   * a choice (in a refresh, a client who is not pinned), only the booked hours count: the client's sessions may still
   * move, and any therapist may still be chosen for them.
   */
  all(choices: MixChoices): MixFault[] {
    return [...this.#each(choices)];
  }

  *#each(choices: MixChoices): Iterable<MixFault> {
    for (const date of Object.keys(choices).sort()) {
      yield* this.#reader.clashes(date, choices[date]);
      yield* this.#reader.hours(date, choices);
      yield* this.#reader.unknown(date, choices);
    }
  }
}

export const findFaults = (facts: MixFacts, choices: MixChoices): MixFault[] => new FaultFinder(facts).all(choices);

/** `Ana Ruiz would have 42 h that week; the limit is 40 h`. */
export function hoursFaultWords({ date, therapist, takes, most, over }: Extract<MixFault, { kind: 'hours' }>): string {
  // The rule can be broken although the resulting hours are within the limit: it counts all the time that a therapist
  // takes over, even if they give up other sessions or administrative time.
  if (over.would <= over.limit)
    return `${therapist} would take ${duration(takes)} of others’ sessions, but may take at most ${duration(most)}`;
  const [when, each] = over.of === 'day' ? [`on ${shortDate(isoDate(date))}`, ' a day'] : ['that week', ''];
  return `${therapist} would have ${duration(over.would)} ${when}; the limit is ${duration(over.limit)}${each}`;
}
