import type { Selectable } from 'kysely';
import type { IsoDate, Location, PersonKind } from '@clinic/domain';
import type { CLIENT_FIELDS, ProfileFields, THERAPIST_FIELDS } from '@clinic/contract';
import type { UnfitSession } from '../day/future-sessions.ts';
import type { LocationDay } from '../day/facts/versions.ts';
import type { Db } from '../db/connection.ts';
import type { Database } from '../db/schema.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { ProfileList } from './profile-list.ts';

/** The columns that every profile has besides the fields of its kind. */
type Always = 'id' | 'display_name' | 'version';
/** The rows as they are read, with each field in the contract. */
export type StoredTherapist = Pick<Selectable<Database['therapist']>, Always | keyof typeof THERAPIST_FIELDS>;
export type StoredClient = Pick<Selectable<Database['client']>, Always | keyof typeof CLIENT_FIELDS>;

export type StoredProfile = Pick<StoredTherapist & StoredClient, Always | 'first_name' | 'last_name' | 'location'>;
export type ProfileBody = Pick<StoredProfile, 'first_name' | 'last_name' | 'location'> & {
  version?: number | undefined;
};

/** What a save needs besides the body. */
export interface SaveContext {
  /** Today's date at the clinic. */
  readonly today: IsoDate;
  /** The clinic's current time, as PostgreSQL writes timestamps. */
  readonly now: string;
  /** The name of administrative time, which no client may have. */
  readonly adminClientName: string;
}

type ListNames<Body> = {
  [N in keyof Body & string]-?: NonNullable<Body[N]> extends readonly unknown[] ? N : never;
}[keyof Body & string];
type Entry<List> = NonNullable<List> extends readonly (infer E)[] ? E : never;
/**
 * Where each list of the body is stored. If the contract gets a list that has no entry here, the code does not compile.
 */
export type ListsOf<Body, Profile> = {
  readonly [N in ListNames<Body>]: ProfileList<Entry<Body[N]>, N extends keyof Profile ? Entry<Profile[N]> : never>;
};

/** Everything that differs between therapists' and clients' profiles; the service is the same for both. */
export interface ProfileKind<Row extends StoredProfile, Body extends ProfileBody, Profile> {
  readonly table: PersonKind;
  readonly fields: ProfileFields;
  /**
   * The columns, in minutes, that store the fields given in hours. Every other field has a column with the field's own
   * name.
   */
  readonly minuteColumns: Readonly<Record<string, string>>;
  readonly lists: ListsOf<Body, Profile>;
  /** Whether people of this kind can be deleted; a deleted person's row stays, with the time of the deletion. */
  readonly leaves: boolean;
  /** The fields and lists that plans do not depend on. */
  readonly outsidePlans: readonly string[];
  /** A profile as the API shows it, with its lists. */
  readonly present: (row: Row, lists: Pick<Profile, ListNames<Body> & keyof Profile>) => Profile;
  readonly unknown: () => Refusal;
  /** Refuses a body that is invalid in itself. */
  readonly checkBody: (body: Body, context: SaveContext) => void;
  /** Refuses a change that existing bookings do not allow. */
  readonly checkChange: (trx: Db, before: Row, after: Omit<Row, Always>, context: SaveContext) => Promise<void>;
  /**
   * Finds the future sessions that would no longer fit after a save; `now` is the clinic's time, as PostgreSQL writes
   * timestamps.
   */
  readonly unfitAfter: (db: Db, before: Row, body: Body, now: string) => Promise<UnfitSession[]>;
  /**
   * Finds the days, beginning with `from`, whose plans a change to this person could affect. `locations` are the
   * person's locations before and after the change.
   */
  readonly touchedDays: (trx: Db, id: string, locations: readonly Location[], from: IsoDate) => Promise<LocationDay[]>;
}
