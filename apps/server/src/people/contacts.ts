import { sql } from 'kysely';
import type { Contact } from '@clinic/contract';
import { dialable, type Location, type PersonKind } from '@clinic/domain';
import { anyOf } from '../db/any-of.ts';
import type { Db } from '../db/connection.ts';

/** A contact as stored, without the number to dial. In a list, the best contact comes first. */
export type StoredContact = Omit<Contact, 'dial'>;

/**
 * Returns the contacts of these people by id, the best contact first. People at a location that the caller may not see
 * get an empty list, because the caller may not see their profiles either.
 * @param locations the locations that the caller may see; null for all
 */
export async function loadContacts(
  db: Db,
  kind: PersonKind,
  ids: readonly string[],
  locations: readonly Location[] | null,
): Promise<Map<string, Contact[]>> {
  const owner = sql.ref(`contact.${kind}_id`);
  const seen = locations === null ? sql`true` : sql`person.location = ${anyOf(locations)}`;
  const { rows } = await sql<StoredContact & { person: string }>`
    select ${owner} as person, contact.name, relation, phone, email, language, preferred
    from contact join ${sql.table(kind)} person on person.id = ${owner}
    where ${owner} = ${anyOf(ids)} and ${seen}
    order by ${owner}, rank`.execute(db);
  const contacts = new Map<string, Contact[]>(ids.map((id) => [id, []]));
  for (const { person, ...contact } of rows) contacts.get(person)?.push(withDial(contact));
  return contacts;
}

const withDial = (contact: StoredContact): Contact => ({ ...contact, dial: dialable(contact.phone) });
