-- The secret address at which another program reads a therapist's own calendar. Only the hash of the secret is stored.
create table calendar_feed (
  account_id uuid primary key references account (id) on delete cascade,
  secret_hash bytea not null unique,
  made_at timestamptz not null,
  read_at timestamptz
);
