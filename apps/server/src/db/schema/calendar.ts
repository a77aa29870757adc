import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { IsoDate, Location, LossSide, OpeningHours, Service } from '@clinic/domain';
import type { DateColumn, DefaultInstant, Instant, Json } from './columns.ts';

/** Locations, their days, appointments and absences. */
export interface CalendarTables {
  location: {
    value: Location;
    label: string;
    group_name: string;
    zone: string;
    hours: ColumnType<readonly OpeningHours[] & object, string | undefined, string>;
    /** The first date without it; null while it is open. */
    closed_from: ColumnType<IsoDate | null, string | null | undefined, string | null>;
    /** The location that took over its people and sessions. */
    merged_into: Location | null;
  };
  setting: { key: string; value: Json<unknown> };
  location_day: {
    location: Location;
    date: DateColumn;
    version: ColumnType<string, string | number | undefined, string | number>;
  };
  weekly_series: WeeklySeriesTable;
  /** Which lost session a session makes up, and how many minutes of it. */
  made_up: { session: string; lost: string; minutes: number };
  appointment: AppointmentTable;
  appointment_event: AppointmentEventTable;
  cause: { id: string; label: string; lost_by: LossSide | null; retired_at: Instant | null };
  absence: AbsenceTable;
  leave: LeaveTable;
  closure: ClosureTable;
  leave_exception: { leave_id: string; date: DateColumn };
}

/** FHIR's statuses; the contract translates them into the API's statuses. */
export type AppointmentStatus = 'pending' | 'booked' | 'fulfilled' | 'cancelled' | 'noshow' | 'entered-in-error';

/** Why time is lost, who caused the loss, and when it became known; all null when nothing is recorded. */
interface LossColumns {
  lost_by: LossSide | null;
  cause_id: string | null;
  known_at: string | null;
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
  /** Whether it is a meeting's: whoever has a session with a client or is away is left out. */
  meeting: Generated<boolean>;
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
  /** When it takes place, by the clock of its location; kept by a trigger, and null only within it. */
  instants: ColumnType<string | null, undefined, null>;
  occupies: GeneratedAlways<boolean>;
}

export type AppointmentRow = Selectable<AppointmentTable>;
/**
 * The columns that every new appointment must set: who is booked, for what, when, and which place and seat it takes.
 */
export type BookedColumns = Pick<
  AppointmentRow,
  | 'location'
  | 'client_id'
  | 'therapist_id'
  | 'booked_therapist_id'
  | 'service'
  | 'subject'
  | 'status'
  | 'starts'
  | 'ends'
  | 'place'
  | 'client_place'
  | 'seat'
  | 'group_key'
>;

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
  untold: boolean | null;
  leave_id: string | null;
}

interface ClosureTable {
  id: Generated<string>;
  act: string;
  location: Location;
  first_date: DateColumn;
  first_minute: number;
  last_date: DateColumn;
  last_minute: number;
  name: string;
  cause_id: string | null;
  holiday: Generated<boolean>;
  changes: ColumnType<object, string | undefined, string>;
  recorded_by: string | null;
  recorded_at: Instant;
  reopened_by: string | null;
  reopened_at: Instant | null;
}

interface LeaveTable extends LossColumns {
  id: Generated<string>;
  location: Location;
  therapist_id: string | null;
  client_id: string | null;
  first_date: DateColumn;
  last_date: ColumnType<IsoDate | null, string | null, string | null>;
  weekdays: number[];
  start_minute: number;
  end_minute: number;
  untold: boolean | null;
  made_until: DateColumn;
  set_aside: ColumnType<object, string | undefined, string>;
  recorded_by: string | null;
  recorded_at: Instant;
  changed_by: string | null;
  changed_at: Instant;
  before: Json<unknown> | null;
  ended_at: Instant | null;
}

export type AbsenceRow = Selectable<AbsenceTable>;

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
