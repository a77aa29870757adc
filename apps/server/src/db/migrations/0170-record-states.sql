-- What the records of people, accounts and locations said at each time, for the file that an auditor asks for:
-- docs/auditor.md. Kept by triggers, so that imports and older servers keep it too. The states of one record are a chain
-- of their own, so that a file can carry it whole without anybody else's. Records that are here already get their first
-- state now: what they said before is not on record.
create table record_state (
  kind text not null check (kind in ('therapist', 'client', 'account', 'location')),
  subject text not null,
  number integer not null,
  at timestamptz not null,
  state text not null, -- JSON, as it is hashed
  prev_hash bytea not null,
  hash bytea not null,
  primary key (kind, subject, number)
);

-- A branch for each kind: one statement would lock all their tables, and an account could not be added while `client` is
-- locked.
create function record_now(of_kind text, of_subject text) returns text language plpgsql stable as $$
begin
  case of_kind
    when 'therapist' then return (
      select jsonb_build_object('name', t.display_name, 'location', t.location, 'credential', t.specialization,
        'from', t.start_date, 'until', t.end_date, 'credentials', coalesce((
          select jsonb_agg(jsonb_build_object('credential', c.credential, 'number', c.number, 'from_date', c.from_date,
            'until_date', c.until_date) order by c.credential, c.number, c.from_date, c.until_date)
          from therapist_credential c where c.therapist_id = t.id), '[]'))
      from therapist t where t.id = of_subject);
    when 'client' then return (
      select jsonb_build_object('name', k.display_name, 'location', k.location, 'until', k.end_date,
        'authorizations', coalesce((
          select jsonb_agg(jsonb_build_object('payer', a.payer, 'code', a.code, 'number', a.number,
            'from_date', a.from_date, 'until_date', a.until_date, 'units', a.units, 'period', a.period,
            'prior_units', a.prior_units, 'prior_until', a.prior_until) order by a.code, a.from_date, a.number, a.payer)
          from client_authorization a where a.client_id = k.id), '[]'))
      from client k where k.id = of_subject);
    when 'account' then return (
      select jsonb_build_object('name', a.name, 'role', a.role) from account a where a.id::text = of_subject);
    else return (
      select jsonb_build_object('name', l.label, 'zone', l.zone) from location l where l.value = of_subject);
  end case;
end $$;

-- SHA-256 over the hash before and the state's fields, a line each.
create function record_state_hash(prev bytea, of_kind text, of_subject text, of_number integer, of_at timestamptz,
  of_state text) returns bytea language sql immutable as $$
  select sha256(prev || convert_to(of_kind || E'\n' || of_subject || E'\n' || of_number || E'\n'
    || to_char(of_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || E'\n' || of_state, 'UTF8'))
$$;

-- Arguments: the kind, and the column that names the record. Runs when the transaction ends, once for each changed row;
-- only the first finds something new. Holds the record's row, so that of two transactions the later one continues the
-- chain of the earlier one.
create function keep_record_state() returns trigger language plpgsql as $$
declare
  of_subject text := to_jsonb(case when tg_op = 'DELETE' then old else new end) ->> tg_argv[1];
  last record_state;
  state_now text;
  at_now timestamptz := clock_timestamp();
begin
  execute format('select from %I where %I::text = $1 for no key update', tg_argv[0],
    case tg_argv[0] when 'location' then 'value' else 'id' end) using of_subject;
  state_now := record_now(tg_argv[0], of_subject);
  select * into last from record_state r where r.kind = tg_argv[0] and r.subject = of_subject order by number desc limit 1;
  if state_now is null or state_now = last.state then return null; end if;
  insert into record_state values (tg_argv[0], of_subject, coalesce(last.number, 0) + 1, at_now, state_now,
    coalesce(last.hash, decode(repeat('00', 32), 'hex')),
    record_state_hash(coalesce(last.hash, decode(repeat('00', 32), 'hex')), tg_argv[0], of_subject,
      coalesce(last.number, 0) + 1, at_now, state_now));
  return null;
end $$;

insert into record_state
  select r.kind, r.subject, 1, at, record_now(r.kind, r.subject), prev,
    record_state_hash(prev, r.kind, r.subject, 1, at, record_now(r.kind, r.subject))
  from (
    select 'therapist' as kind, id as subject from therapist union all select 'client', id from client
    union all select 'account', id::text from account union all select 'location', value from location
  ) r, (select now() as at, decode(repeat('00', 32), 'hex') as prev) first;

create trigger record_state_append_only before update or delete or truncate on record_state
  for each statement execute function audit_is_append_only();

create constraint trigger keep_state_new after insert on therapist deferrable initially deferred
  for each row execute function keep_record_state('therapist', 'id');
create constraint trigger keep_state after update on therapist deferrable initially deferred
  for each row when ((old.display_name, old.location, old.specialization, old.start_date, old.end_date)
    is distinct from (new.display_name, new.location, new.specialization, new.start_date, new.end_date))
  execute function keep_record_state('therapist', 'id');
create constraint trigger keep_state after insert or update or delete on therapist_credential deferrable initially deferred
  for each row execute function keep_record_state('therapist', 'therapist_id');
create constraint trigger keep_state_new after insert on client deferrable initially deferred
  for each row execute function keep_record_state('client', 'id');
create constraint trigger keep_state after update on client deferrable initially deferred
  for each row when ((old.display_name, old.location, old.end_date)
    is distinct from (new.display_name, new.location, new.end_date))
  execute function keep_record_state('client', 'id');
create constraint trigger keep_state after insert or update or delete on client_authorization deferrable initially deferred
  for each row execute function keep_record_state('client', 'client_id');
create constraint trigger keep_state_new after insert on account deferrable initially deferred
  for each row execute function keep_record_state('account', 'id');
create constraint trigger keep_state after update on account deferrable initially deferred
  for each row when ((old.name, old.role) is distinct from (new.name, new.role))
  execute function keep_record_state('account', 'id');
create constraint trigger keep_state_new after insert on location deferrable initially deferred
  for each row execute function keep_record_state('location', 'value');
create constraint trigger keep_state after update on location deferrable initially deferred
  for each row when ((old.label, old.zone) is distinct from (new.label, new.zone))
  execute function keep_record_state('location', 'value');
