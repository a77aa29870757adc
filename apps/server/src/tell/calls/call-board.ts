import { MOST_DATES, type Contact } from '@clinic/contract';
import { addDays, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import { loadContacts } from '../../people/contacts.ts';
import { cutAt, isDemoClinic, isOver, type WallOf } from '../../day/facts/present.ts';
import type { LocationDay } from '../../day/facts/versions.ts';
import type { Db } from '../../db/connection.ts';
import { onSnapshot } from '../../db/retry.ts';
import { together } from '../../db/snapshot.ts';
import type { Act } from '../../access/act.ts';
import { isOpen, personKey, type PersonKey } from '../memory/call-day.ts';
import { isoAt } from '../../platform/clock.ts';
import {
  selectCalledDays,
  selectChangedAfter,
  selectClaims,
  selectSheet,
  type ClaimRow,
} from '../lines/call-day.queries.ts';
import type { CallList } from '../lines/line.ts';
import { callList } from '../lines/lines.ts';
import { loadCallData, loadCallList } from '../lines/load-calls.ts';
import { selectMessages, type MessageRow } from '../lines/outbox.queries.ts';
import { reachOf, type Reach } from '../lines/reach.ts';
import { sameLines, type DatedLines, type SameLine } from '../lines/same-lines.ts';
import { whoSaidNo, type SaidNo } from '../lines/said-no.ts';

/**
 * A claim older than this no longer counts, so that a user who forgot to end a call does not keep others from calling.
 */
const CLAIM_MS = 10 * 60_000;

/** A call list with the answers to its calls, and who is calling whom. */
export interface CallBoard extends CallList, LocationDay {
  readonly claims: readonly ClaimRow[];
  readonly messages: readonly MessageRow[];
  /** How messages reach each person. */
  readonly reach: ReadonlyMap<PersonKey, Reach>;
  readonly contacts: ReadonlyMap<PersonKey, readonly Contact[]>;
  readonly declined: readonly SaidNo[];
  readonly sheet: { readonly at: string; readonly by: string } | null;
  /** Whether the list is open. Changes made before it is opened are not listed. */
  readonly open: boolean;
}

/** Who reads a list, and when, in milliseconds since 1970 by the machine's clock. */
export interface Look {
  readonly at: number;
  /** The locations that the account may see, null for all; contacts of people at other locations are not shown. */
  readonly locations: readonly Location[] | null;
}

export const lookOf = (act: Act): Look => ({ at: act.at, locations: act.caller.locations });

/** Everything that a call list shows. */
export async function loadBoard(
  db: Db,
  wallOf: WallOf,
  { location, date }: LocationDay,
  look: Look,
): Promise<CallBoard> {
  const data = await loadCallData(db, location, date, wallOf(location));
  const list = callList(data);
  const contactsOf = async (kind: PersonKind): Promise<[PersonKey, readonly Contact[]][]> => {
    const ids = list.lines.filter((line) => line.kind === kind).map((line) => line.id);
    return [...(await loadContacts(db, kind, ids, look.locations))].map(([id, found]) => [personKey(kind, id), found]);
  };
  const [claims, therapists, clients, messages, { reach }, sheet, open] = await together(
    selectClaims(db, location, date, claimedSince(look.at)),
    contactsOf('therapist'),
    contactsOf('client'),
    selectMessages(db, location, date),
    reachOf(db, list.lines),
    selectSheet(db, location, date),
    isOpen(db, { location, date }),
  );
  const contacts = new Map([...therapists, ...clients]);
  return { ...list, declined: whoSaidNo(data), location, date, claims, messages, reach, contacts, sheet, open };
}

/** Returns a day's call list with everything it shows, read in one snapshot. */
export const readCalls = (db: Db, wallOf: WallOf, on: LocationDay, look: Look): Promise<CallBoard> =>
  onSnapshot(db, (trx) => loadBoard(trx, wallOf, on, look));

/** The call lines, and who is calling whom. */
export interface CalledLines extends CallList {
  readonly claims: readonly ClaimRow[];
}

/** Reads only the lines and who is calling whom, in one snapshot; `at` is in milliseconds since 1970. */
export const readLines = (db: Db, wallOf: WallOf, { location, date }: LocationDay, at: number): Promise<CalledLines> =>
  onSnapshot(db, async (trx) => ({
    ...(await loadCallList(trx, location, date, wallOf(location))),
    claims: await selectClaims(trx, location, date, claimedSince(at)),
  }));

/** The maximum number of changed dates that are searched for people who must be told. */
const MOST_LATER = 14;

/** The lines of the next changed dates after one, at most so many dates. */
async function linesAfter(db: Db, wallOf: WallOf, on: LocationDay, most: number): Promise<DatedLines[]> {
  const later = [];
  for (const date of await selectChangedAfter(db, on, most)) later.push(await linesOn(db, wallOf, { ...on, date }));
  return later;
}

const linesOn = async (db: Db, wallOf: WallOf, { location, date }: LocationDay): Promise<DatedLines> => ({
  date,
  lines: (await loadCallList(db, location, date, wallOf(location))).lines,
});

/** Returns the later dates on which people must be told, each with the number of these people, read in one snapshot. */
export const readLater = (db: Db, wallOf: WallOf, on: LocationDay): Promise<{ date: IsoDate; toTell: number }[]> =>
  onSnapshot(db, async (trx) => {
    const later = await linesAfter(trx, wallOf, on, MOST_LATER);
    return later.flatMap(({ date, lines }) => (lines.length > 0 ? [{ date, toTell: lines.length }] : []));
  });

/** The lines of a day that say the same about later dates, read in one snapshot. */
export const readSame = (db: Db, wallOf: WallOf, on: LocationDay): Promise<SameLine[]> =>
  onSnapshot(db, async (trx) => {
    const first = await linesOn(trx, wallOf, on);
    const later = first.lines.length > 0 ? await linesAfter(trx, wallOf, on, MOST_DATES) : [];
    return sameLines(first, later, wallOf(on.location).date);
  });

/** How many people must be told about each of seven days at these locations, read in one snapshot; past days have none. */
export const readWeekCalls = (
  db: Db,
  wallOf: WallOf,
  locations: readonly Location[],
  from: IsoDate,
): Promise<(LocationDay & { to_tell: number })[]> =>
  onSnapshot(db, async (trx) => {
    const isDemo = await isDemoClinic(trx);
    const days = [];
    for (const on of await selectCalledDays(trx, locations, [from, addDays(from, 6)])) {
      const wall = wallOf(on.location);
      if (isOver(on.date, wall, cutAt(wall, isDemo))) continue;
      const { lines } = await loadCallList(trx, on.location, on.date, wall);
      if (lines.length > 0) days.push({ ...on, to_tell: lines.length });
    }
    return days;
  });

/** Calls that began before this time (ISO 8601) no longer count. */
const claimedSince = (at: number): string => isoAt(at - CLAIM_MS);
