-- A location is closed for a time without a break: one fact, with the sessions that it cancelled. Holidays are listed
-- ahead; they cancel nothing by themselves.
create table closure (
  id uuid primary key default gen_random_uuid(),
  act uuid not null, -- the same for the locations that were closed together
  location text not null references location (value),
  first_date date not null,
  first_minute smallint not null,
  last_date date not null,
  last_minute smallint not null,
  name text not null,
  cause_id text references cause (id),
  holiday boolean not null default false,
  changes jsonb not null default '[]', -- the cancelled sessions, as `AppointmentChange`
  recorded_by uuid references account (id),
  recorded_at timestamptz not null,
  reopened_by uuid references account (id),
  reopened_at timestamptz,
  constraint closure_times check ((first_date, first_minute) < (last_date, last_minute)
    and first_minute between 0 and 1440 and last_minute between 0 and 1440),
  constraint closure_name check (length(btrim(name)) between 1 and 80)
);
create index closure_standing on closure (last_date) where reopened_at is null;
