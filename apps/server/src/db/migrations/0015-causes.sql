-- Why time is lost: docs/decisions/0125.

-- The causes to choose from. An administrator edits them; one in use is retired, never deleted.
create table cause (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  label text not null check (length(btrim(label)) between 1 and 40),
  lost_by text check (lost_by in ('therapist', 'family', 'clinic', 'payer')), -- null: the side that is away
  retired_at timestamptz
);
create unique index cause_label on cause (lower(label));
insert into cause (id, label, lost_by) values
  ('sick', 'Sick', null),
  ('leave', 'Leave', null),
  ('no-show', 'No-show', null),
  ('family-reason', 'Family reason', null),
  ('late', 'Came late', null),
  ('weather', 'Weather', 'clinic'),
  ('closed', 'Clinic closed', 'clinic'),
  ('training', 'Training', 'clinic'),
  ('no-therapist', 'No therapist', 'clinic'),
  ('authorization', 'Authorization', 'payer');

-- Who caused it (`lost_by`; null: the side that is away), why (null: not said), and when it became known, in the clinic's
-- wall time (null: not known).
alter table absence
  add column lost_by text check (lost_by in ('therapist', 'family', 'clinic', 'payer')),
  add column cause_id text references cause (id),
  add column known_at timestamp;
alter table appointment
  add column lost_by text check (lost_by in ('therapist', 'family', 'clinic', 'payer')),
  add column cause_id text references cause (id),
  add column known_at timestamp;
create index absence_cause on absence (cause_id) where cause_id is not null;
create index appointment_cause on appointment (cause_id) where cause_id is not null;
-- By trigger, so that no way of bringing a session back can forget it: a session that takes place has no cause.
create function forget_cause() returns trigger language plpgsql as $$
begin
  new.lost_by := null;
  new.cause_id := null;
  new.known_at := null;
  return new;
end $$;
create trigger forget_cause before insert or update on appointment for each row
  when (new.status in ('pending', 'booked', 'fulfilled')
    and num_nonnulls(new.lost_by, new.cause_id, new.known_at) > 0)
  execute function forget_cause();
