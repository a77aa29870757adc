-- Other programs that read the clinic's records, each with public keys of its own: docs/decisions/0330.
create table service_account (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(btrim(name)) between 1 and 80),
  scopes text[] not null,
  locations text[], -- null: all
  keys jsonb not null, -- public keys (JWK)
  version integer not null default 1,
  made_by uuid references account (id),
  made_at timestamptz not null,
  used_at timestamptz,
  disabled_at timestamptz
);

-- The assertions that got a token, so that no server takes one a second time.
create table service_assertion (
  service_account_id uuid not null references service_account (id) on delete cascade,
  jti_hash bytea not null,
  expires_at timestamptz not null,
  primary key (service_account_id, jti_hash)
);
