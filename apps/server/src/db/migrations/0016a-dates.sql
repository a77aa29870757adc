-- Availability and credentials by date: docs/decisions/0121. An open date is one that is not limited.
alter table therapist_availability
  add column from_date date,
  add column until_date date,
  add constraint availability_dates check (from_date <= until_date),
  drop constraint availability_overlap,
  add constraint availability_overlap exclude using gist (
    therapist_id with =, day_of_week with =, int4range(start_minute, end_minute) with &&,
    daterange(from_date, until_date, '[]') with &&
  );
create table therapist_credential (
  id uuid primary key default gen_random_uuid(),
  therapist_id text not null references therapist (id) on delete cascade,
  credential text not null,
  number text not null default '',
  from_date date,
  until_date date,
  constraint therapist_credential_kind check (credential in ('BCBA', 'RBT', 'BT')),
  constraint therapist_credential_number check (length(number) <= 60),
  constraint therapist_credential_dates check (from_date <= until_date)
);
create index therapist_credential_of on therapist_credential (therapist_id);
