-- People whom the clinic's directory provisions (SCIM 2): docs/decisions/0320. The user name counts whatever its case; without
-- one, it is the email. A deleted person's account stays, disabled, and may be provisioned again.
alter table account add column user_name text;
alter table account add column external_id text;
alter table account add column scim_roles text[];
alter table account add column scim_deleted_at timestamptz;
create unique index account_user_name on account (lower(coalesce(user_name, email)));
create unique index account_external_id on account (external_id);
