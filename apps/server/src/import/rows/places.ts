import { groupBy, type Interval, type IsoDate, type Service } from '@clinic/domain';
import { ownPlace } from '../../day/appointment-states.ts';

/** The fields of an appointment that determine its place (see `assignPlaces`). */
export interface Claimant extends Interval {
  readonly id: string;
  readonly location: string;
  readonly date: IsoDate;
  readonly therapistId: string | null;
  readonly clientId: string | null;
  readonly service: Service;
  readonly occupies: boolean;
  readonly groupKey: string | null;
  /**
   * Set for an appointment made or changed in the product: it keeps its place, and imported appointments that overlap
   * it get the same place.
   */
  readonly fixed: Place | null;
}

export interface Place {
  readonly place: string;
  readonly clientPlace: string;
  readonly seat: 1 | 2;
  readonly clash: boolean;
}

/**
 * Assigns each appointment its place. The database's exclusion constraints let one person's appointments overlap only
 * if they have the same place. Usually, an appointment has its own place or its group's place. If it double-books a
 * therapist or a client, all appointments in the chain of overlaps share one place and are flagged as double bookings.
 * Pure; the order of the appointments does not matter.
 */
export function assignPlaces(all: readonly Claimant[], twoToOne: ReadonlySet<string>): Map<string, Place> {
  const seats = assignSeats(all, twoToOne);
  const placed = new Map<string, string>();
  const clientPlaced = new Map<string, string>();
  const busy = all.filter((a) => a.occupies && a.therapistId !== null && a.service !== 'admin');
  for (const list of groupBy(busy, (a) => `${a.therapistId} ${a.date}`).values()) {
    for (const knot of knots(list, (a) => a.groupKey)) {
      for (const a of knot.members) placed.set(a.id, knot.fixed?.place ?? `clash:${knot.key}`);
    }
  }
  const admin = all.filter((a) => a.occupies && a.therapistId !== null && a.service === 'admin');
  for (const list of groupBy(admin, (a) => `${a.therapistId} ${a.date}`).values()) {
    for (const knot of knots(list, (a) => a.location)) {
      for (const a of knot.members) placed.set(a.id, knot.fixed?.place ?? `clash:${knot.key}`);
    }
  }
  const direct = all.filter((a) => a.occupies && a.service === 'direct' && a.clientId !== null);
  for (const list of groupBy(direct, (a) => `${a.clientId} ${a.date} ${seats.get(a.id) ?? 1}`).values()) {
    for (const knot of knots(list, () => null)) {
      for (const a of knot.members) clientPlaced.set(a.id, knot.fixed?.clientPlace ?? `clash:${knot.key}`);
    }
  }
  return new Map(
    all.map((a) => [
      a.id,
      {
        place: placed.get(a.id) ?? ownPlace(a.id, a.groupKey),
        clientPlace: clientPlaced.get(a.id) ?? a.id,
        seat: seats.get(a.id) ?? 1,
        clash: placed.has(a.id) || clientPlaced.has(a.id),
      },
    ]),
  );
}

/**
 * Assigns the seats of a 2:1 client's sessions, in chronological order. A third session at the same time gets the first
 * seat as well, and is a double booking there.
 */
function assignSeats(all: readonly Claimant[], twoToOne: ReadonlySet<string>): Map<string, 1 | 2> {
  const seats = new Map<string, 1 | 2>();
  const direct = all.filter(
    (a) => a.occupies && a.service === 'direct' && a.clientId !== null && twoToOne.has(a.clientId),
  );
  for (const list of groupBy(direct, (a) => `${a.clientId} ${a.date}`).values()) {
    const until = { 1: 0, 2: 0 };
    for (const a of list.toSorted(byTime)) {
      const seat = a.fixed?.seat ?? (a.start >= until[1] || a.start < until[2] ? 1 : 2);
      seats.set(a.id, seat);
      until[seat] = Math.max(until[seat], a.end);
    }
  }
  return seats;
}

const byTime = (a: Claimant, b: Claimant): number => a.start - b.start || a.end - b.end || (a.id < b.id ? -1 : 1);

interface Knot {
  readonly key: string;
  readonly members: Claimant[];
  readonly fixed: Place | null;
}

/**
 * Finds each set of overlapping appointments in which at least two exclude each other. The key of a set is the smallest
 * id in it.
 * @param together returns a key for an appointment. Appointments with the same key do not exclude each other; an
 * appointment with a null key excludes all others.
 */
function knots(list: readonly Claimant[], together: (a: Claimant) => string | null): Knot[] {
  const found: Knot[] = [];
  let members: Claimant[] = [];
  let until = -1;
  const close = (): void => {
    if (!clashes(members, together)) return;
    const key = members.reduce((least, { id }) => (id < least ? id : least), members[0]?.id ?? '');
    found.push({ key, members, fixed: members.find((a) => a.fixed)?.fixed ?? null });
  };
  // The list is sorted by start, so that each chain of overlaps is consecutive.
  for (const a of list.toSorted(byTime)) {
    if (a.start >= until) {
      close();
      members = [];
    }
    members.push(a);
    until = Math.max(until, a.end);
  }
  close();
  return found;
}

/**
 * Whether two of these appointments, sorted by start, overlap and exclude each other. One pass is enough: of the
 * earlier appointments, `last` is the one that ends last, and `other` is the one that ends last among those whose key
 * differs from that of `last`.
 */
function clashes(members: readonly Claimant[], together: (a: Claimant) => string | null): boolean {
  let last: { end: number; name: string } | null = null;
  let other: { end: number; name: string } | null = null;
  for (const a of members) {
    const name = together(a) ?? `alone ${a.id}`;
    const rival = last?.name === name ? other : last;
    if (rival && a.start < rival.end) return true;
    if (!last || a.end > last.end) {
      if (last && last.name !== name) other = last;
      last = { end: a.end, name };
    } else if (last.name !== name && a.end > (other?.end ?? -1)) other = { end: a.end, name };
  }
  return false;
}
