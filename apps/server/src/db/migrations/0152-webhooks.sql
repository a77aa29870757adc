-- Addresses of other programs that are told what changed: docs/decisions/0330.
create table webhook (
  id uuid primary key default gen_random_uuid(),
  url text not null,
  events text[] not null,
  locations text[], -- null: all
  secret text not null,
  -- The secret before, which also signs until then.
  old_secret text,
  old_until timestamptz,
  -- Changes after this position are still to be sent (record_change).
  after_xid xid8 not null,
  after_id bigint not null,
  version integer not null default 1,
  made_by uuid references account (id),
  made_at timestamptz not null,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_why text
);

create table webhook_delivery (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references webhook (id) on delete cascade,
  body text not null,
  made_at timestamptz not null,
  tries integer not null default 0,
  next_try_at timestamptz not null,
  taken_until timestamptz,
  sent_at timestamptz,
  failed_at timestamptz,
  fault text
);
create index webhook_delivery_due on webhook_delivery (next_try_at) where sent_at is null and failed_at is null;
create index webhook_delivery_of on webhook_delivery (webhook_id, made_at);
