import { fullName, groupBy, isoDate, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import { decideAppointments, noted, occupies, type Session } from './appointment-plan.ts';
import type { NamesContext } from '../rows/appointment-rows.ts';
import type { ColumnAnswers, Difference, RowOutcome, Tables } from '../import-types.ts';
import { NO_DETAILS, planDetails, type DetailsPlan, type DetailsSnapshot } from '../rows/details.ts';
import { PeopleIndex, type Candidate } from './people-index.ts';
import { planPeople } from './people-plan.ts';
import { readClient, readTherapist } from '../rows/people-rows.ts';
import { assignPlaces, type Claimant, type Place } from '../rows/places.ts';
import {
  isImported,
  type AppointmentRecordWrite,
  type ClientWrite,
  type DaysSnapshot,
  type Link,
  type PeopleSnapshot,
  type StoredAppointment,
  type TherapistWrite,
} from './snapshot.ts';
import { RestrictionReview, withContinued } from '../rows/restriction-review.ts';

export type AppointmentWrite = AppointmentRecordWrite & { readonly place: Place };
/** An imported appointment in which only the shared place changes. */
export interface PlaceWrite {
  readonly id: string;
  readonly key: string;
  readonly replaces: number;
  readonly status: AppointmentStatus;
  readonly place: Place;
}

/**
 * What an import will write about people, the outcomes of their rows, and the people whom appointment rows may name.
 */
export interface PeoplePlan {
  readonly outcomes: readonly RowOutcome[];
  readonly therapists: readonly TherapistWrite[];
  /** Whether these columns are missing from the therapists' file, so that the stored values stay. */
  readonly keeps: { readonly keeps_end_date: boolean; readonly keeps_consistency: boolean };
  readonly clients: readonly ClientWrite[];
  readonly links: Readonly<Record<PersonKind, readonly Link[]>>;
  readonly context: NamesContext;
  readonly details: DetailsPlan;
  /** Clients who may have two sessions at a time. */
  readonly twoToOne: ReadonlySet<string>;
}

/** Decides what to do with every therapist and client row, compared with the stored people. Pure. */
export function planEveryone(
  tables: Tables,
  snapshot: PeopleSnapshot,
  adminClientName: string,
  today: IsoDate,
  answers: ColumnAnswers = new Map(),
  stored: DetailsSnapshot = NO_DETAILS,
): PeoplePlan {
  const therapists = planPeople({
    kind: 'therapists',
    table: tables.therapists ?? null,
    read: (row) => readTherapist(row, today),
    stored: snapshot.therapists,
    known: snapshot.known.therapist,
    clearing: ['end_date', 'consistency'],
    profile: 'therapist',
  });
  const here = new Set(snapshot.therapists.filter((t) => !t.deleted).map((t) => t.id));
  const therapistId = (id: string): string | null =>
    therapists.idOf.get(id.toLowerCase()) ?? (here.has(id) ? id : null);
  const restricted = new RestrictionReview(snapshot);
  const clients = planPeople({
    kind: 'clients',
    table: tables.clients ? withContinued(tables.clients) : null,
    read: (row) => readClient(row, therapistId, adminClientName),
    stored: snapshot.clients,
    known: snapshot.known.client,
    review: (id, record) => restricted.review(id, record),
    profile: 'client',
  });
  const twoToOne = new Set(snapshot.clients.filter((c) => c.twoToOne).map((c) => c.id));
  for (const { id, record } of clients.writes) {
    if (record.twoToOne === true) twoToOne.add(id);
    else if (record.twoToOne === false && !restricted.staysTwoToOne(id, record)) twoToOne.delete(id);
  }
  const context = {
    therapists: new PeopleIndex(
      'therapist',
      candidatesOf(
        snapshot.therapists.map((t) => ({ ...t, former: t.deleted, employment: t })),
        therapists,
        ({ availability, startDate, endDate }) => ({
          windows: availability,
          employment: { first: startDate, last: endDate ?? null },
        }),
      ),
      answers,
    ),
    clients: new PeopleIndex(
      'client',
      candidatesOf(
        snapshot.clients.map((c) => ({ ...c, former: false, ...stayOf(c.endDate) })),
        clients,
        ({ endDate }) => stayOf(endDate ?? null),
      ),
      answers,
    ),
    adminClientName,
    today,
  };
  const details = planDetails(tables, stored, context, today);
  return {
    outcomes: [...therapists.outcomes, ...clients.outcomes],
    details,
    therapists: therapists.writes,
    keeps: { keeps_end_date: lacks(tables, 'end_date'), keeps_consistency: lacks(tables, 'consistency') },
    clients: clients.writes,
    links: { therapist: therapists.links, client: clients.links },
    context,
    twoToOne,
  };
}

const lacks = ({ therapists }: Tables, column: string): boolean =>
  therapists?.rows.every(({ cells }) => cells[column] === undefined) ?? true;

/** When a client is at the clinic: until the last day, if there is one. */
const stayOf = (last: IsoDate | null): Pick<Candidate, 'windows' | 'employment'> => ({
  windows: [],
  employment: last === null ? null : { first: EVER, last },
});
const EVER = isoDate('1900-01-01');

/** Returns the people whom appointment rows may name: those that this import writes, and the other stored people. */
function candidatesOf<W extends TherapistWrite | ClientWrite>(
  stored: readonly (Omit<Candidate, 'imported' | 'fullName' | 'fileIds'> & { firstName: string; lastName: string })[],
  { writes, idOf }: { readonly writes: readonly W[]; readonly idOf: ReadonlyMap<string, string> },
  hoursOf: (record: W['record']) => Pick<Candidate, 'windows' | 'employment'>,
): Candidate[] {
  const fileIds = groupBy([...idOf], ([, id]) => id);
  const fileIdsOf = (id: string): string[] => (fileIds.get(id) ?? []).map(([fileId]) => fileId);
  const written = new Set(writes.map((w) => w.id));
  return [
    ...stored
      .filter(({ id }) => !written.has(id))
      .map((p) => ({
        ...p,
        fullName: fullName(p.firstName, p.lastName),
        fileIds: fileIdsOf(p.id),
        imported: fileIds.has(p.id),
      })),
    ...writes.map(({ id, displayName, record }) => ({
      id,
      fileIds: fileIdsOf(id),
      displayName,
      fullName: fullName(record.firstName, record.lastName),
      location: record.location,
      ...hoursOf(record),
      imported: true,
      former: false,
    })),
  ];
}

/** What an import will write about sessions, and the outcomes of their rows. */
export interface DaysPlan {
  readonly outcomes: readonly RowOutcome[];
  readonly appointments: readonly AppointmentWrite[];
  readonly places: readonly PlaceWrite[];
  readonly differences: readonly Difference[];
  readonly days: readonly { readonly location: Location; readonly date: IsoDate }[];
}

/** Decides what to do with sessions, and assigns their places, by comparing them with the current calendar. Pure. */
export function planDays(
  sessions: readonly Session[],
  snapshot: DaysSnapshot,
  twoToOne: ReadonlySet<string>,
): DaysPlan {
  const decided = decideAppointments(sessions, snapshot, twoToOne);
  const placed = placeAll(snapshot.appointments, decided.writes, twoToOne);
  const doubleBooked = new Set([...decided.lineOf].flatMap(([id, line]) => (placed.clashing.has(id) ? [line] : [])));
  const outcomes = decided.outcomes.map((o) =>
    doubleBooked.has(o.line) ? noted(o, [...(o.notes ?? []), 'double_booked']) : o,
  );
  return {
    outcomes,
    appointments: placed.appointments,
    places: placed.places,
    differences: decided.differences,
    days: placed.days,
  };
}

/**
 * Assigns the places of all written appointments, and of other imported appointments whose place changes because of an
 * overlap.
 */
function placeAll(
  stored: readonly StoredAppointment[],
  writes: readonly AppointmentRecordWrite[],
  twoToOne: ReadonlySet<string>,
) {
  const written = new Set(writes.map((w) => w.id));
  const replaced = stored.filter((s) => written.has(s.id));
  const days = new Map<string, { location: Location; date: IsoDate }>();
  for (const { location, date } of [...writes.map((w) => w.record), ...replaced])
    days.set(`${location} ${date}`, { location, date });
  const dates = new Set([...days.values()].map((d) => d.date));
  const standing = stored.filter((s) => dates.has(s.date) && !written.has(s.id));
  const claimants: Claimant[] = [
    ...standing.map((s) => ({ ...s, fixed: isImported(s) ? null : placeOf(s) })),
    ...writes.map(({ id, record }) => ({ id, ...record, occupies: occupies(record), fixed: null })),
  ];
  const places = assignPlaces(claimants, twoToOne);
  const placeFor = (id: string): Place => {
    const place = places.get(id);
    if (!place) throw new Error('an appointment without a place');
    return place;
  };
  const moved = standing.filter((s) => isImported(s) && !samePlace(placeOf(s), placeFor(s.id)));
  for (const { location, date } of moved) days.set(`${location} ${date}`, { location, date });
  return {
    appointments: writes.map((w) => ({ ...w, place: placeFor(w.id) })),
    places: moved.map((s) => ({
      id: s.id,
      key: s.importKey ?? '',
      replaces: s.version,
      status: s.status,
      place: placeFor(s.id),
    })),
    days: [...days.values()],
    /** Finds all appointments that double-book a person once the plan is written. */
    clashing: new Set([
      ...[...places].flatMap(([id, place]) => (place.clash ? [id] : [])),
      ...stored.flatMap((s) => (s.clash && !places.has(s.id) ? [s.id] : [])),
    ]),
  };
}

const placeOf = ({ place, clientPlace, seat, clash }: StoredAppointment): Place => ({
  place,
  clientPlace,
  seat,
  clash,
});
const samePlace = (a: Place, b: Place): boolean =>
  a.place === b.place && a.clientPlace === b.clientPlace && a.seat === b.seat && a.clash === b.clash;
