import { sql } from 'kysely';
import { RECORD_KINDS, type RecordChange, type RecordKind } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';

const MOST = 1000;
/** How many days changes are kept. */
export const KEPT_DAYS = 30;

/**
 * A place in the order of all changes: the number of their transaction, and their own. A reader gets only changes of
 * transactions below every one that still runs, so nothing that commits later can come before a place already read.
 */
export interface Place {
  readonly xid: string;
  readonly id: string;
}

export interface Changes {
  readonly changes: readonly RecordChange[];
  readonly next: string;
  readonly more: boolean;
}

/** The history that this database's places belong to. A restored database begins a new one. */
async function floorOf(db: Db): Promise<{ epoch: string; xid: string }> {
  const find = () => db.selectFrom('record_floor').select(['epoch', 'xid']).executeTakeFirst();
  const found = await find();
  if (found) return found;
  await db
    .insertInto('record_floor')
    .defaultValues()
    .onConflict((c) => c.doNothing())
    .execute();
  const made = await find();
  if (!made) throw new Error('the floor of changes was not made');
  return made;
}

/** The place before which everything is committed and can be read: from there, a program goes on with changes. */
export async function placeNow(db: Db): Promise<Place> {
  const { rows } = await sql<{ xid: string }>`
    select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1)::text as xid`.execute(db);
  return { xid: rows[0]?.xid ?? '0', id: LAST_ID };
}

/** Greater than any change's number. */
const LAST_ID = '9223372036854775807';

/**
 * Returns the changes after a position, at these locations, oldest first, with the newest version where one record
 * changed several times among them. Refuses a position that is not from here (400), or too old (410).
 */
export async function readChanges(
  db: Db,
  since: string | undefined,
  locations: readonly Location[] | null,
): Promise<Changes> {
  const floor = await floorOf(db);
  if (since === undefined) return { changes: [], next: textOf(floor.epoch, await placeNow(db)), more: false };
  const { epoch, place } = placeIn(since);
  const { rows, next, more } = await changesAfter(db, place, locations, MOST);
  // The floor is read last: what was removed meanwhile may be missing above.
  const { xid } = await floorOf(db);
  if (epoch !== floor.epoch || isBefore(place, { xid, id: LAST_ID })) throw new Refusal('changes-gone');
  return { changes: newestOf(rows), next: textOf(epoch, next), more };
}

const isBefore = (a: Place, b: Place): boolean =>
  BigInt(a.xid) < BigInt(b.xid) || (a.xid === b.xid && BigInt(a.id) < BigInt(b.id));

export interface ChangeRow {
  readonly xid: string;
  readonly id: string;
  readonly kind: RecordKind;
  readonly subject: string;
  readonly version: string;
  readonly location: Location;
  readonly date: IsoDate | null;
}

/**
 * Selects at most so many changes after a place that can no longer be overtaken, and the place from which to go on: where
 * nothing is left, as far on as is sure by now, so that the place of a quiet clinic does not grow old.
 */
export async function changesAfter(
  db: Db,
  { xid, id }: Place,
  locations: readonly Location[] | null,
  most: number,
): Promise<{ rows: ChangeRow[]; next: Place; more: boolean }> {
  const sure = await placeNow(db); // before the rows are read, so that they contain all up to it
  const { rows } = await sql<ChangeRow>`
    select xid::text, id, kind, subject, version, location, date from record_change
    where (xid, id) > (${xid}::text::xid8, ${id}::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
      and kind = ${anyOf(RECORD_KINDS)} ${locations === null ? sql`` : sql`and location = ${anyOf(locations)}`}
    order by xid, id limit ${most}`.execute(db);
  const last = rows.at(-1) ?? { xid, id };
  const more = rows.length === most;
  return { rows, next: more || isBefore(sure, last) ? { xid: last.xid, id: last.id } : sure, more };
}

/** One change for each record and location: the one with the newest version, in the order of these. */
export function newestOf(rows: readonly ChangeRow[]): RecordChange[] {
  const newest = new Map<string, RecordChange>();
  for (const { kind, subject, version, location, date } of rows) {
    const key = `${kind} ${subject} ${location}`;
    const before = newest.get(key);
    newest.delete(key);
    const change = { kind, id: subject, version: Number(version), location, date };
    newest.set(key, before && before.version > change.version ? before : change);
  }
  return [...newest.values()];
}

const textOf = (epoch: string, { xid, id }: Place): string =>
  Buffer.from(`${epoch}.${xid}.${id}`).toString('base64url');

function placeIn(text: string): { readonly epoch: string; readonly place: Place } {
  const found = /^([\da-f-]{36})\.(\d{1,19})\.(\d{1,19})$/.exec(Buffer.from(text, 'base64url').toString());
  const [, epoch = '', xid = '', id = ''] = found ?? [];
  if (!found || BigInt(xid) > LARGEST || BigInt(id) > LARGEST) throw refusal('changes-position');
  return { epoch, place: { xid, id } };
}
const LARGEST = BigInt(LAST_ID);

/**
 * Removes changes that are older than `before` (ISO 8601), with all that come before them in the order of reading, and
 * notes how far, so that nobody goes on from a place whose changes are gone.
 * @returns how many were removed
 */
export async function forgetChanges(db: Db, before: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await floorOf(trx);
    const { rows } = await sql<{ xid: string | null }>`
      select max(xid::text::numeric)::text as xid from record_change where at < ${before}::timestamptz
        and xid < pg_snapshot_xmin(pg_current_snapshot())`.execute(trx);
    const xid = rows[0]?.xid;
    if (xid == null) return 0;
    await sql`update record_floor set xid = ${xid}::text::xid8 where xid < ${xid}::text::xid8`.execute(trx);
    const { numAffectedRows } = await sql`delete from record_change where xid <= ${xid}::text::xid8`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
}
