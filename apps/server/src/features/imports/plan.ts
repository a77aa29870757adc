import { fullName, type IsoDate, type Location } from '@clinic/domain';
import { occupies, planAppointments } from './appointment-plan.ts';
import type { AppointmentStatus } from '../../db/schema.ts';
import type { AppointmentRecord, ImportKind, RowOutcome, SourceTable } from './import-types.ts';
import { PeopleIndex, type Candidate } from './people-index.ts';
import { planPeople } from './people-plan.ts';
import { readClient, readTherapist } from './people-rows.ts';
import { assignPlaces, type Claimant, type Place } from './places.ts';
import type { ClientWrite, Link, Snapshot, StoredAppointment, TherapistWrite, Write } from './snapshot.ts';

export type Tables = Readonly<Partial<Record<ImportKind, SourceTable>>>;

export type AppointmentWrite = Write<AppointmentRecord> & { readonly place: Place };
/** An imported appointment that only shares its place with others than before. */
export interface PlaceWrite {
  readonly id: string;
  readonly key: string;
  readonly replaces: number;
  readonly status: AppointmentStatus;
  readonly place: Place;
}

export interface ImportNotes {
  /** Sessions that nobody has. */
  readonly nobody: number;
  /** Times off the quarter hour. */
  readonly offGrid: number;
  readonly deleted: number;
  /** A name that fits two, decided by who works then. */
  readonly decidedByTime: number;
  /** Appointments that double-book a therapist or a client. */
  readonly doubleBooked: number;
}

/** What an import will write, and what it says about every row. */
export interface ImportPlan {
  readonly outcomes: readonly RowOutcome[];
  readonly notes: ImportNotes;
  readonly therapists: readonly TherapistWrite[];
  readonly clients: readonly ClientWrite[];
  readonly links: Readonly<Record<'therapist' | 'client', readonly Link[]>>;
  readonly appointments: readonly AppointmentWrite[];
  readonly places: readonly PlaceWrite[];
  readonly days: readonly { readonly location: Location; readonly date: IsoDate }[];
}

/** Decides about every row of the files that were given, against what the database holds. Pure. */
export function planImport(tables: Tables, snapshot: Snapshot, adminClientName: string): ImportPlan {
  const therapists = planPeople({
    kind: 'therapists',
    table: tables.therapists ?? null,
    read: readTherapist,
    stored: snapshot.therapists,
    known: snapshot.known.therapist,
    profile: 'therapist',
  });
  const here = new Set(snapshot.therapists.filter((t) => !t.deleted).map((t) => t.id));
  const therapistId = (id: string): string | null =>
    therapists.idOf.get(id.toLowerCase()) ?? (here.has(id) ? id : null);
  const clients = planPeople({
    kind: 'clients',
    table: tables.clients ?? null,
    read: (row) => readClient(row, therapistId, adminClientName),
    stored: snapshot.clients,
    known: snapshot.known.client,
    profile: 'client',
  });
  const twoToOne = new Set(snapshot.clients.filter((c) => c.twoToOne).map((c) => c.id));
  for (const { id, record } of clients.writes) {
    if (record.twoToOne) twoToOne.add(id);
    else twoToOne.delete(id);
  }
  const appointments = planAppointments({
    table: tables.appointments ?? null,
    context: {
      therapists: new PeopleIndex('therapist', therapistCandidates(snapshot, therapists.writes, therapists.idOf)),
      clients: new PeopleIndex('client', clientCandidates(snapshot, clients.writes, clients.idOf)),
      adminClientName,
    },
    stored: snapshot.appointments,
    known: snapshot.known.appointment,
    twoToOne,
  });
  const placed = placeAll(snapshot, appointments.writes, twoToOne);
  const doubleBooked = new Set(
    [...appointments.lineOf].flatMap(([id, line]) => (placed.clashing.has(id) ? [line] : [])),
  );
  const outcomes = appointments.outcomes.map((o) =>
    doubleBooked.has(o.line)
      ? {
          ...o,
          text: [o.text, 'it double-books its therapist or client; taken and flagged'].filter(Boolean).join('; '),
        }
      : o,
  );
  return {
    outcomes: [...therapists.outcomes, ...clients.outcomes, ...outcomes],
    notes: { ...appointments.notes, doubleBooked: doubleBooked.size },
    therapists: therapists.writes,
    clients: clients.writes,
    links: { therapist: therapists.links, client: clients.links },
    appointments: placed.appointments,
    places: placed.places,
    days: placed.days,
  };
}

function therapistCandidates(
  snapshot: Snapshot,
  writes: readonly TherapistWrite[],
  idOf: ReadonlyMap<string, string>,
): Candidate[] {
  const imported = new Set(idOf.values());
  const written = new Set(writes.map((w) => w.id));
  return [
    ...snapshot.therapists
      .filter((t) => !written.has(t.id))
      .map((t) => ({
        ...t,
        fullName: fullName(t.firstName, t.lastName),
        imported: imported.has(t.id),
        former: t.deleted,
      })),
    ...writes.map(({ id, displayName, record }) => ({
      ...{ id, displayName, location: record.location, windows: record.availability, imported: true, former: false },
      fullName: fullName(record.firstName, record.lastName),
    })),
  ];
}

function clientCandidates(
  snapshot: Snapshot,
  writes: readonly ClientWrite[],
  idOf: ReadonlyMap<string, string>,
): Candidate[] {
  const imported = new Set(idOf.values());
  const written = new Set(writes.map((w) => w.id));
  return [
    ...snapshot.clients
      .filter((c) => !written.has(c.id))
      .map((c) => ({
        ...c,
        windows: [],
        fullName: fullName(c.firstName, c.lastName),
        imported: imported.has(c.id),
        former: false,
      })),
    ...writes.map(({ id, displayName, record }) => ({
      ...{ id, displayName, location: record.location, windows: [], imported: true, former: false },
      fullName: fullName(record.firstName, record.lastName),
    })),
  ];
}

/** Places for everything written, and for imported appointments whose overlaps with it change theirs. */
function placeAll(snapshot: Snapshot, writes: readonly Write<AppointmentRecord>[], twoToOne: ReadonlySet<string>) {
  const keys = new Map(
    [...snapshot.known.appointment].map(([key, row]) => [row.targetId, { key, version: row.targetVersion }]),
  );
  const written = new Map(writes.map((w) => [w.id, w]));
  const replaced = snapshot.appointments.filter((s) => written.has(s.id));
  const days = new Map<string, { location: Location; date: IsoDate }>();
  for (const { location, date } of [...writes.map((w) => w.record), ...replaced])
    days.set(`${location} ${date}`, { location, date });
  const dates = new Set([...days.values()].map((d) => d.date));
  const standing = snapshot.appointments.filter((s) => dates.has(s.date) && !written.has(s.id));
  const isImported = (s: StoredAppointment): boolean => keys.get(s.id)?.version === s.version;
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
      ...{ id: s.id, key: keys.get(s.id)?.key ?? '', replaces: s.version, status: s.status, place: placeFor(s.id) },
    })),
    days: [...days.values()],
    /** All that double-book someone, once this is written. */
    clashing: new Set([
      ...[...places].flatMap(([id, place]) => (place.clash ? [id] : [])),
      ...snapshot.appointments.flatMap((s) => (s.clash && !places.has(s.id) ? [s.id] : [])),
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
