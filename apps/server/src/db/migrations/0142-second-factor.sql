-- A second factor beside the password (RFC 6238): docs/decisions/0320.

-- The secret is sealed with a key made from the one that signs tokens. `last_step` is the time step of the last code
-- that was used: a code works once.
create table second_factor (
  account_id uuid primary key references account (id) on delete cascade,
  secret bytea not null,
  made_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0
);
-- Codes for a lost phone, as hashes; a used one is deleted.
create table recovery_code (
  account_id uuid not null references account (id) on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);
