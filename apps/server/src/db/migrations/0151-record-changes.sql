-- Which records have changed, for programs that keep a copy: docs/decisions/0330. A reader goes by the transaction's
-- number and reads only what is below every running transaction, so that no later commit can be missed.
create table record_change (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null default now(),
  kind text not null,
  subject text not null,
  version bigint not null,
  location text not null,
  date date
);
create index record_change_order on record_change (xid, id);

-- One row: the history that positions belong to, and up to where changes were removed.
create table record_floor (
  only_row boolean primary key default true check (only_row),
  epoch uuid not null default gen_random_uuid(),
  xid xid8 not null default '0'
);

-- Arguments: the kind; the subject and the date as expressions of a row `n`.
create function note_new_records() returns trigger language plpgsql as $$
begin
  execute format('insert into record_change (kind, subject, version, location, date)
    select %L, %s, n.version, n.location, %s from new_rows n', tg_argv[0], tg_argv[1], tg_argv[2]);
  return null;
end $$;

-- As above, and a fourth argument: the key of the table, by which rows before and after belong together. A record that
-- moves is noted at both locations.
create function note_changed_records() returns trigger language plpgsql as $$
begin
  execute format('insert into record_change (kind, subject, version, location, date)
    select %L, %s, n.version, l.location, %s from new_rows n join old_rows o using (%s),
      lateral (select n.location union select o.location) l
    where n.version <> o.version', tg_argv[0], tg_argv[1], tg_argv[2], tg_argv[3]);
  return null;
end $$;

create trigger note_new after insert on appointment referencing new table as new_rows
  for each statement execute function note_new_records('appointment', 'n.id::text', 'n.starts::date');
create trigger note_changed after update on appointment referencing old table as old_rows new table as new_rows
  for each statement execute function note_changed_records('appointment', 'n.id::text', 'n.starts::date', 'id');
create trigger note_new after insert on therapist referencing new table as new_rows
  for each statement execute function note_new_records('therapist', 'n.id', 'null::date');
create trigger note_changed after update on therapist referencing old table as old_rows new table as new_rows
  for each statement execute function note_changed_records('therapist', 'n.id', 'null::date', 'id');
create trigger note_new after insert on client referencing new table as new_rows
  for each statement execute function note_new_records('client', 'n.id', 'null::date');
create trigger note_changed after update on client referencing old table as old_rows new table as new_rows
  for each statement execute function note_changed_records('client', 'n.id', 'null::date', 'id');
create trigger note_new after insert on location_day referencing new table as new_rows
  for each statement execute function note_new_records('day', 'n.location || ''/'' || n.date', 'n.date');
create trigger note_changed after update on location_day referencing old table as old_rows new table as new_rows
  for each statement execute function
    note_changed_records('day', 'n.location || ''/'' || n.date', 'n.date', 'location, date');
