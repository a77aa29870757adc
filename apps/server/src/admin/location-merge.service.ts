import type { ManagedLocation, Merged } from '@clinic/contract';
import type { IsoDate } from '@clinic/domain';
import type { Act } from '../access/act.ts';
import type { ActEntry } from '../access/audit.ts';
import type { Db } from '../db/connection.ts';
import { previewed } from '../db/retry.ts';
import { requireVersion } from '../platform/content-version.ts';
import { publishEvent } from '../platform/events.ts';
import { refusal } from '../platform/refusal.ts';
import type { WallClock } from '../platform/wall-clock.ts';
import { codeOf } from '../start-error.ts';
import { lastToldDate, moveAll } from './location-merge.queries.ts';
import { lockLocation, setClosedFrom, type LocationRow } from './locations.queries.ts';
import { changing, editable, entry, findLocation, lockList, requireAnotherOpen } from './locations.service.ts';

export interface Merge {
  /** The location that takes over. */
  readonly into: string;
  /** The first date whose sessions move. */
  readonly from: IsoDate;
  readonly version?: string | undefined;
}

/** What a merge would move; refused as the merge itself would be. Nothing is changed. */
export const previewMerge = (db: Db, wallOf: WallClock, value: string, merge: Merge): Promise<Merged> =>
  previewed(db, async (trx) => (await mergeIn(trx, await lockList(trx), wallOf, value, merge)).moved);

/**
 * Merges a location into another, in one transaction: people, weekly series and accounts move at once, sessions and
 * absences from a date on. The location is closed from that date; what took place there before stays there.
 */
export async function mergeLocation(
  db: Db,
  act: Act,
  wallOf: WallClock,
  value: string,
  merge: Merge,
): Promise<{ moved: Merged; locations: ManagedLocation[] }> {
  const done: Merged[] = [];
  const locations = await changing(db, act, async (trx, list) => {
    const { moved, entries } = await mergeIn(trx, list, wallOf, value, merge);
    done.splice(0, 1, moved);
    await publishEvent(trx, { kind: 'profiles', dates: [], by: act.caller.id });
    return entries;
  });
  const [moved] = done;
  if (!moved) throw new Error('nothing was merged');
  return { moved, locations };
}

async function mergeIn(
  trx: Db,
  list: readonly LocationRow[],
  wallOf: WallClock,
  value: string,
  merge: Merge,
): Promise<{ moved: Merged; entries: ActEntry[] }> {
  const from = findLocation(list, value);
  const into = findLocation(list, merge.into);
  requireMergeable(list, from, into, merge, wallOf(from.value).date);
  // In one order, so that two merges never wait for each other.
  for (const each of [from.value, into.value].toSorted()) await lockLocation(trx, each);
  const told = await lastToldDate(trx, from.value, merge.from);
  if (told !== null) throw refusal('merge-after-calls', from.label, told);
  const moved = await moveAll(trx, from.value, into.value, merge.from).catch((error: unknown) => {
    throw codeOf(error) === '23P01' ? refusal('merge-double-books') : error;
  });
  await setClosedFrom(trx, from.value, merge.from, into.value);
  const detail = { from: from.value, into: into.value, date: merge.from, moved };
  return {
    moved,
    entries: [entry('location.merged', from.value, detail), entry('location.merged', into.value, detail)],
  };
}

function requireMergeable(
  list: readonly LocationRow[],
  from: LocationRow,
  into: LocationRow,
  { version, from: date }: Merge,
  today: IsoDate,
): void {
  if (from.value === into.value) throw refusal('merge-with-itself');
  if (from.mergedInto !== null) throw refusal('location-merged', from.label);
  requireVersion(version, editable(from), editable({ ...from, closedFrom: date, mergedInto: into.value }));
  if (into.closedFrom !== null) throw refusal('merge-into-closed', into.label);
  if (from.zone !== into.zone) throw refusal('merge-zones-differ', from.label, into.label);
  if (date < today) throw refusal('closing-in-the-past', today);
  requireAnotherOpen(list, from.value);
}
