import { sql } from 'kysely';
import { fullName, nameKey, uniqueName, type PersonKind } from '@clinic/domain';
import type { Db } from './connection.ts';

const PREFIX = { therapist: 'T', client: 'C' } as const;

/**
 * Lets only one transaction at a time assign ids and names to therapists, or to clients. Ids and names read after this
 * call stay valid until the transaction ends.
 */
export async function lockProfileNames(trx: Db, kind: PersonKind): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`profile-names:${kind}`}, 0))`.execute(trx);
}

/**
 * The maximum number of digits in an id that this product makes. Ids with more digits were imported and are ignored.
 */
const DIGITS = 9;
const LAST = 10 ** DIGITS - 1;

/** The number in an id like `T-0017`; null for an id in another format. */
function idNumber(kind: PersonKind, id: string): number | null {
  const number = new RegExp(`^${PREFIX[kind]}-(\\d{1,${DIGITS}})$`).exec(id)?.[1];
  return number === undefined ? null : Number(number);
}

/**
 * Returns a function that makes ids like `T-0001` or `C-0001`, each higher than all in `taken`. If the highest possible
 * id was imported, the function makes the smallest free id. It never makes the same id twice.
 */
export function idGiver(kind: PersonKind, taken: Iterable<string>): () => string {
  const numbers = new Set<number>();
  let last = 0;
  for (const id of taken) {
    const number = idNumber(kind, id);
    if (number === null) continue;
    numbers.add(number);
    last = Math.max(last, number);
  }
  return () => {
    let number = last < LAST ? last + 1 : 1;
    while (numbers.has(number)) number++;
    numbers.add(number);
    last = Math.max(last, number);
    return `${PREFIX[kind]}-${String(number).padStart(4, '0')}`;
  };
}

/**
 * Returns the next id, like `T-0001` or `C-0001`, higher than any id assigned so far. Call it under `lockProfileNames`.
 */
export async function nextProfileId(trx: Db, kind: PersonKind): Promise<string> {
  const pattern = `^${PREFIX[kind]}-[0-9]{1,${DIGITS}}$`;
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(kind)} where id ~ ${pattern}`.execute(trx);
  return idGiver(
    kind,
    rows.map((row) => row.id),
  )();
}

/** The columns that store a profile's display name: the name and its key. */
export const shownAs = (name: string): { display_name: string; name_key: string } => ({
  display_name: name,
  name_key: nameKey(name),
});

/**
 * Makes a display name that is free: first and last name, with (2), (3) … if another profile of the same type has that
 * name. Call it under `lockProfileNames`.
 * @param exceptId the profile to be named; its current name counts as free
 */
export async function freeDisplayName(
  trx: Db,
  kind: PersonKind,
  person: { first: string; last: string },
  exceptId: string | null,
): Promise<string> {
  const name = fullName(person.first, person.last);
  const { rows } = await sql<{ name_key: string }>`
    select name_key from ${sql.table(kind)}
    where starts_with(name_key, ${nameKey(name)}) and id is distinct from ${exceptId}
      ${kind === 'therapist' ? sql`and deleted_at is null` : sql``}`.execute(trx);
  return uniqueName(name, new Set(rows.map((row) => row.name_key)));
}
