import { intersect, pushTo, union, type Interval, type PersonKind } from '@clinic/domain';
import { dateIn, minutesAfter } from '../db/wall-time.ts';
import { sameClock, timesByClockOf } from '../platform/other-clock.ts';
import type { BookedRow } from './ruled-sessions.ts';

/** A booked appointment of a date, with the times when its client and its therapist are both expected. */
export interface Expected
  extends
    Interval,
    Pick<
      BookedRow,
      | 'id'
      | 'wire_id'
      | 'location'
      | 'starts'
      | 'ends'
      | 'client_id'
      | 'therapist_id'
      | 'service'
      | 'place'
      | 'client_place'
      | 'seat'
    > {
  /** When the client is there, whether or not a therapist is. */
  readonly clientThere: readonly Interval[];
  /** When the therapist and the client are there. */
  readonly takesPlace: readonly Interval[];
}

/** A person who is expected in two places at once, the appointments, and when they overlap. */
export interface DoubleBooked<Row> {
  readonly type: PersonKind;
  readonly id: string;
  readonly rows: readonly Row[];
  readonly times: readonly Interval[];
}

/** An import has the same Id for two rows of one session, which are shown as one. */
const isSameSession = (a: Expected, b: Expected): boolean => a.wire_id === b.wire_id && a.client_id === b.client_id;

/**
 * Whether a therapist cannot have both. A group is one place; rows of an imported clash share a place, too, but not a
 * group's. Administrative time may be given up for a session, and so clashes only with other administrative time
 * elsewhere.
 */
const isTherapistTwice = (a: Expected, b: Expected): boolean => {
  if (a.service === 'admin' || b.service === 'admin') return a.service === b.service && a.location !== b.location;
  return a.place !== b.place || a.place.startsWith('clash:');
};

/**
 * Whether a client cannot have both: two direct sessions on one seat, or sessions at two locations, unless one of them
 * is with the parents. A supervision beside a direct session is as it should be, and so are the two of a 2:1 client.
 */
const isClientTwice = (a: Expected, b: Expected): boolean =>
  a.location === b.location
    ? a.service === 'direct' && b.service === 'direct' && a.seat === b.seat
    : a.service !== 'parent-training' && b.service !== 'parent-training';

/** Finds everyone who is expected in two places at once on a date, at any location. */
export function doubleBooked<Row extends Expected>(rows: readonly Row[]): DoubleBooked<Row>[] {
  return [
    ...clashesOf(
      rows,
      'therapist',
      (row) => row.therapist_id,
      (row) => row.takesPlace,
      isTherapistTwice,
    ),
    ...clashesOf(
      rows,
      'client',
      (row) => row.client_id,
      (row) => row.clientThere,
      isClientTwice,
    ),
  ];
}

/** Times of one session by the clock of another's location. */
function shifted(times: readonly Interval[], from: Expected, to: Expected): readonly Interval[] {
  if (sameClock(from.location, to.location)) return times;
  const date = dateIn(to.starts);
  const by = timesByClockOf(to.location, date, from).start - minutesAfter(dateIn(from.starts), from.starts);
  return times.map(({ start, end }) => ({ start: start + by, end: end + by }));
}

function clashesOf<Row extends Expected>(
  rows: readonly Row[],
  type: PersonKind,
  idOf: (row: Row) => string | null,
  timesOf: (row: Row) => readonly Interval[],
  isTwice: (a: Row, b: Row) => boolean,
): DoubleBooked<Row>[] {
  const own = new Map<string, Row[]>();
  for (const row of rows) {
    const id = idOf(row);
    if (id !== null) pushTo(own, id, row);
  }
  return [...own].flatMap(([id, list]) => {
    const clashes: { rows: Set<Row>; times: Interval[] }[] = [];
    for (const [i, b] of list.entries())
      for (const a of list.slice(0, i)) {
        if (isSameSession(a, b) || !isTwice(a, b)) continue;
        const times = timesOf(a).flatMap((x) => shifted(timesOf(b), b, a).flatMap((y) => intersect(x, y) ?? []));
        if (times.length === 0) continue;
        // Three sessions of which each overlaps the next are one thing to settle.
        const known = clashes.find((each) => each.rows.has(a) || each.rows.has(b));
        if (known) {
          known.rows.add(a).add(b);
          known.times.push(...times);
        } else clashes.push({ rows: new Set([a, b]), times });
      }
    return clashes.map((each) => ({
      type,
      id,
      rows: list.filter((row) => each.rows.has(row)),
      times: union(each.times),
    }));
  });
}
