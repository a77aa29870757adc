import type { Slot } from 'fhir/r4.js';
import { sql } from 'kysely';
import {
  addDays,
  isoDate,
  defaultLocation,
  locationValues,
  locationOf,
  subtract,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import { closedTime, selectClosures } from '../../day/facts/closures.ts';
import { timestampOf } from '../../db/wall-time.ts';
import { refusal } from '../../platform/refusal.ts';
import { freeTimes } from '../../weeks/problem/people-part.ts';
import { loadWeeks } from '../../weeks/problem/weeks-facts.ts';
import { boundsOf, instantAt, type Bounds, type DateRange } from './dates.ts';
import { cursorOf, placeIn, type Asked, type Found, type Kind } from './kind.ts';
import { fhirId, hashedId, hasFhirId, readReference, type Search } from './search.ts';

/** How far a search reaches if it does not say so, and the most, in days. */
const USUAL_DAYS = 14;
const MOST_DAYS = 62;

interface FreeSlot extends Interval {
  readonly therapist: string;
  readonly location: Location;
  readonly date: IsoDate;
}

/**
 * Time in which therapists are available at their location and have no session, no absence and no administrative time,
 * and the location is open. It is worked out when it is asked for, so a slot that was taken is no longer there.
 */
export const slots: Kind = {
  type: 'Slot',
  params: { schedule: 'reference', start: 'date', status: 'token' },
  versioned: false,
  async find(asked, search) {
    const ids = search.values('_id').map((each) => each.map(slotIn));
    const starts = search.dates('start');
    const wanted = search
      .values('schedule')
      .map((all) => all.map((text) => readReference('schedule', text, ['Schedule']).id));
    if (search.values('status').some((statuses) => !statuses.some(isFree))) return NOTHING;
    const days = ids.length > 0 ? daysOf(ids.flat()) : daysIn(starts, asked);
    if (days === null) return NOTHING;
    const therapists = [...ids.map((each) => each.map(({ therapist }) => therapist)), ...wanted];
    const after = search.after === undefined ? null : placeIn(search.after, 2);
    const found: FreeSlot[] = [];
    for (const location of await locationsOf(asked, therapists)) {
      if (after && location < (after[0] ?? '')) continue;
      const free = (await freeAt(asked, location, days)).filter(
        (slot) =>
          therapists.every((each) => each.includes(fhirId(slot.therapist)) || each.includes(shortId(slot.therapist))) &&
          ids.every((each) => each.some(({ text }) => text === idOf(slot))) &&
          starts.every((each) => each.some((range) => isStartIn(range, slot))),
      );
      found.push(...free.filter((slot) => !after || location > (after[0] ?? '') || placeOf(slot) > (after[1] ?? '')));
      if (found.length > search.count) break;
    }
    return pageOf(found, search);
  },
};

const NOTHING: Found = { resources: [], total: 0, next: undefined, shown: [] };
const isFree = (status: string): boolean => /^((http:\/\/hl7\.org\/fhir\/slotstatus)?\|)?free$/.test(status);

function pageOf(found: readonly FreeSlot[], search: Search): Found {
  const shown = found.slice(0, search.count);
  const last = shown.at(-1);
  return {
    resources: shown.map(present),
    total: search.after === undefined && found.length <= search.count ? found.length : undefined,
    next: last && found.length > search.count ? cursorOf([last.location, placeOf(last)]) : undefined,
    shown: [...new Map(shown.map((slot) => [slot.therapist, slot])).values()].map(({ therapist, location }) => ({
      kind: 'therapist' as const,
      id: therapist,
      location,
    })),
  };
}

/** The locations of the therapists that are asked about; all that may be read if no therapist is. */
async function locationsOf({ db, locations }: Asked, therapists: readonly (readonly string[])[]): Promise<Location[]> {
  const may = locations ?? locationValues();
  const [some] = therapists;
  if (!some) return [...may].sort();
  const rows = await db
    .selectFrom('therapist')
    .select('location')
    .distinct()
    .where((eb) => eb.or(some.map((id) => hasFhirId(sql.ref('therapist.id'), id))))
    .execute();
  return rows
    .map(({ location }) => location)
    .filter((location) => may.includes(location))
    .sort();
}

async function freeAt(
  { db, wallOf }: Asked,
  location: Location,
  [from, until]: readonly [IsoDate, IsoDate],
): Promise<FreeSlot[]> {
  const wall = wallOf(location);
  const facts = await loadWeeks(db, { location, from, until }, [], wall);
  const closures = await selectClosures(db, from, until);
  const freeOn = freeTimes(facts);
  const { closedFrom } = locationOf(location);
  const slots: FreeSlot[] = [];
  for (let date = from; date <= until; date = addDays(date, 1)) {
    if (date < wall.date || (closedFrom !== null && date >= closedFrom)) continue;
    const closed = closures.flatMap((each) => (each.location === location ? (closedTime(each, date) ?? []) : []));
    for (const therapist of facts.therapists.keys()) {
      const free = subtract(freeOn(therapist, date).free, closed);
      const left = free.filter(({ end }) => date > wall.date || end > wall.minutes);
      slots.push(...left.map(({ start, end }) => ({ therapist, location, date, start, end })));
    }
  }
  return slots.sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const placeOf = ({ date, start, end, therapist }: FreeSlot): string =>
  `${timestampOf(date, start)} ${timestampOf(date, end)} ${therapist}`;

/** The first and last date that a search asks about; null if there is none. */
function daysIn(
  starts: readonly (readonly DateRange[])[],
  { wallOf, locations }: Asked,
): readonly [IsoDate, IsoDate] | null {
  const today = wallOf(locations?.[0] ?? defaultLocation()).date;
  let from = addDays(today, -1);
  let until: IsoDate | null = null;
  for (const alternatives of starts) {
    const limits = alternatives.map(limitsOf);
    const least = limits.map((each) => each.from ?? from).sort()[0] ?? from;
    if (least > from) from = least;
    const most = limits.some((each) => each.until === null)
      ? null
      : (limits
          .map((each) => each.until ?? '')
          .sort()
          .at(-1) ?? null);
    if (most !== null && (until === null || most < until)) until = isoDate(most);
  }
  const furthest = addDays(from, MOST_DAYS);
  const last = until ?? addDays(from, USUAL_DAYS);
  if (last < from) return null;
  return [from, last < furthest ? last : furthest];
}

function limitsOf(range: DateRange): { from: IsoDate | null; until: IsoDate | null } {
  const dated = range.wall ?? range.instant.map((at) => new Date(at).toISOString());
  const [first = '', last = ''] = dated.map((at) => at.slice(0, 10));
  const { from, until, outside } = boundsOf(range.prefix, [first, last]);
  if (outside) return { from: null, until: null };
  // A day more on both sides, since an instant may be another date by the clock of a location.
  return {
    from: from === null ? null : addDays(isoDate(from), -1),
    until: until === null ? null : addDays(isoDate(until), 1),
  };
}

function isStartIn(range: DateRange, { location, date, start }: FreeSlot): boolean {
  const wall = timestampOf(date, start);
  const { zone } = locationOf(location);
  if (range.wall) return isWithin(wall, boundsOf(range.prefix, range.wall));
  return isWithin(Date.parse(instantAt(wall, zone)), boundsOf(range.prefix, range.instant));
}

function isWithin<T extends string | number>(at: T, { from, until, outside }: Bounds<T>): boolean {
  const inside = (from === null || at >= from) && (until === null || at < until);
  return outside ? !inside : inside;
}

/** The longest id of a therapist that leaves room for a date and times in the id of a slot. */
const LONGEST_IN_SLOT = 42;
const shortId = (therapist: string): string => {
  const id = fhirId(therapist);
  return id.length <= LONGEST_IN_SLOT ? id : hashedId(therapist);
};

const digits = (wall: string): string => wall.slice(11, 16).replace(':', '');
const idOf = ({ therapist, date, start, end }: FreeSlot): string =>
  `${shortId(therapist)}.${date.replaceAll('-', '')}.${digits(timestampOf(date, start))}-${digits(timestampOf(date, end))}`;

function slotIn(text: string): { readonly text: string; readonly therapist: string; readonly date: IsoDate | null } {
  const found = /^(.+)\.(\d{4})(\d\d)(\d\d)\.\d{4}-\d{4}$/.exec(text);
  if (!found) return { text, therapist: '', date: null };
  const [, therapist = '', ...date] = found;
  const day = date.join('-');
  const exists = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(exists.getTime()) && exists.toISOString().startsWith(day);
  return { text, therapist, date: isDay ? isoDate(day) : null };
}

/** The dates of these slots; refuses (400) slots that are too far apart. */
function daysOf(ids: readonly { readonly date: IsoDate | null }[]): readonly [IsoDate, IsoDate] | null {
  const dates = ids.flatMap(({ date }) => date ?? []).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (!first || !last) return null;
  if (last > addDays(first, MOST_DAYS)) throw refusal('search-value', '_id', `within ${MOST_DAYS} days`);
  return [first, last];
}

function present(slot: FreeSlot): Slot {
  const { zone } = locationOf(slot.location);
  return {
    resourceType: 'Slot',
    id: idOf(slot),
    schedule: { reference: `Schedule/${fhirId(slot.therapist)}` },
    status: 'free',
    start: instantAt(timestampOf(slot.date, slot.start), zone),
    end: instantAt(timestampOf(slot.date, slot.end), zone),
  };
}
