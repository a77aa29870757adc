import type { FhirResource, Meta } from 'fhir/r4.js';
import { sql, type RawBuilder } from 'kysely';
import type { Location } from '@clinic/domain';
import type { WallOf } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { anyOf } from '../../db/any-of.ts';
import { isoOf } from '../../platform/clock.ts';
import { refusal } from '../../platform/refusal.ts';
import type { PageOf } from './bundle.ts';
import { all, any, hasFhirId, type Search } from './search.ts';

/** What a search or a read is made for. */
export interface Asked {
  readonly db: Db;
  readonly wallOf: WallOf;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The locations whose records may be read; null for all. */
  readonly locations: readonly Location[] | null;
}

/** Records that a reply shows, for the audit trail. */
export interface ShownRecord {
  readonly kind: 'appointment' | 'therapist' | 'client' | 'location';
  readonly id: string;
  readonly location: Location;
}

export interface Found extends PageOf {
  readonly shown: readonly ShownRecord[];
}

/** A type of resource that can be read and searched. */
export interface Kind {
  readonly type: 'Appointment' | 'Schedule' | 'Slot' | 'Practitioner' | 'PractitionerRole' | 'Patient' | 'Location';
  /** The parameters of its search besides `_id`, with FHIR's types for them. */
  readonly params: Readonly<Record<string, 'date' | 'reference' | 'token'>>;
  /** Whether its versions are counted. */
  readonly versioned: boolean;
  find(asked: Asked, search: Search): Promise<Found>;
}

/** A kind whose resources are rows. */
export interface RowsKind<Row> extends Pick<Kind, 'type' | 'params' | 'versioned'> {
  /** The tables, with the aliases that the conditions use. */
  readonly from: RawBuilder<unknown>;
  readonly columns: RawBuilder<unknown>;
  /** The columns that order the rows, and the same of a row as text; together they are unique. */
  readonly order: readonly RawBuilder<unknown>[];
  readonly placeOf: (row: Row) => readonly string[];
  /** The row's own id and its location. */
  readonly id: RawBuilder<unknown>;
  readonly location: RawBuilder<unknown>;
  readonly where: (search: Search) => readonly RawBuilder<boolean>[];
  readonly present: (row: Row) => FhirResource;
  readonly shown: (row: Row) => ShownRecord;
}

/** Makes a kind whose resources are rows, returned page by page in a fixed order. */
export function rowsKind<Row>(kind: RowsKind<Row>): Kind {
  const { type, params, versioned, from, columns, order, id, location } = kind;
  return {
    type,
    params,
    versioned,
    async find({ db, locations }, search) {
      const where = all([
        ...search.values('_id').map((ids) => any(ids.map((each) => hasFhirId(id, each)))),
        ...(locations === null ? [] : [sql<boolean>`${location} = ${anyOf(locations)}`]),
        ...kind.where(search),
      ]);
      const after = search.after === undefined ? undefined : placeIn(search.after, order.length);
      const page = all([
        where,
        ...(after ? [sql<boolean>`(${sql.join(order)}) > (${sql.join(after.map((each) => sql`${each}`))})`] : []),
      ]);
      const { rows } = await sql<Row>`
        select ${columns} from ${from} where ${page} order by ${sql.join(order)} limit ${search.count + 1}`.execute(db);
      const counted = await sql<{ total: number }>`select count(*)::int as total from ${from} where ${where}`.execute(
        db,
      );
      const shown = rows.slice(0, search.count);
      const last = shown.at(-1);
      return {
        resources: shown.map(kind.present),
        total: counted.rows[0]?.total ?? 0,
        next: last && rows.length > search.count ? cursorOf(kind.placeOf(last)) : undefined,
        shown: shown.map(kind.shown),
      };
    },
  };
}

export const cursorOf = (place: readonly string[]): string => Buffer.from(JSON.stringify(place)).toString('base64url');

/** Reads where a page ended; refuses (400) what this server did not make. */
export function placeIn(cursor: string, length: number): readonly string[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(place) && place.length === length && place.every((each) => typeof each === 'string'))
      return place;
  } catch {
    // refused below
  }
  throw refusal('search-value', '_cursor', 'taken from a link of this server');
}

/** A resource's version and when it last changed. */
export const metaOf = ({ version, updated_at }: { readonly version: number; readonly updated_at: string }): Meta => ({
  versionId: String(version),
  lastUpdated: isoOf(updated_at),
});
