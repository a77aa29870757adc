import {
  dayOfWeek,
  editDistance,
  holdsOn,
  isEmployed,
  locationLabel,
  nameKey,
  plainName,
  pushTo,
  type Employment,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { quote, tidy } from '../rows/fields.ts';
import { withoutTitles } from '../columns/titles.ts';
import type { ColumnAnswers, Fault, Question, Windows } from '../import-types.ts';

/** A person whom an appointment row may name. */
export interface Candidate {
  readonly id: string;
  /** The ids that this import and earlier ones give the person; another person may have the same id here. */
  readonly fileIds: readonly string[];
  readonly displayName: string;
  readonly fullName: string;
  readonly location: Location;
  /**
   * Whether the person comes from this import or an earlier one. Among people at the same location, these people are
   * preferred.
   */
  readonly imported: boolean;
  /** Whether the person was deleted in the product. Such people match only if no other person has the name. */
  readonly former: boolean;
  /** A therapist's working hours, and from when until when the person is at the clinic; null if always. */
  readonly windows: readonly Windows[];
  readonly employment: Employment | null;
}

export interface When extends Interval {
  readonly date: IsoDate;
}

type Found = { id: string; decidedByTime: boolean; former: boolean } | Fault;

/** How many minutes a session may begin or end outside a window and still count as inside (off-grid times). */
const SLACK = 15;
/** If more people than this share a name, working hours are not compared: the export must use ids. */
const MOST_OF_A_NAME = 20;
/** How many characters of a name a question shows. */
const LONGEST_NAME = 120;
/** The maximum number of people that a refusal names. */
const MOST_NAMED = 3;
/**
 * How many comparisons with unknown names one import may make. There can be many: in another clinic's export, every
 * name is unknown.
 */
const MOST_COMPARED = 1_000_000;
const NEAR = 3;
/** A name has at most this many parts between commas. */
const MOST_PARTS = 4;

/**
 * Finds people by name: ignores case and spacing, prefers people at the row's location, and refuses a name that two
 * people share. A name that fits no one is also read as `Last, First`, and without its accents.
 */
export class PeopleIndex {
  readonly #byKey = new Map<string, Candidate[]>();
  readonly #byId = new Map<string, Candidate>();
  /** The people whom an id can mean: by their id here, or by their id in the files. */
  readonly #byAnyId = new Map<string, Candidate[]>();
  readonly #fittingByPlace = new Map<string, readonly Candidate[]>();
  readonly #what: 'client' | 'therapist';
  readonly #names: Suggestions;
  readonly #answers: ColumnAnswers;
  readonly #questions = new Map<string, Question>();

  constructor(what: 'client' | 'therapist', people: readonly Candidate[], answers: ColumnAnswers = new Map()) {
    this.#what = what;
    this.#answers = answers;
    this.#names = new Suggestions(people);
    for (const person of people) {
      const ids = new Set([person.id, ...person.fileIds].map(nameKey));
      if (!person.former) {
        this.#byId.set(nameKey(person.id), person);
        for (const id of ids) pushTo(this.#byAnyId, id, person);
      }
      const names = [person.displayName, person.fullName];
      for (const key of new Set([...names.map(nameKey), ...names.map(plainKey), ...ids]))
        pushTo(this.#byKey, key, person);
    }
  }

  /**
   * @param location null when the row has no location
   * @param when the session's date and time; null for a row that is not about a session
   * @param id the person's id in a column of its own; '' if there is none. It decides if the name is that person's.
   */
  find(name: string, location: Location | null, when: When | null, id = ''): Found {
    const [named, ...alike] = this.#withId(id, name);
    if (named && alike.length === 0) return { id: named.id, decidedByTime: false, former: false };
    const [byId, ...others] = this.#byAnyId.get(nameKey(name)) ?? [];
    if (byId && others.length === 0) return { id: byId.id, decidedByTime: false, former: false };
    const fitting = this.#fitting(name, location);
    const [only] = fitting;
    if (!only) return this.#asked(name, location) ?? this.#unknown(name, location);
    if (fitting.length === 1) return { id: only.id, decidedByTime: false, former: only.former };
    // If only one of the people with this name is at the clinic then, or works at that time, the session is that person's.
    const employed = when === null ? [] : fitting.filter((p) => isThere(p, when));
    const present =
      when === null || employed.length === 1 || fitting.length > MOST_OF_A_NAME
        ? employed
        : employed.filter((p) => works(p, when));
    const [decided] = present;
    if (decided && present.length === 1) return { id: decided.id, decidedByTime: true, former: decided.former };
    return this.#asked(name, location, fitting) ?? this.#ambiguous(name, fitting);
  }

  /** Whether anyone here or in the file has this name or id. */
  knows(name: string): boolean {
    return this.#fitting(name, null).length > 0;
  }

  /** One question for each name and location that the rows read so far could not resolve. */
  get questions(): readonly Question[] {
    return [...this.#questions.values()];
  }

  /**
   * Counts a row under the question about the row's name. Returns the person if that question is answered. An answer from
   * an earlier import counts only for a name that no one has: of several people, next week's row may mean another.
   */
  #asked(name: string, location: Location | null, fitting?: readonly Candidate[]): Found | null {
    if (location === null) return null; // a question offers only the people of one location
    const key = `${this.#what} ${location} ${nameKey(name)}`;
    const known = this.#questions.get(key);
    const given = this.#answers.get(key);
    const answered = fitting && given?.remembered === true ? undefined : given;
    const chosen = this.#byId.get(nameKey(answered?.answer ?? ''));
    if (known) known.rows++;
    else {
      const near = fitting ?? this.#near(name, location);
      const choices = chosen && !near.includes(chosen) ? [chosen, ...near] : near;
      this.#questions.set(key, {
        key,
        kind: this.#what,
        name: tidy(name).slice(0, LONGEST_NAME),
        location,
        rows: 1,
        answer: chosen?.id ?? null,
        remembered: chosen !== undefined && answered?.remembered === true,
        keep: fitting === undefined && answered?.remembered === false ? answered.answer : null,
        choices: choices
          .slice(0, MOST_OF_A_NAME)
          .map((person) => ({ id: person.id, name: person.displayName, location: person.location })),
      });
    }
    return chosen ? { id: chosen.id, decidedByTime: false, former: false } : null;
  }

  /** Finds the people that a misspelled name may mean. */
  #near(name: string, location: Location): readonly Candidate[] {
    const near = this.#names.nearest(firstNameFirst(withoutSuffix(this.#bare(name))), location);
    return [...new Set(near.flatMap((each) => this.#fittingAt(nameKey(each), location)))].filter((p) => !p.former);
  }

  /** Finds the people that a name may mean, in either order, with an id or credentials behind it or without. */
  #fitting(name: string, location: Location | null): readonly Candidate[] {
    const whole = this.#fittingInAnyOrder(name, location);
    if (whole.length > 0) return whole;
    const [, before = '', id = ''] = WITH_ID.exec(name) ?? [];
    const meant = this.#withId(id, before);
    return meant.length > 0 ? meant : this.#fittingLoosely(name, location);
  }

  /** Finds the people whose name this is without credentials behind it, or else without accents too. */
  #fittingLoosely(name: string, location: Location | null): readonly Candidate[] {
    const bare = this.#bare(name);
    const fitting = bare === name ? [] : this.#fittingInAnyOrder(bare, location);
    return fitting.length > 0 ? fitting : this.#fittingInAnyOrder(bare, location, plainKey);
  }

  /** The name without credentials and degrees, which only therapists have: `Ma` is a client's name. */
  #bare(name: string): string {
    return this.#what === 'therapist' ? withoutTitles(name) : name;
  }

  /** Finds the people with this id and this name. */
  #withId(id: string, name: string): readonly Candidate[] {
    const people = id === '' ? [] : (this.#byAnyId.get(nameKey(id)) ?? []);
    return people.filter((person) =>
      [this.#fittingInAnyOrder(name, person.location), this.#fittingLoosely(name, person.location)].some((fitting) =>
        fitting.includes(person),
      ),
    );
  }

  #fittingInAnyOrder(name: string, location: Location | null, keyOf = nameKey): readonly Candidate[] {
    const asWritten = this.#fittingAt(keyOf(name), location);
    return asWritten.length > 0 ? asWritten : this.#fittingInOtherOrders(name, location, keyOf);
  }

  /** Finds the people whose name this is as `Last, First`, if the last or the first name may have a comma too. */
  #fittingInOtherOrders(name: string, location: Location | null, keyOf: typeof nameKey): readonly Candidate[] {
    const parts = name.split(',');
    if (parts.length > MOST_PARTS) return [];
    const orders = parts.slice(1).map((_, i) => `${parts.slice(i + 1).join(',')} ${parts.slice(0, i + 1).join(',')}`);
    return [...new Set(orders.flatMap((order) => this.#fittingAt(keyOf(order), location)))];
  }

  /** Finds the people that a name may mean at a location; each result is computed only once. */
  #fittingAt(key: string, location: Location | null): readonly Candidate[] {
    const place = `${location ?? ''} ${key}`;
    const known = this.#fittingByPlace.get(place);
    if (known) return known;
    const everyone = this.#byKey.get(key) ?? [];
    const all = everyone.filter((p) => !p.former);
    const tiers = [
      all.filter((p) => p.imported && p.location === location),
      all.filter((p) => p.location === location),
      all.filter((p) => p.imported),
      all,
      everyone,
    ];
    const fitting = tiers.find((tier) => tier.length > 0) ?? [];
    this.#fittingByPlace.set(place, fitting);
    return fitting;
  }

  #unknown(name: string, location: Location | null): Fault {
    const wanted = firstNameFirst(withoutSuffix(this.#bare(name)));
    const [near] = location === null ? [] : this.#names.nearest(wanted, location);
    const several = SEVERAL.test(name) ? '; for several people, give each a row of its own' : '';
    const hint = near === undefined ? several : ` (did you mean ${quote(near)}?)`;
    const reason = this.#what === 'client' ? 'unknown client' : 'unknown therapist';
    return { reason, text: `there is no ${this.#what} named ${quote(name)}${hint}` };
  }

  #ambiguous(name: string, fitting: readonly Candidate[]): Fault {
    const named = fitting
      .slice(0, MOST_NAMED)
      .map((p) => `${p.displayName} [${p.id}, ${locationLabel(p.location)}]`)
      .join(' and ');
    const more = fitting.length > MOST_NAMED ? ` and ${fitting.length - MOST_NAMED} more` : '';
    const reason = this.#what === 'client' ? 'ambiguous client' : 'ambiguous therapist';
    return { reason, text: `the name ${quote(name)} fits ${named}${more}: write the id instead of the name` };
  }
}

/** Suggests known names for a misspelled name. The work is limited: beyond the limit, it suggests nothing. */
class Suggestions {
  readonly #names = new Map<Location, { name: string; plain: string }[]>();
  readonly #found = new Map<string, readonly string[]>();
  #left = MOST_COMPARED;

  constructor(people: readonly Candidate[]) {
    for (const { fullName: name, location, former } of people) {
      if (!former) pushTo(this.#names, location, { name, plain: plainName(withoutSuffix(name)) });
    }
  }

  /** Finds the names at the location that are most like `wanted`, at most 3 edits away, ignoring accents. */
  nearest(wanted: string, location: Location): readonly string[] {
    const plain = plainName(wanted);
    const key = `${location} ${plain}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const names = this.#names.get(location) ?? [];
    if (names.length > this.#left) return [];
    this.#left -= names.length;
    let best: string[] = [];
    let distance = NEAR;
    for (const each of names) {
      if (Math.abs(each.plain.length - plain.length) > distance) continue;
      const d = editDistance(plain, each.plain, NEAR);
      if (d === distance) best.push(each.name);
      else if (d < distance) [best, distance] = [[each.name], d];
    }
    this.#found.set(key, best);
    return best;
  }
}

/** What separates the names of several people in one cell. */
const SEVERAL = /[;/&\n|]| and /;

/** A name without `Jr.`, `III` and the like: files of people often have these in a column of their own. */
const withoutSuffix = (name: string): string => name.replace(/,? (?:jr|sr|ii|iii|iv)\b\.?(?=,|$)/gi, '');

/** A name with an id behind it, in brackets. */
const WITH_ID = /^([^()[\]]+?) ?[([]([^()[\]]+)[)\]] *$/;

/** The key of a name without its accents. No other key begins with its mark. */
const plainKey = (name: string): string => `\u0000${plainName(name)}`;

/** Turns `Ruiz, Ana` into the order that the product uses: `Ana Ruiz`. Other names stay as they are. */
const firstNameFirst = (name: string): string => name.replace(/^([^,]+),([^,]+)$/, '$2 $1');

const isThere = ({ employment }: Candidate, { date }: When): boolean =>
  employment === null || isEmployed(employment, date);

const works = ({ windows }: Candidate, { date, start, end }: When): boolean =>
  windows.some(
    (w) =>
      w.day === dayOfWeek(date) &&
      holdsOn({ from_date: w.from ?? null, until_date: w.until ?? null }, date) &&
      w.start - SLACK < start &&
      end < w.end + SLACK,
  );
