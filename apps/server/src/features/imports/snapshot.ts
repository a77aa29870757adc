import type { IsoDate, Location, Service } from '@clinic/domain';
import type { AppointmentStatus } from '../../db/schema.ts';
import type { ClientRecord, TherapistRecord, Windows } from './import-types.ts';

/** What an earlier import knows of a row: what it said, what it became, and that one's version when it did. */
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

export interface StoredTherapist extends StoredPerson {
  readonly deleted: boolean;
  readonly windows: readonly Windows[];
}

export interface StoredClient extends StoredPerson {
  readonly twoToOne: boolean;
}

export interface StoredAppointment {
  readonly id: string;
  readonly version: number;
  readonly location: Location;
  readonly date: IsoDate;
  readonly start: number;
  readonly end: number;
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
}

/** All that planning needs to know of the database. */
export interface Snapshot {
  readonly therapists: readonly StoredTherapist[];
  readonly clients: readonly StoredClient[];
  /** Those of imported rows, and all of the dates that are imported. */
  readonly appointments: readonly StoredAppointment[];
  readonly known: Readonly<Record<'therapist' | 'client' | 'appointment', ReadonlyMap<string, KnownRow>>>;
}

/** A row's part of the plan that is to be written. */
export interface Write<T> {
  /** The row's key in `import_row`. */
  readonly key: string;
  readonly hash: string;
  readonly id: string;
  /** The version that it replaces; null: new. */
  readonly replaces: number | null;
  readonly record: T;
}

export type TherapistWrite = Write<TherapistRecord> & { readonly displayName: string };
export type ClientWrite = Write<ClientRecord> & { readonly displayName: string };
/** Someone who was here before the import and is the same: linked, not changed. */
export interface Link {
  readonly key: string;
  readonly hash: string;
  readonly id: string;
  readonly version: number;
}
