import { sql, type RawBuilder } from 'kysely';
import { byName, fullName, nameKey, suggestName, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';
import { refusal, type Refusal } from '../platform/refusal.ts';

/** A person whom a request can name. */
export interface Person {
  readonly id: string;
  readonly displayName: string;
  readonly fullName: string;
  readonly location: Location;
  /** Whether the person belongs to the location, or is booked there on the date. */
  readonly here: boolean;
  /** Whether the person has left the clinic. */
  readonly former: boolean;
}

/** The location and date at which a name is looked up. */
export interface Place {
  readonly location: Location;
  readonly date: IsoDate;
}

/**
 * Loads all therapists or all clients whom a caller may know about, including people who have left. To look up many
 * names, call this only once and use the result for all of them.
 * @param mayKnow whether the caller may know the people of a location; people booked at `place` are always known
 */
export async function loadPeople(
  db: Db,
  kind: PersonKind,
  place: Place,
  mayKnow: (location: Location) => boolean,
): Promise<Person[]> {
  const people = await selectPeople(db, kind, place, sql`true`);
  return byName(people, (person) => person.displayName).filter(({ here, location }) => here || mayKnow(location));
}

async function selectPeople(db: Db, kind: PersonKind, place: Place, which: RawBuilder<unknown>): Promise<Person[]> {
  const { rows } = await sql<{
    id: string;
    first: string;
    last: string;
    shown: string;
    location: Location;
    here: boolean;
    former: boolean;
  }>`
    select id, first_name as first, last_name as last, display_name as shown, location,
      ${formerOf(kind)} as former,
      location = ${place.location} or id in (
        select ${sql.ref(`${kind}_id`)} from appointment
        where location = ${place.location} and starts::date = ${place.date}::date and ${sql.ref(`${kind}_id`)} is not null
      ) as here
    from ${sql.table(kind)} where ${which}
    order by id`.execute(db);
  return rows.map(({ first, last, shown, ...person }) => ({
    ...person,
    displayName: shown,
    fullName: fullName(first, last),
  }));
}

const formerOf = (kind: PersonKind): RawBuilder<boolean> =>
  kind === 'therapist' ? sql`deleted_at is not null` : sql`false`;

/**
 * Finds a person by name, regardless of letter case and of how accents are written (`nameKey`). Looks first for a
 * display name at any location, then for a full name; people at the location come first. Refuses (422) three kinds of
 * name: an unknown name, with the nearest name as a suggestion; the display name of someone who has left; and a name
 * that fits several people, with a list of them.
 */
export function personNamed(all: readonly Person[], kind: PersonKind, name: string, location: Location): Person {
  const key = nameKey(name);
  const people = all.filter((person) => !person.former);
  // Display names are unique among the people at the clinic, so a display name always finds its person.
  const shown = people.find((person) => nameKey(person.displayName) === key);
  if (shown) return shown;
  const called = people.filter((person) => nameKey(person.fullName) === key);
  const here = called.filter((person) => person.here);
  const fits = here.length > 0 ? here : called;
  const [first, second] = fits;
  if (!first) {
    const left = all.find((person) => person.former && nameKey(person.displayName) === key);
    throw left ? refusal('person-left', left.displayName) : unknownName(people, kind, name, location);
  }
  if (second) throw ambiguousName(fits, kind, name);
  return first;
}

/**
 * Finds a person by name, with the same result as `loadPeople` followed by `personNamed`. It first looks up a display
 * name by its key, because reading everyone gets slower each year.
 */
export async function findPerson(
  db: Db,
  kind: PersonKind,
  name: string,
  place: Place,
  mayKnow: (location: Location) => boolean,
): Promise<Person> {
  const shown = sql`name_key = ${nameKey(name)} and not ${formerOf(kind)}`;
  const [person] = await selectPeople(db, kind, place, shown);
  if (person && (person.here || mayKnow(person.location))) return person;
  return personNamed(await loadPeople(db, kind, place, mayKnow), kind, name, place.location);
}

function unknownName(people: readonly Person[], kind: PersonKind, name: string, location: Location): Refusal {
  const near = suggestName(
    name,
    people.filter((person) => person.here).map((person) => person.displayName),
  );
  return refusal('person-unknown', kind, name, location, near);
}

function ambiguousName(fits: readonly Person[], kind: PersonKind, name: string): Refusal {
  return refusal(
    'person-ambiguous',
    kind,
    name,
    fits.map(({ displayName, location }) => ({ name: displayName, location })),
  );
}

/** Returns the names of therapists and clients by id, including people who have left. */
export async function selectNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const asked = anyOf(new Set(ids));
  const { rows } = await sql<{ id: string; name: string }>`
    select id, display_name as name from therapist where id = ${asked}
    union all select id, display_name from client where id = ${asked}`.execute(db);
  return new Map(rows.map((row) => [row.id, row.name]));
}
