import type { Employment, Interval, IsoDate, Location, PersonKind, Service } from '@clinic/domain';
import type { AppointmentStatus } from '../../db/schema/calendar.ts';
import type { DetailsSnapshot } from '../rows/details.ts';
import type { ParsedRestrictions } from '../rows/fields.ts';
import { contentHash } from './hash.ts';
import type { AppointmentRecord, ClientRecord, ImportedLoss, TherapistRecord, Windows } from '../import-types.ts';

/**
 * What an earlier import recorded about a row: a hash of its content, the record it became, and that record's version.
 */
export interface KnownRow {
  readonly hash: string;
  readonly targetId: string;
  readonly targetVersion: number;
}

interface StoredPerson {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName: string;
  readonly location: Location;
  readonly version: number;
}

export interface StoredTherapist extends StoredPerson, Employment {
  readonly deleted: boolean;
  readonly windows: readonly Windows[];
}

export interface StoredClient extends StoredPerson, ParsedRestrictions {
  /** The last day at the clinic, if one is recorded. */
  readonly endDate: IsoDate | null;
  /** Whether a second seat is booked for today or later. */
  readonly secondSeat: boolean;
}

export interface StoredAppointment extends Interval {
  readonly id: string;
  readonly version: number;
  readonly location: Location;
  readonly date: IsoDate;
  readonly therapistId: string | null;
  readonly clientId: string | null;
  readonly service: Service;
  readonly status: AppointmentStatus;
  readonly occupies: boolean;
  readonly place: string;
  readonly clientPlace: string;
  readonly seat: 1 | 2;
  readonly clash: boolean;
  readonly groupKey: string | null;
  readonly wireId: string;
  readonly subject: string;
  readonly loss: ImportedLoss | null;
  /** The key of the row from which an import created this appointment; null if it was created in the product. */
  readonly importKey: string | null;
  readonly importVersion: number | null;
  readonly importHash: string | null;
}

/** Whether an appointment is as an import wrote it: not changed since, or changed and then undone. */
export function isImported(s: StoredAppointment): boolean {
  if (s.importVersion === s.version || s.importHash === null) return s.importVersion === s.version;
  return contentHash(asRecord(s)) === s.importHash || hasImportedLoss(s);
}

/** Whether why and when an appointment was lost is as an import wrote it, and nothing else has changed either. */
export const hasImportedLoss = (s: StoredAppointment): boolean =>
  s.loss !== null && contentHash({ ...asRecord(s), loss: s.loss }) === s.importHash;

function asRecord(s: StoredAppointment): AppointmentRecord {
  const { wireId, location, clientId, therapistId, service, subject, status, date, start, end, groupKey } = s;
  return { wireId, location, clientId, therapistId, service, subject, status, date, start, end, groupKey };
}

/** What a plan for people needs to know about the stored people. */
export interface PeopleSnapshot {
  readonly therapists: readonly StoredTherapist[];
  readonly clients: readonly StoredClient[];
  readonly known: Readonly<Record<PersonKind, ReadonlyMap<string, KnownRow>>>;
}

/** What a plan for sessions needs to know about the calendar. */
export interface DaysSnapshot {
  /** The appointments stored under the sessions' keys, and all appointments on their old and new dates. */
  readonly appointments: readonly StoredAppointment[];
  /** What earlier imports recorded, by the sessions' keys. */
  readonly known: ReadonlyMap<string, KnownRow>;
}

/** A record to write. */
export interface Write<T> {
  /** The row's key in `import_row`. */
  readonly key: string;
  readonly hash: string;
  readonly id: string;
  /** The version that this write replaces; null for a new record. */
  readonly replaces: number | null;
  readonly record: T;
}

export type AppointmentRecordWrite = Write<AppointmentRecord> & {
  /** Whether the file's cause, side and time replace the stored ones, because these came from an import too. */
  readonly replacesLoss: boolean;
  /** The key under which an earlier import stored this appointment with another Id; null if there is none. */
  readonly formerKey: string | null;
};
export type TherapistWrite = Write<TherapistRecord> & { readonly displayName: string };
export type ClientWrite = Write<ClientRecord> & { readonly displayName: string };
/** A person who was stored before the import and is unchanged: the import only links the row to them. */
export interface Link {
  readonly key: string;
  readonly hash: string;
  readonly id: string;
  readonly version: number;
}

/** Reads what `ImportStore.read('people')` returns. */
export function parsePeople(text: string): PeopleSnapshot {
  const { therapists, clients, known } = JSON.parse(text) as Pick<PeopleSnapshot, 'therapists' | 'clients'> & {
    known: (KnownRow & { kind: PersonKind; key: string })[];
  };
  const of = (kind: PersonKind) => new Map(known.filter((row) => row.kind === kind).map((row) => [row.key, row]));
  return { therapists, clients, known: { therapist: of('therapist'), client: of('client') } };
}

/** Reads what `ImportStore.read('details')` returns. */
export const parseDetails = (text: string): DetailsSnapshot => JSON.parse(text) as DetailsSnapshot;

/** How many keys, ids or dates to read at once, so that each read is at most a few megabytes of text. */
export const KEYS_AT_ONCE = 2000;
const DATES_AT_ONCE = 5;

interface Reads {
  read(name: 'known' | 'occurrences' | 'appointments' | 'made' | 'days' | 'moved', wanted: string): Promise<string>;
}

/** Runs a read for so many of the wanted values at a time, and returns all rows. */
export async function readParts<T>(
  store: Reads,
  name: Parameters<Reads['read']>[0],
  wanted: readonly unknown[],
  atOnce: number,
): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < wanted.length; at += atOnce) {
    const rows = JSON.parse(await store.read(name, JSON.stringify(wanted.slice(at, at + atOnce)))) as T[];
    for (const row of rows) found.push(row);
  }
  return found;
}

/**
 * Reads the appointments that these sessions could affect: all appointments on the sessions' old and new dates and, if
 * some sessions have keys that no import knows, those made here with their Ids, and those within three months that may
 * have been moved here from these dates.
 */
export async function readDays(
  store: Reads,
  sessions: readonly { readonly key: string; readonly record: { readonly date: IsoDate; readonly wireId: string } }[],
): Promise<DaysSnapshot> {
  const rows = await readParts<KnownRow & { key: string }>(
    store,
    'known',
    sessions.map((each) => each.key),
    KEYS_AT_ONCE,
  );
  const found = new Map<string, StoredAppointment>();
  const seen = new Set<string>();
  const readDates = async (dates: Iterable<string>): Promise<void> => {
    const further = [...new Set(dates)].filter((date) => !seen.has(date)).sort();
    for (const each of await readParts<StoredAppointment>(store, 'days', further, DATES_AT_ONCE))
      found.set(each.id, each);
    for (const date of further) seen.add(date);
  };
  await readDates(sessions.map((each) => each.record.date));
  // The appointment stored under a key may be on a different date from the session in the file.
  const elsewhere = rows.map((row) => row.targetId).filter((id) => !found.has(id));
  const moved = await readParts<StoredAppointment>(store, 'appointments', elsewhere, KEYS_AT_ONCE);
  await readDates(moved.map((each) => each.date));
  const dates = sessions.map((each) => each.record.date).sort();
  if (rows.length < sessions.length) {
    const known = new Set(rows.map((row) => row.key));
    const unknown = sessions.flatMap(({ key, record }) =>
      key.startsWith('id:') && !known.has(key) ? [record.wireId] : [],
    );
    for (const each of await readParts<StoredAppointment>(store, 'made', unknown, KEYS_AT_ONCE))
      if (!found.has(each.id)) found.set(each.id, each);
    const span = [dates[0], dates.at(-1)];
    for (const each of await readParts<StoredAppointment>(store, 'moved', span, span.length))
      if (!found.has(each.id)) found.set(each.id, each);
  }
  return { appointments: [...found.values()], known: new Map(rows.map((row) => [row.key, row])) };
}
