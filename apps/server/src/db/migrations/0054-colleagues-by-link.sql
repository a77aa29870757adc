-- Colleagues are invited by link, as therapists are: docs/decisions/0267.

-- An invitation of a colleague has no therapist, but the name, role and locations of the account that it makes
-- (`locations` null: all). It ends when the administrator who made it could no longer make it.
alter table invitation alter column therapist_id drop not null;
alter table invitation add column name text;
alter table invitation add column role text not null default 'therapist';
alter table invitation add column locations text[];
alter table invitation add constraint invitation_for check (
  case when therapist_id is null
    then name is not null and length(name) between 1 and 80 and role in ('scheduler', 'admin')
    else name is null and role = 'therapist' and locations is null
  end
);

-- A colleague may begin with a passkey too. The trigger `a_way_to_log_in` still refuses an account with neither.
alter table account drop constraint account_password;
