import { fullName, nameKey, tidyText, type PersonKind } from '@clinic/domain';
import { idGiver } from '../../db/profile-names.ts';
import { contentHash } from './hash.ts';
import {
  CHANGED_HERE,
  type ImportKind,
  type Outcome,
  type Reason,
  type RowOutcome,
  type SourceRow,
  type SourceTable,
} from '../import-types.ts';
import type { PersonRow } from '../rows/people-rows.ts';
import type { KnownRow, Link, Write } from './snapshot.ts';

interface Stored {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
  readonly location: string;
  readonly version: number;
  readonly deleted?: boolean;
}

type Named = Pick<Stored, 'firstName' | 'lastName' | 'location'>;

interface PeoplePlan<T> {
  readonly outcomes: readonly RowOutcome[];
  readonly writes: readonly (Write<T> & { readonly displayName: string })[];
  readonly links: readonly Link[];
  /** The stored id for each id in the file or in an earlier import. */
  readonly idOf: ReadonlyMap<string, string>;
}

interface PeopleInput<T> {
  readonly kind: ImportKind;
  readonly table: SourceTable | null;
  readonly read: (row: SourceRow) => PersonRow<T>;
  readonly stored: readonly Stored[];
  readonly known: ReadonlyMap<string, KnownRow>;
  /** The columns in which an empty cell clears what is stored, while a file without the column keeps it. */
  readonly clearing?: readonly string[];
  /**
   * What the user should know about a new person (`id` is null) or about a change; null if there is nothing to review.
   */
  readonly review?: (id: string | null, record: T) => string | null;
  /** Whether the profiles are therapists' or clients', which decides what new ids look like. */
  readonly profile: PersonKind;
}

const DELETED_HERE =
  'this therapist was deleted here and stays deleted; for someone who came back, give the row another id';

const keyOf = (id: string): string => id.toLowerCase();

/** Decides what to do with every row of a therapist or client export. Pure. */
export function planPeople<T extends Named>(input: PeopleInput<T>): PeoplePlan<T> {
  const { kind, table, known } = input;
  const stored = new Map(input.stored.map((s) => [s.id, s]));
  const outcomes: RowOutcome[] = [];
  const writes: (Write<T> & { displayName: string })[] = [];
  const links: Link[] = [];
  const idOf = new Map<string, string>();
  for (const [key, row] of known) idOf.set(key, row.targetId);
  const here = new Map<string, { line: number; hash: string }>();
  const names = new NameRegister(input.stored);
  const nextId = idGiver(input.profile, [
    ...input.stored.map((s) => s.id),
    ...(table?.rows ?? []).map((row) => tidyText(row.cells['id'] ?? '').toUpperCase()),
  ]);

  const unlisted = peopleNotIn(table, input);
  for (const row of table?.rows ?? []) {
    const say = (outcome: Outcome, reason: Reason | null = null, text: string | null = null): void => {
      outcomes.push({ kind, line: row.line, outcome, reason, text, original: row.original });
    };
    const read = input.read(row);
    if ('faults' in read) {
      say('refused', read.faults[0]?.reason ?? 'malformed row', read.faults.map((f) => f.text).join('; '));
      continue;
    }
    const noted = (text: string | null | undefined = null): string | null =>
      [text, ...read.notes].filter(Boolean).join('; ') || null;
    const key = keyOf(read.id);
    const plain = contentHash(read.record);
    const unsaid = (input.clearing ?? []).filter((column) => row.cells[column] === undefined);
    // So a row that lacks a column and a row with an empty cell have different hashes.
    const hash = unsaid.length === 0 ? plain : contentHash({ ...read.record, unsaid });
    const earlier = here.get(key);
    if (earlier) {
      if (earlier.hash === hash) say('merged', 'same as another', `the same as line ${earlier.line}`);
      else
        say('refused', 'duplicate id', `the id '${read.id}' is already on line ${earlier.line}, with different values`);
      continue;
    }
    here.set(key, { line: row.line, hash });
    const before = known.get(key);
    const target = stored.get(before?.targetId ?? read.id);
    if (before && target) {
      // What a row with an empty cell left is also what a row without the column leaves.
      if (before.hash === hash || before.hash === plain) say('unchanged', null, noted());
      else if (target.deleted || target.version !== before.targetVersion) {
        say('kept', 'changed here', target.deleted === true ? DELETED_HERE : CHANGED_HERE);
      } else {
        const displayName = names.give(read.record, target);
        writes.push({ key, hash, id: target.id, replaces: target.version, record: read.record, displayName });
        say('changed', null, noted(input.review?.(target.id, read.record)));
      }
      continue;
    }
    if (target && isSame(target, read.record)) {
      if (target.deleted === true) {
        idOf.set(key, target.id);
        say('kept', 'changed here', DELETED_HERE);
        continue;
      }
      links.push({ key, hash, id: target.id, version: target.version });
      idOf.set(key, target.id);
      say('kept', 'changed here', 'this person is already here and was not imported; the profile here stays');
      continue;
    }
    // If another person already has the id, this person gets the next free id, and the file's id is remembered.
    const id = target ? nextId() : read.id;
    idOf.set(key, id);
    writes.push({ key, hash, id, replaces: null, record: read.record, displayName: names.give(read.record, null) });
    const other = `the id '${read.id}' belongs to someone else here; this person gets '${id}'`;
    const review = input.review?.(null, read.record);
    const twin = unlisted.get(placedName(read.record));
    say('new', null, noted([target ? other : null, twin && nowTwo(twin), review].filter(Boolean).join('; ')));
  }
  return { outcomes, writes, links, idOf };
}

const placedName = ({ firstName, lastName, location }: Named): string =>
  JSON.stringify([nameKey(fullName(firstName, lastName)), location]);

/**
 * The stored people, by name and location, whom no row of the file is about. If a new row has the name of one of them,
 * they may be the same person with another id.
 */
function peopleNotIn<T>(table: SourceTable | null, { stored, known }: PeopleInput<T>): ReadonlyMap<string, Stored> {
  const keys = (table?.rows ?? []).map((row) => keyOf(tidyText(row.cells['id'] ?? '')));
  const listed = new Set(keys.map((key) => known.get(key)?.targetId ?? key).map(keyOf));
  const unlisted = stored.filter(({ id, deleted }) => deleted !== true && !listed.has(keyOf(id)));
  return new Map(unlisted.map((person) => [placedName(person), person]));
}

const nowTwo = ({ displayName, id }: Stored): string =>
  `${displayName} ('${id}') is here already and not in this file: if this is the same person with another id, give the row that id`;

const isSame = (a: Stored, b: Named): boolean =>
  nameKey(fullName(a.firstName, a.lastName)) === nameKey(fullName(b.firstName, b.lastName)) &&
  a.location === b.location;

/** Makes display names unique. People who already have a display name keep it. */
class NameRegister {
  readonly #taken: Set<string>;
  /** The number to try first when a name is repeated. Counting from 2 each time would take quadratic time. */
  readonly #next = new Map<string, number>();

  constructor(stored: readonly Stored[]) {
    this.#taken = new Set(stored.filter((s) => !s.deleted).map((s) => nameKey(s.displayName)));
  }

  give(person: Named, from: Stored | null): string {
    const name = fullName(person.firstName, person.lastName);
    if (from) {
      const former = nameKey(fullName(from.firstName, from.lastName));
      if (former === nameKey(name)) return from.displayName;
      this.#taken.delete(nameKey(from.displayName));
      this.#next.delete(former);
    }
    const given = this.#unique(name);
    this.#taken.add(nameKey(given));
    return given;
  }

  /** Returns the name itself, or the name with the first of (2), (3) … that is not in use. */
  #unique(name: string): string {
    const key = nameKey(name);
    if (!this.#taken.has(key)) return name;
    let n = this.#next.get(key) ?? 2;
    while (this.#taken.has(nameKey(`${name} (${n})`))) n++;
    this.#next.set(key, n + 1);
    return `${name} (${n})`;
  }
}
