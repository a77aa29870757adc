-- An absence over a range of dates: one fact, from which the rows of `absence` follow (docs/decisions/0008).
create table leave (
  id uuid primary key default gen_random_uuid(),
  location text not null references location (value),
  therapist_id text references therapist (id),
  client_id text references client (id),
  first_date date not null,
  last_date date, -- null: until further notice
  weekdays smallint[] not null, -- 0 is Sunday
  start_minute smallint not null,
  end_minute smallint not null,
  lost_by text,
  cause_id text references cause (id),
  known_at timestamp,
  untold boolean,
  made_until date not null, -- the rows of `absence` are made up to this date
  set_aside jsonb not null default '[]', -- the sessions that it cancelled, as `AppointmentChange`
  recorded_by uuid references account (id),
  recorded_at timestamptz not null,
  changed_by uuid references account (id),
  changed_at timestamptz not null,
  before jsonb, -- the fact before the newest act; null if that act recorded it
  ended_at timestamptz,
  constraint leave_of_one check (num_nonnulls(therapist_id, client_id) = 1),
  constraint leave_dates check (last_date is null or first_date <= last_date),
  constraint leave_times check (start_minute >= 0 and start_minute < end_minute and end_minute <= 1440),
  constraint leave_weekdays check (cardinality(weekdays) > 0 and weekdays <@ array[0, 1, 2, 3, 4, 5, 6]::smallint[])
);
create index leave_therapist on leave (therapist_id) where ended_at is null and therapist_id is not null;
create index leave_client on leave (client_id) where ended_at is null and client_id is not null;
-- The dates whose absence was changed by itself: what is changed on all dates leaves them as they are.
create table leave_exception (
  leave_id uuid not null references leave (id),
  date date not null,
  primary key (leave_id, date)
);
alter table absence add column leave_id uuid references leave (id);
create index absence_leave on absence (leave_id, date) where leave_id is not null;
