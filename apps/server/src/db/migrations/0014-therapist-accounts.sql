-- Accounts of therapists, who see their own day and nothing else: docs/decisions/0115.

alter table account drop constraint account_role_check;
alter table account add constraint account_role_check check (role in ('scheduler', 'admin', 'therapist'));
alter table account add column therapist_id text references therapist (id);
alter table account add constraint account_of_therapist check ((role = 'therapist') = (therapist_id is not null));
create unique index account_therapist on account (therapist_id) where therapist_id is not null;

-- Invitations: the link's secret is not stored, only its SHA-256. Each can be used once, until it expires.
create table invitation (
  id uuid primary key default gen_random_uuid(),
  therapist_id text not null references therapist (id),
  email text not null check (email = lower(email) and length(email) <= 254),
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  invited_by uuid references account (id),
  invited_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  withdrawn_at timestamptz
);
create unique index invitation_open on invitation (therapist_id) where used_at is null and withdrawn_at is null;
