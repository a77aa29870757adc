import { locationLabel, nameKey, suggestName, type IsoDate, dayOfWeek, type Location } from '@clinic/domain';
import { quote } from './fields.ts';
import type { Fault, Windows } from './import-types.ts';

/** Someone whom an appointment's row may name. */
export interface Candidate {
  readonly id: string;
  readonly displayName: string;
  readonly fullName: string;
  readonly location: Location;
  /** Came with an import, this or an earlier one: an export means its own people. */
  readonly imported: boolean;
  /** Deleted here: found only where nobody else of the name is. */
  readonly former: boolean;
  /** Of therapists: when they work. */
  readonly windows: readonly Windows[];
}

export interface When {
  readonly date: IsoDate;
  readonly start: number;
  readonly end: number;
}

type Found = { id: string; decidedByTime: boolean; former: boolean } | Fault;

/** A session may begin or end so many minutes outside a window and still be meant to lie in it (off-grid times). */
const SLACK = 15;

/** Looks people up as product.md (Names) says: any case and spacing, in the location first, a name that fits two refused. */
export class PeopleIndex {
  readonly #byKey = new Map<string, Candidate[]>();
  readonly #people: readonly Candidate[];
  readonly #what: 'client' | 'therapist';

  constructor(what: 'client' | 'therapist', people: readonly Candidate[]) {
    this.#what = what;
    this.#people = people;
    for (const person of people) {
      for (const key of new Set([person.displayName, person.fullName, person.id].map(nameKey))) {
        this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), person]);
      }
    }
  }

  find(name: string, location: Location, when: When): Found {
    const everyone = this.#byKey.get(nameKey(name)) ?? [];
    const all = everyone.filter((p) => !p.former);
    const byId = all.find((p) => nameKey(p.id) === nameKey(name));
    if (byId) return { id: byId.id, decidedByTime: false, former: false };
    const tiers = [
      all.filter((p) => p.imported && p.location === location),
      all.filter((p) => p.location === location),
      all.filter((p) => p.imported),
      all,
      everyone,
    ];
    const fitting = tiers.find((tier) => tier.length > 0) ?? [];
    const [only] = fitting;
    if (!only) return this.#unknown(name, location);
    if (fitting.length === 1) return { id: only.id, decidedByTime: false, former: only.former };
    // Two of one name: who works then has the session, if the other does not.
    const present = fitting.filter((p) => works(p, when));
    const [decided] = present;
    if (decided && present.length === 1) return { id: decided.id, decidedByTime: true, former: decided.former };
    return this.#ambiguous(name, fitting);
  }

  #unknown(name: string, location: Location): Fault {
    const near = suggestName(
      name,
      this.#people.filter((p) => p.location === location && !p.former).map((p) => p.fullName),
    );
    const hint = near ? ` (did you mean ${quote(near)}?)` : '';
    const reason = this.#what === 'client' ? 'unknown client' : 'unknown therapist';
    return { reason, text: `there is no ${this.#what} named ${quote(name)}${hint}` };
  }

  #ambiguous(name: string, fitting: readonly Candidate[]): Fault {
    const both = fitting.map((p) => `${p.displayName} [${p.id}, ${locationLabel(p.location)}]`).join(' and ');
    const reason = this.#what === 'client' ? 'ambiguous client' : 'ambiguous therapist';
    return { reason, text: `the name ${quote(name)} fits ${both}: write the id in place of the name` };
  }
}

const works = (person: Candidate, { date, start, end }: When): boolean =>
  person.windows.some((w) => w.day === dayOfWeek(date) && w.start - SLACK < start && end < w.end + SLACK);
