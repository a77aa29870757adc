import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Location } from '@clinic/domain';
import type { DefaultInstant, Instant, Json } from './columns.ts';

/** What other programs read and are told: service accounts, changes of records, webhooks. */
export interface RecordTables {
  service_account: ServiceAccountTable;
  service_assertion: { service_account_id: string; jti_hash: Buffer; expires_at: Instant };
  record_change: RecordChangeTable;
  /** What a record said from `at` on, as JSON; written only by triggers. */
  record_state: {
    kind: 'therapist' | 'client' | 'account' | 'location';
    subject: string;
    number: number;
    at: Instant;
    state: string;
    prev_hash: Buffer;
    hash: Buffer;
  };
  record_floor: { only_row: Generated<boolean>; epoch: Generated<string>; xid: Generated<string> };
  webhook: WebhookTable;
  webhook_delivery: WebhookDeliveryTable;
}

interface ServiceAccountTable {
  id: Generated<string>;
  name: string;
  scopes: string[];
  locations: Location[] | null;
  keys: Json<unknown>;
  version: Generated<number>;
  made_by: string | null;
  made_at: Instant;
  used_at: Instant | null;
  disabled_at: Instant | null;
}

interface RecordChangeTable {
  id: GeneratedAlways<string>;
  xid: Generated<string>;
  at: DefaultInstant;
  kind: string;
  subject: string;
  version: ColumnType<string, string | number, string | number>;
  location: Location;
  date: ColumnType<string | null, string | null | undefined, string | null>;
}

interface WebhookTable {
  id: Generated<string>;
  url: string;
  events: string[];
  locations: Location[] | null;
  secret: string;
  old_secret: string | null;
  old_until: Instant | null;
  after_xid: string;
  after_id: string;
  version: Generated<number>;
  made_by: string | null;
  made_at: Instant;
  failing_since: Instant | null;
  disabled_at: Instant | null;
  disabled_why: string | null;
}

interface WebhookDeliveryTable {
  id: Generated<string>;
  webhook_id: string;
  body: string;
  made_at: Instant;
  tries: Generated<number>;
  next_try_at: Instant;
  taken_until: Instant | null;
  sent_at: Instant | null;
  failed_at: Instant | null;
  fault: string | null;
}
