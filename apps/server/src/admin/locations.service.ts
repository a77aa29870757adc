import { MOST_LOCATIONS, type AuditAction, type ManagedLocation, type Remaining } from '@clinic/contract';
import { locationToSend, nameKey, parseTime, type IsoDate, type Location } from '@clinic/domain';
import type { Act } from '../access/act.ts';
import { auditBy, type ActEntry } from '../access/audit.ts';
import type { Db } from '../db/connection.ts';
import { loadLocations } from '../db/locations.ts';
import { lockAll } from '../db/locks.ts';
import { inTransaction } from '../db/retry.ts';
import { requireVersion, versionOf } from '../platform/content-version.ts';
import { publishEvent } from '../platform/events.ts';
import { refusal } from '../platform/refusal.ts';
import type { WallClock } from '../platform/wall-clock.ts';
import { codeOf } from '../start-error.ts';
import {
  countRemaining,
  insertLocation,
  knowsZone,
  lockLocation,
  selectManaged,
  setClosedFrom,
  updateLocation,
  type LocationRow,
  type LocationValues,
} from './locations.queries.ts';

/** A location's fields as they are sent. */
export interface SentFields {
  readonly label: string;
  readonly group: string;
  readonly zone: string;
  readonly hours: readonly { readonly weekday: number; readonly start: string; readonly end: string }[];
}

export const entry = (action: AuditAction, value: Location, detail = {}): ActEntry => ({
  action,
  subjectKind: 'location',
  subjectIds: [value],
  location: value,
  detail,
});

/** The values that make up a location's version. */
export const editable = (row: LocationValues & Pick<LocationRow, 'closedFrom' | 'mergedInto'>): unknown[] => [
  row.label,
  row.group,
  row.zone,
  row.hours.map(({ weekday, start, end }) => [weekday, start, end]),
  row.closedFrom,
  row.mergedInto,
];

const present = (row: LocationRow): ManagedLocation => {
  const { value, label, group, zone, hours, closedFrom, mergedInto, therapists, clients } = row;
  return {
    ...locationToSend({ value, label, group, zone, hours, closedFrom }),
    merged_into: mergedInto,
    therapists,
    clients,
    version: versionOf(editable(row)),
  };
};

export const listLocations = async (db: Db): Promise<ManagedLocation[]> => (await selectManaged(db)).map(present);

/** Waits for other changes of the list, and returns it. */
export async function lockList(trx: Db): Promise<LocationRow[]> {
  await lockAll(trx, ['locations']);
  return selectManaged(trx);
}

/** The location with this name. Refuses (`not-found`) a name that no location has. */
export function findLocation(list: readonly LocationRow[], value: string): LocationRow {
  const found = list.find((each) => each.value === value);
  if (!found) throw refusal('location-unknown', value);
  return found;
}

/** Ends a change of the list: tells every server and page, and returns the list once this server knows it too. */
export async function changing(
  db: Db,
  act: Act,
  work: (trx: Db, list: readonly LocationRow[]) => Promise<readonly ActEntry[]>,
): Promise<ManagedLocation[]> {
  await inTransaction(db, async (trx) => {
    const entries = await work(trx, await lockList(trx));
    if (entries.length > 0) await publishEvent(trx, { kind: 'locations', dates: [], by: act.caller.id });
    await auditBy(trx, act, ...entries);
  });
  await loadLocations(db);
  return listLocations(db);
}

/** Adds a location and returns the list. Its name in the API is its name in lower case, and never changes. */
export const addLocation = (db: Db, act: Act, sent: SentFields): Promise<ManagedLocation[]> =>
  changing(db, act, async (trx, list) => {
    const values = await checked(trx, sent, list);
    if (list.length >= MOST_LOCATIONS) throw refusal('too-many-locations', MOST_LOCATIONS);
    const value = nameKey(values.label);
    if (!USABLE.test(value) || RESERVED.has(value)) throw refusal('location-name-unusable');
    await insertLocation(trx, value, values);
    return [entry('location.added', value, { ...values })];
  });

/** What can be in a name that is part of addresses, keys and lists. */
const USABLE = /^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{M}\p{N} .'&()-]*$/u;
/** What pages write where they mean no location in particular. */
const RESERVED = new Set(['all', 'none']);

/**
 * Changes a location's label, group, time zone and opening hours, and returns the list. Sessions stay at the times that
 * the location's clock shows. Refuses (`stale-version`) to save over what someone else has saved since.
 */
export const changeLocation = (
  db: Db,
  act: Act,
  value: string,
  { version, ...sent }: SentFields & { readonly version?: string | undefined },
): Promise<ManagedLocation[]> =>
  changing(db, act, async (trx, list) => {
    const before = findLocation(list, value);
    const values = await checked(trx, sent, list, before.value);
    requireVersion(version, editable(before), editable({ ...before, ...values }));
    if (versionOf(editable(before)) === versionOf(editable({ ...before, ...values }))) return [];
    if (values.zone !== before.zone) await lockLocation(trx, before.value);
    await updateLocation(trx, before.value, values).catch((error: unknown) => {
      // The database computes anew when the location's sessions take place.
      throw codeOf(error) === '23P01' ? refusal('zone-double-books', before.label) : error;
    });
    const { label, group, zone, hours } = before;
    return [entry('location.changed', before.value, { before: { label, group, zone, hours }, after: { ...values } })];
  });

async function checked(
  trx: Db,
  { label, group, zone, hours: sent }: SentFields,
  list: readonly LocationRow[],
  own?: Location,
): Promise<LocationValues> {
  const key = nameKey(label);
  const taken = list.some((each) => each.value !== own && (each.value === key || nameKey(each.label) === key));
  if (taken) throw refusal('location-exists', label);
  if (!(await knowsZone(trx, zone)) || !isZone(zone)) throw refusal('zone-unknown', zone);
  const hours = sent
    .map(({ weekday, start, end }) => ({ weekday, start: parseTime(start) ?? 0, end: parseTime(end) ?? 0 }))
    .toSorted((a, b) => a.weekday - b.weekday);
  if (new Set(hours.map(({ weekday }) => weekday)).size < hours.length) throw refusal('hours-twice');
  if (hours.some(({ start, end }) => start >= end)) throw refusal('hours-reversed');
  return { label, group: groupLike(group, list), zone, hours };
}

/** A group is written as it is elsewhere, so that letter case and spaces make no second group of it. */
const groupLike = (group: string, list: readonly LocationRow[]): string =>
  list.find((each) => nameKey(each.group) === nameKey(group))?.group ?? group;

/** Whether JavaScript knows a zone by this name. Names without a place, such as `EST`, have no daylight saving time. */
function isZone(zone: string): boolean {
  if (!zone.includes('/')) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

export async function readRemaining(db: Db, value: string, from: IsoDate): Promise<Remaining> {
  const { value: location } = findLocation(await selectManaged(db), value);
  return countRemaining(db, location, from);
}

/**
 * Closes a location from a date on, or keeps it open (null), and returns the list. People may still be there; sessions
 * and weekly series may not, and the database refuses new ones.
 */
export const closeLocation = (
  db: Db,
  act: Act,
  wallOf: WallClock,
  value: string,
  { from, version }: { readonly from: IsoDate | null; readonly version?: string | undefined },
): Promise<ManagedLocation[]> =>
  changing(db, act, async (trx, list) => {
    const before = findLocation(list, value);
    requireVersion(version, editable(before), editable({ ...before, closedFrom: from }));
    if (before.mergedInto !== null) throw refusal('location-merged', before.label);
    if (before.closedFrom === from) return [];
    if (from !== null) {
      await lockLocation(trx, before.value);
      await requireCloseable(trx, list, before, from, wallOf(before.value).date);
    }
    await setClosedFrom(trx, before.value, from);
    return [entry(from === null ? 'location.reopened' : 'location.closed', before.value, { from })];
  });

async function requireCloseable(
  trx: Db,
  list: readonly LocationRow[],
  { value, label }: LocationRow,
  from: IsoDate,
  today: IsoDate,
): Promise<void> {
  if (from < today) throw refusal('closing-in-the-past', today);
  requireAnotherOpen(list, value);
  const left = await countRemaining(trx, value, from);
  if (left.sessions + left.series > 0) throw refusal('location-not-empty', label, from, left);
}

/** Refuses to close the last location that is to stay open. */
export function requireAnotherOpen(list: readonly LocationRow[], value: Location): void {
  if (list.every((each) => each.value === value || each.closedFrom !== null)) throw refusal('last-open-location');
}
