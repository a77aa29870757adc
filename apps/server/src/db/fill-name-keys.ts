import type pg from 'pg';
import { emailKey, fullName, nameKey, tidyText, uniqueName, type PersonKind } from '@clinic/domain';
import { jsonArrays } from './bulk.ts';

interface Person {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly display_name: string;
  readonly former: boolean;
}

/**
 * Fills every profile's name key and rewrites every account's email address by the rules of `@clinic/domain`, because
 * PostgreSQL lowercases some letters differently. Invisible characters are removed from names. If two names differed
 * only in such characters, the older name stays and the newer one gets a (2). The tables are locked, so that no one
 * writes names in the meantime.
 */
export async function fillNameKeys(client: pg.ClientBase): Promise<void> {
  await client.query('lock table therapist, client, account in access exclusive mode');
  await fillPeople(client, 'therapist', 'deleted_at is not null');
  await fillPeople(client, 'client', 'false');
  await fillEmails(client);
}

async function fillPeople(client: pg.ClientBase, table: PersonKind, former: string): Promise<void> {
  const { rows } = await client.query<Person>(
    `select id, first_name, last_name, display_name, ${former} as former from ${table} order by created_at, id`,
  );
  const taken = new Set<string>();
  // Names that do not change come first, so that they get no number.
  const unchanged = (person: Person): boolean => person.display_name === tidyText(person.display_name);
  const ordered = [...rows.filter(unchanged), ...rows.filter((person) => !unchanged(person))];
  const filled = ordered.map((person) => {
    const first = keptAs(person.first_name, person.id);
    const last = keptAs(person.last_name, person.id);
    const shown = tidyText(person.display_name) || fullName(first, last);
    // Someone who has left keeps their name, even if another person now has the same name.
    const display = person.former ? shown : uniqueName(shown, taken);
    if (!person.former) taken.add(nameKey(display));
    return { id: person.id, first, last, display, key: nameKey(display) };
  });
  for (const people of jsonArrays(filled))
    await client.query(
      `update ${table} t set name_key = n.key, display_name = n.display, first_name = n.first, last_name = n.last
     from json_to_recordset($1::json) as n (id text, first text, last text, display text, key text) where t.id = n.id`,
      [people],
    );
}

/**
 * Returns a name without invisible characters, or `otherwise` if it had no other characters. A name that is still too
 * long for the table stays as it was.
 */
function keptAs(name: string, otherwise: string): string {
  const tidy = tidyText(name);
  return tidy === '' ? otherwise : [...tidy].length <= 80 ? tidy : name;
}

async function fillEmails(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ id: string; email: string }>(
    'select id, email from account order by created_at, id',
  );
  const taken = new Set(rows.map((row) => row.email));
  for (const { id, email } of rows) {
    const key = emailKey(email);
    // Skips an email address that another account already has, since two accounts cannot share one.
    if (key === email || key === '' || taken.has(key)) continue;
    taken.add(key);
    await client.query('update account set email = $2 where id = $1', [id, key]);
  }
}
