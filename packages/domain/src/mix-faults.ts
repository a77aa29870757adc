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

/** The mix that is checked, and what the choices of the date and of earlier ones hold of each therapist's time. */
interface Mix {
  readonly facts: MixFacts;
  readonly choices: MixChoices;
  readonly held: ReadonlyMap<string, ReadonlyMap<string, readonly Held[]>>;
}

function hoursFaults({ facts, choices, held }: Mix, date: string): MixFault[] {
  const monday = mondayOf(isoDate(date));
  const earlier = Object.keys(choices).filter((d) => monday <= d && d < date);
  const heldBy = (therapist: string, d: string): readonly Held[] => held.get(d)?.get(therapist) ?? [];
  return Object.entries(facts.hours[date] ?? {}).flatMap(([therapist, own]) => {
    const now = heldBy(therapist, date);
    const takes = takenBy(now);
    if (takes === 0) return [];
    const before = earlier.map((d) => ({
      own: facts.hours[d]?.[therapist],
      held: heldBy(therapist, d),
      choice: choices[d] ?? {},
    }));
    const added = before.reduce((sum, each) => sum + (each.own ? lengthened(each.own, each.held, each.choice) : 0), 0);
    const most = mostTaken(own, added);
    if (takes <= most) return [];
    const causing = [...now.filter(({ other }) => other), ...before.flatMap((each) => each.held.filter(isChange))];
    const rest = before.flatMap((each) => each.held.filter((claim) => !isChange(claim)));
    const more = lengthened(own, now, choices[date] ?? {});
    const fault = { kind: 'hours' as const, date, therapist, takes, most };
    return [{ ...fault, over: limitOf(own, added, more), choices: eachOnce(causing), others: eachOnce(rest) }];
  });
}

function unknownFaults({ choices, held }: Mix, date: string): MixFault[] {
  const isOpen = (each: OneChoice): boolean => chosenIn(choices, each) === undefined;
  const isMade = (each: OneChoice): boolean => chosenIn(choices, each) === each.option;
  return [...(held.get(date)?.values() ?? [])].flat().flatMap((claim) => {
    const missing = (claim.knownBy ?? []).filter((list) => !list.some((each) => isOpen(each) || isMade(each)));
    if (missing.length === 0) return [];
    const others = missing.flat().map((each) => ({ ...each, option: chosenIn(choices, each) ?? '' }));
    const { therapist } = claim;
    return [{ kind: 'unknown' as const, date, therapist, choices: eachOnce([claim]), others: eachOnce(others) }];
  });
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

function* eachFault(facts: MixFacts, choices: MixChoices): Iterable<MixFault> {
  const held = new Map<string, Map<string, Held[]>>();
  for (const date of Object.keys(choices).sort()) {
    held.set(date, heldOn(date, facts.claims[date], choices[date]));
    yield* clashFaults(date, facts.claims[date] ?? {}, choices[date] ?? {});
    yield* hoursFaults({ facts, choices, held }, date);
    yield* unknownFaults({ facts, choices, held }, date);
  }
}

/**
 * Lists every reason why a mix cannot be submitted, by date; the commit refuses the same mixes. For a client without a
 * choice (in a refresh, a client who is not pinned), only the booked hours count: the client's sessions may still move,
 * and any therapist may still be chosen for them.
 */
export const findFaults = (facts: MixFacts, choices: MixChoices): MixFault[] => [...eachFault(facts, choices)];

/** The first conflict in a mix; null if there is none. */
export function firstFault(facts: MixFacts, choices: MixChoices): MixFault | null {
  for (const fault of eachFault(facts, choices)) return fault;
  return null;
}

/** `Ana Ruiz would have 42 h that week; the limit is 40 h`. */
export function hoursFaultWords({ date, therapist, takes, most, over }: Extract<MixFault, { kind: 'hours' }>): string {
  // The rule can be broken although the resulting hours are within the limit: it counts all the time that a therapist
  // takes over, even if they give up other sessions or administrative time.
  if (over.would <= over.limit)
    return `${therapist} would take ${duration(takes)} of others’ sessions, but may take at most ${duration(most)}`;
  const [when, each] = over.of === 'day' ? [`on ${shortDate(isoDate(date))}`, ' a day'] : ['that week', ''];
  return `${therapist} would have ${duration(over.would)} ${when}; the limit is ${duration(over.limit)}${each}`;
}
