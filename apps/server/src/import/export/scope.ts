import { sql, type RawBuilder } from 'kysely';
import type { PersonKind } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';

/** What an export holds: everything (`WHOLE`), or only what these conditions all allow. */
export interface ExportScope {
  /** Only people of these locations, their sessions there, and whoever those sessions name; null for all. */
  readonly locations: readonly string[] | null;
  /** Only sessions from this date, and until this date; both included. */
  readonly from: string | null;
  readonly until: string | null;
  /**
   * Only what was made or changed here since this instant (ISO 8601), and differs from what was last imported. So an
   * import's own rows are never listed as changes.
   */
  readonly since: string | null;
}

export const WHOLE: ExportScope = { locations: null, from: null, until: null, since: null };

/** Selects the sessions of an export. */
export function sessionsIn(scope: ExportScope, table: string): RawBuilder<boolean> {
  return sql<boolean>`(${placedSessions(scope, table)} and ${changedHere(scope, table, 'appointment')})`;
}

const placedSessions = ({ locations, from, until }: ExportScope, table: string): RawBuilder<boolean> => {
  const [place, starts] = [sql.ref(`${table}.location`), sql.ref(`${table}.starts`)];
  // NOTE: with the list of all locations, PostgreSQL uses the index on location and time.
  return sql<boolean>`(${place} = ${locations === null ? sql`any(array(select value from location))` : anyOf(locations)}
    and (${from}::date is null or ${starts} >= ${from}::date) and (${until}::date is null or ${starts} < ${until}::date + 1))`;
};

/** Selects the clients of an export: those of its locations, and those with a session in it. */
export function clientsIn(scope: ExportScope, table: string): RawBuilder<boolean> {
  return sql<boolean>`(${ofPlaces(scope, table, 'client')} and ${changedHere(scope, table, 'client')})`;
}

/**
 * Selects the therapists of an export: those of its locations, those with a session in it, and those whom a client in
 * it may not have.
 */
export function therapistsIn(scope: ExportScope, table: string): RawBuilder<boolean> {
  const id = sql.ref(`${table}.id`);
  const excluded =
    scope.locations === null
      ? sql`false`
      : sql`exists (select from client_restriction r join client rc on rc.id = r.client_id
          where r.excludes_therapist_id = ${id} and ${ofPlaces(scope, 'rc', 'client')})`;
  return sql<boolean>`((${ofPlaces(scope, table, 'therapist')} or ${excluded})
    and ${changedHere(scope, table, 'therapist')})`;
}

function ofPlaces(scope: ExportScope, table: string, kind: PersonKind): RawBuilder<boolean> {
  if (scope.locations === null) return sql<boolean>`true`;
  return sql<boolean>`(${sql.ref(`${table}.location`)} = ${anyOf(scope.locations)} or exists (
    select from appointment s where ${sql.ref(`s.${kind}_id`)} = ${sql.ref(`${table}.id`)} and ${placedSessions(scope, 's')}))`;
}

function changedHere({ since }: ExportScope, table: string, kind: PersonKind | 'appointment'): RawBuilder<boolean> {
  if (since === null) return sql<boolean>`true`;
  const [id, version] = [sql.ref(`${table}.id`), sql.ref(`${table}.version`)];
  return sql<boolean>`(${sql.ref(`${table}.updated_at`)} >= ${since}::timestamptz and not exists (
    select from import_row i where i.kind = ${sql.lit(kind)} and i.target_id = ${id}::text and i.target_version = ${version}))`;
}
