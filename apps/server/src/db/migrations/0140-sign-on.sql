-- People log in with their clinic's own accounts (OpenID Connect): docs/decisions/0320.

-- Which person of which issuer an account belongs to. One person has one account, and an account one person of an
-- issuer, so that an address that is given to somebody else opens nothing.
create table account_identity (
  issuer text not null,
  subject text not null,
  account_id uuid not null references account (id) on delete cascade,
  linked_at timestamptz not null,
  used_at timestamptz not null,
  primary key (issuer, subject),
  constraint account_identity_once unique (account_id, issuer)
);

-- A sign-on under way: bound to a browser, used once, for minutes. First it waits for the issuer's answer (`nonce` and
-- `verifier`), then for the page that fetches its token (`account_id`). Secrets are stored as hashes.
create table sign_on (
  key_hash bytea primary key,
  browser_hash bytea not null,
  nonce text,
  verifier text,
  account_id uuid references account (id) on delete cascade,
  expires_at timestamptz not null,
  constraint sign_on_step check (
    (account_id is null) = (nonce is not null) and (nonce is null) = (verifier is null)
  )
);
create index sign_on_expires on sign_on (expires_at);

-- Whoever signs on elsewhere needs neither a password nor a passkey here.
alter table account add column signs_on boolean not null default false;
-- How a session began, if not with a password.
alter table session add column way text;

create or replace function a_way_to_log_in() returns trigger language plpgsql as $$
declare
  whose uuid;
  closed boolean;
begin
  if tg_table_name = 'account' then whose := new.id; else whose := old.account_id; end if;
  select a.password_hash is null and not a.signs_on into closed from account a where a.id = whose for no key update;
  if found and closed and not exists (select from passkey p where p.account_id = whose) then
    raise exception 'account % would have no way to log in', whose
      using errcode = '23514', constraint = 'a_way_to_log_in';
  end if;
  return null;
end $$;
