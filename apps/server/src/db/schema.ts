// Over 250 lines: the types of every table in one place, which a test compares with the migrated database.
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely';
import type { CallResult, ImportKind } from '@clinic/contract';
import type {
  AuthorizationPeriod,
  BillingCode,
  Gender,
  IsoDate,
  Location,
  LossSide,
  PayerCredential,
  Service,
  Specialization,
} from '@clinic/domain';

/**
 * The tables' TypeScript types; the migrations define the tables themselves. Dates, times and bigints arrive as strings
 * (connection.ts): dates as `YYYY-MM-DD`, the clinic's times as `YYYY-MM-DD HH:MM:SS`, other times in UTC.
 */
type Json<T> = JSONColumnType<T & object, string, string>;
type DateColumn = ColumnType<IsoDate, string, string>;
type Instant = string;
type DefaultInstant = ColumnType<string, string | undefined, string>;

export interface Database {
  location: { value: Location; label: string; group_name: string; zone: string };
  setting: { key: string; value: Json<unknown> };
  account: AccountTable;
  session: SessionTable;
  invitation: InvitationTable;
  login_budget: { key: string; tokens: number; refilled_at: Instant };
  therapist: TherapistTable;
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
  };
  client_need: { client_id: string; tag: string; tag_key: string; must: boolean };
  contact: ContactTable;
  location_day: {
    location: Location;
    date: DateColumn;
    version: ColumnType<string, string | number | undefined, string | number>;
  };
  weekly_series: WeeklySeriesTable;
  appointment: AppointmentTable;
  payer: {
    name_key: string;
    name: string;
    credential: PayerCredential | null;
    tag: string | null;
    concurrent: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  };
  cause: { id: string; label: string; lost_by: LossSide | null; retired_at: Instant | null };
  absence: AbsenceTable;
  proposal: {
    id: string;
    location: Location;
    dates: string[];
    revision: Generated<number>;
    created_by: string | null;
    created_at: DefaultInstant;
  };
  proposal_revision: ProposalRevisionTable;
  schedule_commit: ScheduleCommitTable;
  appointment_event: AppointmentEventTable;
  idempotency_key: IdempotencyKeyTable;
  import_row: ImportRowTable;
  import_answer: { kind: ImportKind | 'causes'; column_key: string; answer: string; answered_at: DefaultInstant };
  call_day: { location: Location; date: DateColumn; opened_at: DefaultInstant };
  call_before: CallBeforeTable;
  call_answer: CallAnswerTable;
  day_sheet: { location: Location; date: DateColumn; sent_at: Instant; account_id: string | null };
  call_decline: CallDeclineTable;
  call_claim: { location: Location; date: DateColumn; person: string; account_id: string; at: Instant };
  absence_report: AbsenceReportTable;
  extra_hours: ExtraHoursTable;
  message: MessageTable;
  presence: PresenceTable;
  own_day_seen: { therapist_id: string; location: Location; date: DateColumn; version: string; at: Instant };
  audit: AuditTable;
  audit_head: { chain: number; number: string; hash: Buffer };
}

export type Role = 'scheduler' | 'admin' | 'therapist';
/** FHIR's words, which the contract translates into the API's. */
export type AppointmentStatus = 'pending' | 'booked' | 'fulfilled' | 'cancelled' | 'noshow' | 'entered-in-error';

/** Why time is lost, who caused the loss, and when it became known; all null when nothing is recorded. */
interface LossColumns {
  lost_by: LossSide | null;
  cause_id: string | null;
  known_at: string | null;
}

interface AccountTable {
  id: Generated<string>;
  email: string;
  name: string;
  role: Role;
  locations: Location[] | null;
  /** The therapist whom the account belongs to; null for all other roles. */
  therapist_id: string | null;
  password_hash: string;
  demo: Generated<boolean>;
  disabled_at: Instant | null;
  created_at: DefaultInstant;
  updated_at: DefaultInstant;
}

interface SessionTable {
  id: Generated<string>;
  account_id: string;
  created_at: Instant;
  last_seen_at: Instant;
  expires_at: Instant;
  ended_at: Instant | null;
  ended_why: 'signed-out' | 'idle' | 'expired' | 'disabled' | 'password' | null;
}

interface InvitationTable {
  id: Generated<string>;
  therapist_id: string;
  email: string;
  secret_hash: Buffer | null;
  mailed_hashes: Generated<Buffer[]>;
  invited_by: string | null;
  invited_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
  withdrawn_at: Instant | null;
}

interface TherapistTable {
  id: string;
  first_name: string;
  last_name: string;
  display_name: string;
  /** The display name's key; `shownAs` makes both columns. */
  name_key: string;
  location: Location;
  specialization: Specialization;
  gender: Gender;
  start_date: DateColumn;
  end_date: ColumnType<IsoDate | null, string | null, string | null>;
  week_hours: number | null;
  day_hours: number | null;
  guaranteed_hours: number | null;
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
  /** The display name's key; `shownAs` makes both columns. */
  name_key: string;
  location: Location;
  gender: Gender;
  priority: Generated<number>;
  two_to_one: Generated<boolean>;
  care_team_only: Generated<boolean>;
  rbt_or_above: Generated<boolean>;
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

interface WeeklySeriesTable {
  id: Generated<string>;
  location: Location;
  client_id: string | null;
  therapist_id: string | null;
  service: Service;
  subject: string;
  day_of_week: number;
  start_minute: number;
  end_minute: number;
  from_date: DateColumn;
  until_date: ColumnType<IsoDate | null, string | null, string | null>;
  made_until: string;
}

interface AppointmentTable extends LossColumns {
  id: Generated<string>;
  wire_id: string;
  location: Location;
  client_id: string | null;
  therapist_id: string | null;
  booked_therapist_id: string | null;
  service: Service;
  subject: string;
  status: AppointmentStatus;
  starts: string;
  ends: string;
  place: string;
  client_place: string;
  seat: Generated<number>;
  group_key: string | null;
  clash: Generated<boolean>;
  parent_id: string | null;
  series_id: string | null;
  commit_id: string | null;
  family_told_at: Instant | null;
  version: Generated<number>;
  created_at: DefaultInstant;
  updated_at: DefaultInstant;
  occupies: GeneratedAlways<boolean>;
}
export type AppointmentRow = Selectable<AppointmentTable>;

export type AbsenceRow = Selectable<AbsenceTable>;

interface AbsenceTable extends LossColumns {
  id: Generated<string>;
  location: Location;
  therapist_id: string | null;
  client_id: string | null;
  date: DateColumn;
  start_minute: number;
  end_minute: number;
  reported_by: string | null;
  reported_at: DefaultInstant;
  withdrawn_by: string | null;
  withdrawn_at: Instant | null;
}

interface AbsenceReportTable {
  id: Generated<string>;
  therapist_id: string;
  first_date: DateColumn;
  first_minute: number;
  last_date: DateColumn;
  last_minute: number;
  cause: 'sick' | 'family-reason' | 'leave' | 'weather' | 'other';
  reported_by: string | null;
  reported_at: Instant;
  decision: 'confirmed' | 'declined' | 'withdrawn' | null;
  decided_by: string | null;
  decided_at: Instant | null;
}

interface PresenceTable {
  tab: string;
  account_id: string;
  location: Location;
  date: DateColumn;
  what: PresenceWhat;
  seen_at: Instant;
}

/** The dialog or page that someone has open: a day's options, or its call list. */
export type PresenceWhat = 'options' | 'calls';

interface MessageTable {
  id: Generated<string>;
  location: Location;
  date: DateColumn;
  person: string;
  number: number;
  version: string;
  way: 'email' | 'text';
  address: string;
  words: string;
  released_by: string | null;
  released_at: Instant;
  tries: Generated<number>;
  next_try_at: Instant;
  taken_until: Instant | null;
  sent_at: Instant | null;
  failed_at: Instant | null;
  fault: string | null;
  dropped_at: Instant | null;
  dropped_why: DroppedWhy | null;
  invitation_id: string | null;
}

/** Why a message was dropped before it was sent. */
export type DroppedWhy = 'told' | 'page' | 'sheet' | 'said-no' | 'changed' | 'over' | 'newer' | 'address' | 'ended';

interface ProposalRevisionTable {
  proposal_id: string;
  revision: number;
  queries: Json<unknown>;
  pins: Json<unknown>;
  days: Json<unknown>;
  data: Json<unknown>;
  metadata: Json<unknown>;
  backed_up_therapists: Json<unknown>;
  created_by: string | null;
  created_at: DefaultInstant;
}

interface ScheduleCommitTable {
  id: Generated<string>;
  proposal_id: string;
  revision: number;
  location: Location;
  sent_location: string | null;
  choice: Json<unknown>;
  choice_key: string;
  changes: Json<unknown>;
  summary: Json<unknown>;
  reply: Json<unknown>;
  workbook: Buffer;
  committed_by: string | null;
  committed_at: DefaultInstant;
  undone_by: string | null;
  undone_at: Instant | null;
}

interface AppointmentEventTable {
  id: GeneratedAlways<string>;
  appointment_id: string;
  at: DefaultInstant;
  account_id: string | null;
  what: string;
  reason: string | null;
  commit_id: string | null;
  before: Json<unknown> | null;
  after: Json<unknown> | null;
}

interface IdempotencyKeyTable {
  account_id: string;
  key: string;
  body_hash: string;
  commit_id: string;
  created_at: DefaultInstant;
}

interface ImportRowTable {
  kind: 'therapist' | 'client' | 'appointment';
  key: string;
  content_hash: string;
  target_id: string;
  target_version: number;
  imported_at: DefaultInstant;
}

interface CallBeforeTable {
  location: Location;
  date: DateColumn;
  appointment_id: string;
  client_id: string | null;
  therapist_id: string | null;
  service: Service | null;
  starts: string | null;
  ends: string | null;
}

interface CallAnswerTable {
  id: GeneratedAlways<string>;
  location: Location;
  date: DateColumn;
  therapist_id: string | null;
  client_id: string | null;
  answer: CallResult;
  note: string | null;
  version: string;
  day: Json<unknown> | null;
  by_page: Generated<boolean>;
  at: Instant;
  account_id: string | null;
}

interface CallDeclineTable {
  id: GeneratedAlways<string>;
  location: Location;
  date: DateColumn;
  therapist_id: string;
  client_id: string | null;
  scope: 'session' | 'today' | 'until';
  sessions: string[];
  until_minute: number | null;
  away: Json<{ start: number; end: number }[]>;
  wall_minute: number;
  at: Instant;
  account_id: string | null;
  ended_at: Instant | null;
  ended_by: string | null;
}

interface ExtraHoursTable {
  id: GeneratedAlways<string>;
  location: Location;
  date: DateColumn;
  therapist_id: string;
  kind: 'late' | 'early';
  start_minute: number;
  end_minute: number;
  session: string;
  commit_id: string | null;
  asked_by: string | null;
  asked_at: Instant;
  agreed_by: string | null;
  agreed_at: Instant | null;
  sheet_at: Instant | null;
  ended_at: Instant | null;
}

interface AuditTable {
  chain: number;
  number: string;
  at: Instant;
  account_id: string | null;
  action: string;
  subject_kind: string;
  subject_ids: string[];
  location: string | null;
  detail: Json<unknown>;
  request_id: string | null;
  prev_hash: Buffer;
  hash: Buffer;
}
