import type { Generated, GeneratedAlways } from 'kysely';
import type { CallResult } from '@clinic/contract';
import type { FreeTime, Interval, Location, RingPromise, Service, ToldStretch } from '@clinic/domain';
import type { DateColumn, DefaultInstant, Instant, Json } from './columns.ts';

/** Who must be told about changes on a day, and what each person was told. */
export interface CallTables {
  call_day: { location: Location; date: DateColumn; opened_at: DefaultInstant };
  call_before: CallBeforeTable;
  call_answer: CallAnswerTable;
  call_decline: CallDeclineTable;
  call_claim: { location: Location; date: DateColumn; person: string; account_id: string; at: Instant };
  day_sheet: { location: Location; date: DateColumn; sent_at: Instant; account_id: string | null };
  message: MessageTable;
  own_day_seen: OwnDaySeenTable;
}

interface OwnDaySeenTable {
  therapist_id: string;
  location: Location;
  date: DateColumn;
  version: string;
  at: Instant;
  day: Json<ToldStretch[]> | null;
  /** The version of which `day` is. An older server changes only `version`. */
  day_version: string | null;
}

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
  day: Json<ToldStretch[]> | null;
}

/** Why a message was dropped before it was sent. */
export type DroppedWhy =
  | 'told'
  | 'page'
  | 'sheet'
  | 'said-no'
  | 'waits'
  | 'promise'
  | 'changed'
  | 'undone'
  | 'away'
  | 'left'
  | 'over'
  | 'newer'
  | 'address'
  | 'phone'
  | 'off'
  | 'ask'
  | 'ended';

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
  day: Json<ToldStretch[]> | null;
  cancelled: Json<ToldStretch[]> | null;
  ring_again: Json<RingPromise> | null;
  free: Json<FreeTime[]> | null;
  by_page: Generated<boolean>;
  at: Instant;
  account_id: string | null;
}

/** A time that a therapist said no to, with the session's client. */
export interface DeclinedTime extends Interval {
  readonly client: string | null;
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
  away: Json<Interval[]>;
  wall_minute: number;
  at: Instant;
  account_id: string | null;
  ended_at: Instant | null;
  ended_by: string | null;
  answer_id: string | null;
  said_to: Json<DeclinedTime[]>;
  repeated_by: Generated<string[]>;
}
