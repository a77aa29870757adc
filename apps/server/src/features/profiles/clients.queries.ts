import { sql } from 'kysely';
import { byName, type Gender, type IsoDate, type Location } from '@clinic/domain';
import type { ClientBody } from '@clinic/contract';
import type { Db } from '../../db/connection.ts';
import { shownAs } from '../../db/profile-names.ts';

const COLUMNS = [
  'id',
  'first_name',
  'last_name',
  'display_name',
  'location',
  'gender',
  'care_team_only',
  'rbt_or_above',
  'two_to_one',
  'version',
] as const;

/** One restriction: a gender that is required, or a therapist who is excluded. */
export interface StoredRestriction {
  readonly requires_gender: Gender | null;
  readonly excludes_therapist_id: string | null;
}

/** Clients by display name. `locations` null: all. */
export async function selectClients(db: Db, locations: readonly Location[] | null) {
  const rows = await db
    .selectFrom('client')
    .select(COLUMNS)
    .$if(locations !== null, (query) =>
      query.where('location', '=', sql<Location>`any(${[...(locations ?? [])]}::text[])`),
    )
    .orderBy('id')
    .execute();
  return byName(rows, (row) => row.display_name);
}
export type StoredClient = Awaited<ReturnType<typeof selectClients>>[number];

/**
 * One client; `lock` keeps the row as it is until the transaction ends. Not `for update`, which would also wait for
 * every booking of the client that is being written.
 */
export function selectClient(db: Db, id: string, lock = false): Promise<StoredClient | undefined> {
  return db
    .selectFrom('client')
    .select(COLUMNS)
    .where('id', '=', id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

/** Restrictions by client: genders first, then therapists by id. */
export async function selectRestrictions(db: Db, ids: readonly string[]): Promise<Map<string, StoredRestriction[]>> {
  const rows = await db
    .selectFrom('client_restriction')
    .select(['client_id', 'requires_gender', 'excludes_therapist_id'])
    .where('client_id', '=', sql<string>`any(${[...ids]}::text[])`)
    .orderBy(sql`requires_gender nulls last`)
    .orderBy('excludes_therapist_id')
    .execute();
  const restrictions = new Map<string, StoredRestriction[]>(ids.map((id) => [id, []]));
  for (const { client_id, ...restriction } of rows) restrictions.get(client_id)?.push(restriction);
  return restrictions;
}

type Fields = Pick<ClientBody, 'first_name' | 'last_name' | 'location' | 'gender'> & {
  display_name: string;
  care_team_only: boolean;
  rbt_or_above: boolean;
  two_to_one: boolean;
};

export async function insertClient(trx: Db, id: string, fields: Fields): Promise<void> {
  await trx
    .insertInto('client')
    .values({ id, ...fields, ...shownAs(fields.display_name) })
    .execute();
}

export async function updateClient(trx: Db, id: string, fields: Fields, at: string): Promise<void> {
  await trx
    .updateTable('client')
    .set({ ...fields, ...shownAs(fields.display_name), version: sql`version + 1`, updated_at: at })
    .where('id', '=', id)
    .execute();
}

/** Replaces the client's restrictions with exactly these. */
export async function replaceRestrictions(
  trx: Db,
  clientId: string,
  restrictions: readonly StoredRestriction[],
): Promise<void> {
  await trx.deleteFrom('client_restriction').where('client_id', '=', clientId).execute();
  if (restrictions.length === 0) return;
  await trx
    .insertInto('client_restriction')
    .values(restrictions.map((restriction) => ({ client_id: clientId, ...restriction })))
    .execute();
}

/** The ids among these of therapists who are with the clinic. */
export async function selectKnownTherapists(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('therapist')
    .select('id')
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Whether seat 2 of a 2:1 client is booked from a date on. */
export async function hasSecondSeats(db: Db, clientId: string, from: IsoDate): Promise<boolean> {
  const row = await db
    .selectFrom('appointment')
    .select('id')
    .where('client_id', '=', clientId)
    .where('seat', '=', 2)
    .where('occupies', '=', true)
    .where('starts', '>=', sql<string>`${from}::timestamp`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The days from `from` on which the client has sessions: the plans that a change of the client can affect. */
export async function selectTouchedDays(trx: Db, clientId: string, from: IsoDate) {
  const { rows } = await sql<{ location: Location; date: string }>`
    select distinct location, starts::date as date from appointment
    where client_id = ${clientId} and starts >= ${from}::timestamp`.execute(trx);
  return rows;
}
