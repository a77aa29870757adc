import type { Role } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';

/** An account as a provisioning service sees it. Times are as PostgreSQL writes them. */
export interface ScimRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly locations: Location[] | null;
  readonly disabled_at: string | null;
  readonly user_name: string | null;
  readonly external_id: string | null;
  readonly scim_roles: string[] | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const COLUMNS = [
  'id',
  'email',
  'name',
  'role',
  'locations',
  'disabled_at',
  'user_name',
  'external_id',
  'scim_roles',
  'created_at',
  'updated_at',
] as const;

/** All accounts but those of the demo and those that the service has deleted. */
const visible = (db: Db) => db.selectFrom('account').where('demo', '=', false).where('scim_deleted_at', 'is', null);

/** By what a service looks for a person. */
export interface Wanted {
  readonly by: 'userName' | 'externalId' | 'id' | 'email';
  readonly value: string;
}

const TARGETS = {
  userName: sql<string>`lower(coalesce(user_name, email))`,
  externalId: sql<string>`external_id`,
  id: sql<string>`id::text`,
  email: sql<string>`lower(email)`,
};

export async function selectPage(
  db: Db,
  wanted: Wanted | null,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: ScimRow[] }> {
  const value = wanted && (wanted.by === 'externalId' ? wanted.value : wanted.value.toLowerCase());
  const found = wanted ? visible(db).where(TARGETS[wanted.by], '=', value ?? '') : visible(db);
  const { total } = await found.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await found.select(COLUMNS).orderBy('created_at').orderBy('id').limit(limit).offset(offset).execute();
  return { total: Number(total), rows };
}

export const selectOne = (db: Db, id: string): Promise<ScimRow | undefined> =>
  visible(db).select(COLUMNS).where('id', '=', id).executeTakeFirst();

/** An account with this email or user name that the service has deleted, and may provision again. */
export const selectDeleted = (db: Db, email: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .where('scim_deleted_at', 'is not', null)
    .executeTakeFirst();

/** Whether another account has this user name or external id. */
export async function isTaken(db: Db, id: string, by: 'userName' | 'externalId', value: string): Promise<boolean> {
  const wanted = by === 'externalId' ? value : value.toLowerCase();
  const row = await db
    .selectFrom('account')
    .select('id')
    .where(TARGETS[by], '=', wanted)
    .where('id', '<>', id)
    .executeTakeFirst();
  return row !== undefined;
}

interface ScimFields {
  readonly user_name?: string | null;
  readonly external_id?: string | null;
  readonly scim_roles?: string[];
  readonly scim_deleted_at?: string | null;
}

export async function updateScim(db: Db, id: string, fields: ScimFields, at: string): Promise<void> {
  await db
    .updateTable('account')
    .set({ ...fields, updated_at: at })
    .where('id', '=', id)
    .execute();
}
