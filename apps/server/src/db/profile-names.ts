import { sql } from 'kysely';
import { fullName, nameKey, uniqueName } from '@clinic/domain';
import type { Db } from './connection.ts';

export type ProfileKind = 'therapist' | 'client';

const PREFIX = { therapist: 'T', client: 'C' } as const;

/**
 * Lets one transaction at a time give ids and names to profiles of a kind, until it ends: what it reads of them after
 * this stays true.
 */
export async function lockProfileNames(trx: Db, kind: ProfileKind): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`profile-names:${kind}`}, 0))`.execute(trx);
}

/** The next free id, `T-0001` or `C-0001`, above every one ever given. Under `lockProfileNames`. */
export async function nextProfileId(trx: Db, kind: ProfileKind): Promise<string> {
  const pattern = `^${PREFIX[kind]}-(\\d{1,15})$`;
  const { rows } = await sql<{ last: string | null }>`
    select max(substring(id from ${pattern})::bigint) as last from ${sql.table(kind)}`.execute(trx);
  return `${PREFIX[kind]}-${String(Number(rows[0]?.last ?? 0) + 1).padStart(4, '0')}`;
}

/**
 * The name to show: first and last, with (2), (3) … where someone else of the kind has it already. Under
 * `lockProfileNames`.
 * @param exceptId whose own name does not count
 */
export async function freeDisplayName(
  trx: Db,
  kind: ProfileKind,
  person: { first: string; last: string },
  exceptId: string | null,
): Promise<string> {
  const { rows } = await sql<{ display_name: string }>`
    select display_name from ${sql.table(kind)}
    where id is distinct from ${exceptId} ${kind === 'therapist' ? sql`and deleted_at is null` : sql``}`.execute(trx);
  return uniqueName(fullName(person.first, person.last), new Set(rows.map((row) => nameKey(row.display_name))));
}
