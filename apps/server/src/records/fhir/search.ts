import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { FastifyRequest } from 'fastify';
import { refusal } from '../../platform/refusal.ts';
import { boundsOf, readDate, type DateRange } from './dates.ts';

const USUAL_COUNT = 50;
const MOST_COUNT = 200;
/** Parameters that change only how a result is written; all of them may be left out of account. */
const OF_RESULTS = ['_format', '_pretty'];

/** A search: the parameters that this server uses, and the page that is asked for. */
export interface Search {
  /** All values of a parameter: each must be met, by one of its alternatives. */
  readonly values: (name: string) => readonly (readonly string[])[];
  readonly dates: (name: string) => readonly (readonly DateRange[])[];
  readonly count: number;
  /** Where the page before ended; undefined for the first. */
  readonly after: string | undefined;
  /** The parameters that were used, for the links of the reply. */
  readonly used: readonly (readonly [string, string])[];
}

/**
 * Reads a search. A parameter that this server does not know is left out, or refused (400) with `Prefer:
 * handling=strict`; so is every modifier, because a search that ignores one returns too much.
 */
export function readSearch(
  { query, headers }: Pick<FastifyRequest, 'query' | 'headers'>,
  known: readonly string[],
): Search {
  const given = Object.entries(query as Record<string, string | readonly string[]>).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each] as const),
  );
  const mine = [...known, '_id', '_count', '_cursor'];
  const modified = given.find(([name]) => name.includes(':') && mine.includes(name.split(':')[0] ?? ''));
  if (modified) throw refusal('search-modifier', modified[0].slice(0, 40));
  const unknown = given.filter(([name]) => !mine.includes(name) && !OF_RESULTS.includes(name));
  if (unknown.length > 0 && /handling\s*=\s*strict/i.test([headers.prefer].flat().join()))
    throw refusal('search-unknown', unknown.map(([name]) => name.slice(0, 40)).join(', '));
  const used = given.filter(([name, value]) => mine.includes(name) && value !== '');
  const values = (name: string) => used.filter(([each]) => each === name).map(([, value]) => value.split(','));
  return {
    values,
    dates: (name) => values(name).map((each) => each.map((value) => readDate(name, value))),
    count: countIn(values('_count').at(-1)?.[0]),
    after: used.findLast(([name]) => name === '_cursor')?.[1],
    used: used.filter(([name]) => name !== '_cursor'),
  };
}

function countIn(text: string | undefined): number {
  if (text === undefined) return USUAL_COUNT;
  if (!/^\d{1,9}$/.test(text)) throw refusal('search-value', '_count', `a number up to ${MOST_COUNT}`);
  return Math.min(MOST_COUNT, Number(text));
}

/** The condition that all of these hold; true if there are none. */
export const all = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
export const any = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/**
 * The condition that a moment is in the ranges of a search.
 * @param wall the moment by the clock of its location, a timestamp
 * @param instant the same moment as a timestamptz
 */
export const inRanges = (
  ranges: readonly (readonly DateRange[])[],
  wall: RawBuilder<unknown>,
  instant: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  all(ranges.map((alternatives) => any(alternatives.map((range) => inRange(range, wall, instant)))));

function inRange(range: DateRange, wall: RawBuilder<unknown>, instant: RawBuilder<unknown>): RawBuilder<boolean> {
  if (range.wall) return within(boundsOf(range.prefix, range.wall), wall, (at) => sql`${at}::timestamp`);
  const bounds = boundsOf(range.prefix, range.instant);
  const exact = within(bounds, instant, (at) => sql`${new Date(at).toISOString()}::timestamptz`);
  if (bounds.outside) return exact;
  // No zone is further from UTC than this. Without these limits, no index could be used.
  const near = (at: number | null, by: number) => (at === null ? null : at + by);
  const rough = { from: near(bounds.from, -FURTHEST_MS), until: near(bounds.until, FURTHEST_MS) };
  return all([within(rough, wall, (at) => sql`${new Date(at).toISOString().slice(0, 19)}::timestamp`), exact]);
}

const FURTHEST_MS = 15 * 3_600_000;

function within<T>(
  { from, until, outside }: { readonly from: T | null; readonly until: T | null; readonly outside?: true },
  moment: RawBuilder<unknown>,
  value: (at: T) => RawBuilder<unknown>,
): RawBuilder<boolean> {
  const inside = all([
    ...(from === null ? [] : [sql<boolean>`${moment} >= ${value(from)}`]),
    ...(until === null ? [] : [sql<boolean>`${moment} < ${value(until)}`]),
  ]);
  return outside ? sql<boolean>`not ${inside}` : inside;
}

/** The condition that a stored moment (timestamptz) is in the ranges; a date without a zone is by UTC. */
export const updatedIn = (
  ranges: readonly (readonly DateRange[])[],
  column: RawBuilder<unknown>,
): RawBuilder<boolean> => inRanges(ranges, sql`(${column} at time zone 'UTC')`, column);

const PLAIN_ID = /^(?!x-)[A-Za-z0-9.-]{1,64}$/;

/**
 * The id of a resource for one of our ids: the same if FHIR allows it, otherwise made from its hash, since an import
 * may have brought any text.
 */
export const fhirId = (id: string): string => (PLAIN_ID.test(id) ? id : hashedId(id));

/** An id of a fixed length, by which the same row is found. */
export const hashedId = (id: string): string => `x-${createHash('sha256').update(id).digest('hex').slice(0, 40)}`;

/** The condition that a row's own id is the one of a resource. */
export const hasFhirId = (column: RawBuilder<unknown>, id: string): RawBuilder<boolean> =>
  id.startsWith('x-')
    ? sql<boolean>`'x-' || left(encode(sha256(convert_to(${column}, 'UTF8')), 'hex'), 40) = ${id}`
    : sql<boolean>`${column} = ${id}`;

/** Reads a reference of a search, such as `Practitioner/T-1`, or its whole address; the id alone if one type is meant. */
export function readReference(parameter: string, text: string, types: readonly string[]): { type: string; id: string } {
  const [id = '', type] = text.split('/').toReversed();
  const [only] = types;
  const meant = type ?? (types.length === 1 ? only : undefined);
  if (meant === undefined || !types.includes(meant) || id === '')
    throw refusal('search-value', parameter, `a reference such as ${types.map((each) => `${each}/ID`).join(' or ')}`);
  return { type: meant, id };
}
