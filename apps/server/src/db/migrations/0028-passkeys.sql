-- Passkeys: docs/decisions/0151.

-- A therapist who logs in only with passkeys has no password.
alter table account alter column password_hash drop not null;
alter table account add constraint account_password check (password_hash is not null or role = 'therapist');

create table passkey (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account (id) on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  -- How often the passkey was used, as its device counts; always 0 for devices that do not count.
  counter bigint not null,
  -- How a browser can reach the device: internal, hybrid, usb and so on.
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint passkey_credential unique (credential_id),
  constraint passkey_sizes check (
    length(credential_id) between 1 and 1023 and length(public_key) between 1 and 2048 and cardinality(transports) <= 16
      and counter between 0 and 4294967295
  ),
  constraint passkey_name check (length(name) between 1 and 60)
);
create index passkey_account on passkey (account_id);

-- What a passkey must sign: each row works once, for five minutes, for one purpose. Shared by all processes.
create table passkey_challenge (
  challenge bytea primary key,
  purpose text not null,
  -- Whose passkey: nobody's yet for a login, and for an invitation the account that its use will make.
  account_id uuid,
  invitation_id uuid,
  expires_at timestamptz not null,
  constraint passkey_challenge_size check (length(challenge) = 32),
  constraint passkey_challenge_purpose check (purpose in ('log-in', 'confirm', 'add', 'welcome')),
  constraint passkey_challenge_about check (
    (account_id is null) = (purpose = 'log-in') and (invitation_id is not null) = (purpose = 'welcome')
  )
);
create index passkey_challenge_expired on passkey_challenge (expires_at);
