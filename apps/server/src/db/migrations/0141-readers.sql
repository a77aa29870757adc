-- Two roles that read and change nothing: docs/decisions/0320. A viewer is always at some locations, never at all.
alter table account drop constraint account_role_check;
alter table account add constraint account_role_check
  check (role in ('scheduler', 'admin', 'therapist', 'director', 'viewer'));
alter table account add constraint account_of_viewer check (role <> 'viewer' or coalesce(cardinality(locations), 0) > 0);
alter table invitation drop constraint invitation_for;
alter table invitation add constraint invitation_for check (
  case when therapist_id is null
    then name is not null and length(name) between 1 and 80 and role in ('scheduler', 'admin', 'director', 'viewer')
    else name is null and role = 'therapist' and locations is null
  end
);
