import type { ColumnType, Generated } from 'kysely';
import type { ImportKind } from '@clinic/contract';
import type {
  AuthorizationPeriod,
  BillingCode,
  Gender,
  IsoDate,
  Location,
  PayerCredential,
  Specialization,
} from '@clinic/domain';
import type { DateColumn, DefaultInstant, Instant, Json } from './columns.ts';

/** Therapists and clients, the records that belong to them, and the data that an import stores about them. */
export interface PeopleTables {
  therapist: TherapistTable;
  /** Where a therapist was before, written only by a trigger. Both dates are included. */
  former_stay: {
    therapist_id: string;
    location: Location;
    first_date: DateColumn;
    last_date: DateColumn;
  };
  therapist_availability: {
    id: Generated<string>;
    therapist_id: string;
    day_of_week: number;
    start_minute: number;
    end_minute: number;
    from_date: string | null;
    until_date: string | null;
  };
  therapist_credential: {
    id: Generated<string>;
    therapist_id: string;
    credential: Specialization;
    number: Generated<string>;
    from_date: string | null;
    until_date: string | null;
  };
  therapist_tag: {
    id: Generated<string>;
    therapist_id: string;
    tag: string;
    /** The tag in the form used for comparison (`nameKey`). */
    tag_key: string;
    from_date: string | null;
    until_date: string | null;
  };
  client: ClientTable;
  client_restriction: {
    id: Generated<string>;
    client_id: string;
    requires_gender: Gender | null;
    excludes_therapist_id: string | null;
  };
  client_authorization: {
    id: Generated<string>;
    client_id: string;
    payer: string;
    code: BillingCode;
    number: Generated<string>;
    from_date: DateColumn;
    until_date: DateColumn;
    /** The number of 15-minute units in each period. */
    units: number;
    period: ColumnType<AuthorizationPeriod, AuthorizationPeriod | undefined, AuthorizationPeriod>;
    /** Units used through the date `prior_until`, on the calendar or not. */
    prior_units: ColumnType<number | null, number | null | undefined, number | null>;
    prior_until: ColumnType<IsoDate | null, string | null | undefined, string | null>;
  };
  client_need: { client_id: string; tag: string; tag_key: string; must: boolean };
  contact: ContactTable;
  payer: {
    name_key: string;
    name: string;
    credential: PayerCredential | null;
    tag: string | null;
    concurrent: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  };
  import_row: ImportRowTable;
  folder_import: FolderImportTable;
  import_difference: ImportDifferenceTable;
  import_answer: { kind: ImportKind | 'causes'; column_key: string; answer: string; answered_at: DefaultInstant };
}

type Limit = ColumnType<number | null, number | null | undefined, number | null>;

interface TherapistTable {
  id: string;
  first_name: string;
  last_name: string;
  display_name: string;
  /** The display name's key. The function `shownAs` makes the name and the key. */
  name_key: string;
  location: Location;
  specialization: Specialization;
  gender: Gender;
  start_date: DateColumn;
  end_date: ColumnType<IsoDate | null, string | null, string | null>;
  week_minutes: Limit;
  day_minutes: Limit;
  guaranteed_minutes: Limit;
  /**
   * These three columns hold the limits above in whole hours, for servers of older releases; the database fills them.
   */
  week_hours: Limit;
  day_hours: Limit;
  guaranteed_hours: Limit;
  consistency: number | null;
  deleted_at: Instant | null;
  version: Generated<number>;
  created_at: DefaultInstant;
  updated_at: DefaultInstant;
}

interface ClientTable {
  id: string;
  first_name: string;
  last_name: string;
  display_name: string;
  /** The display name's key. The function `shownAs` makes the name and the key. */
  name_key: string;
  location: Location;
  gender: Gender;
  priority: Generated<number>;
  two_to_one: Generated<boolean>;
  care_team_only: Generated<boolean>;
  rbt_or_above: Generated<boolean>;
  /** The last day at the clinic, inclusive; null when not known. */
  end_date: ColumnType<IsoDate | null, string | null | undefined, string | null>;
  likes: Generated<string>;
  helps: Generated<string>;
  avoid: Generated<string>;
  version: Generated<number>;
  created_at: DefaultInstant;
  updated_at: DefaultInstant;
}

interface ContactTable {
  id: Generated<string>;
  client_id: string | null;
  therapist_id: string | null;
  rank: number;
  name: string;
  relation: Generated<string>;
  phone: Generated<string>;
  email: Generated<string>;
  language: Generated<string>;
  preferred: Generated<string>;
}

interface ImportRowTable {
  kind: 'therapist' | 'client' | 'appointment';
  key: string;
  content_hash: string;
  target_id: string;
  target_version: number;
  imported_at: DefaultInstant;
}

interface FolderImportTable {
  id: Generated<string>;
  at: Instant;
  state: 'waiting' | 'imported' | 'superseded' | 'failed';
  folder: string;
  summary: Json<unknown>;
  refused: string[];
  wanted_at: Instant | null;
  wanted_by: string | null;
}

interface ImportDifferenceTable {
  key: string;
  appointment_id: string;
  hash: string;
  version: number;
  both_changed: boolean;
  theirs: Json<unknown>;
  decision: 'theirs' | 'ours' | null;
  decided_by: string | null;
  decided_at: Instant | null;
}
