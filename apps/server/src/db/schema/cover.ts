import type { Generated, GeneratedAlways } from 'kysely';
import type { Location } from '@clinic/domain';
import type { DateColumn, DefaultInstant, Instant, Json } from './columns.ts';

/** Reported absences, proposals, commits, and extra hours that therapists were asked to work. */
export interface CoverTables {
  absence_report: AbsenceReportTable;
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
  idempotency_key: IdempotencyKeyTable;
  extra_hours: ExtraHoursTable;
  presence: PresenceTable;
  server: { place: string; ways: string[]; settings: Json<unknown>; seen_at: Instant };
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

/** What a user has open: a day's options or its call list. */
export type PresenceWhat = 'options' | 'calls';

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

interface IdempotencyKeyTable {
  account_id: string;
  key: string;
  body_hash: string;
  commit_id: string;
  created_at: DefaultInstant;
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
