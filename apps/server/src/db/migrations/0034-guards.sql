-- Rules that only the server kept until now: docs/decisions/0081. A constraint that is not validated applies to rows that
-- are written from now on; earlier rows stay as they are.

-- The commit that wrote an appointment exists, and so does the session for which a therapist was asked to stay.
alter table appointment add constraint appointment_commit
  foreign key (commit_id) references schedule_commit (id) deferrable initially deferred not valid;
alter table extra_hours add constraint extra_hours_session
  foreign key (session) references appointment (id) deferrable initially deferred not valid;

-- A login that has ended says why. An invitation is used or withdrawn, never both.
alter table session add constraint session_ended check ((ended_at is null) = (ended_why is null)) not valid;
alter table invitation add constraint invitation_ended_once check (num_nonnulls(used_at, withdrawn_at) <= 1) not valid;

-- An account without a password keeps a passkey. Looked at when the transaction ends, and while it holds the account's
-- row: of two removals at the same moment, the later one then finds that no other passkey is left.
create function a_way_to_log_in() returns trigger language plpgsql as $$
declare
  whose uuid;
  password text;
begin
  if tg_table_name = 'account' then whose := new.id; else whose := old.account_id; end if;
  select a.password_hash into password from account a where a.id = whose for no key update;
  if found and password is null and not exists (select from passkey p where p.account_id = whose) then
    raise exception 'account % would have no way to log in', whose
      using errcode = '23514', constraint = 'a_way_to_log_in';
  end if;
  return null;
end $$;
create constraint trigger a_way_to_log_in after insert or update of password_hash on account deferrable initially deferred
  for each row when (new.password_hash is null) execute function a_way_to_log_in();
create constraint trigger a_way_to_log_in after delete on passkey deferrable initially deferred
  for each row execute function a_way_to_log_in();
