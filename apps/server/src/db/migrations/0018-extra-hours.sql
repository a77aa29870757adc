-- Therapists who are asked to stay late or to come early on a date, for a session: docs/decisions/0133. Rows are never
-- deleted. One counts while its therapist has the session, and opens the time only once they have agreed.
create table extra_hours (
  id bigint generated always as identity primary key,
  location text not null references location (value),
  date date not null,
  therapist_id text not null references therapist (id),
  kind text not null constraint extra_hours_kind check (kind in ('late', 'early')),
  start_minute smallint not null,
  end_minute smallint not null,
  session uuid not null, -- as first booked (the parent of pieces)
  commit_id uuid references schedule_commit (id) deferrable initially deferred, -- null: booked by hand
  asked_by uuid references account (id),
  asked_at timestamptz not null,
  agreed_by uuid references account (id),
  agreed_at timestamptz,
  sheet_at timestamptz, -- the day sheet was sent before they had said yes or no
  ended_at timestamptz, -- they were asked again
  constraint extra_hours_window check (0 <= start_minute and start_minute < end_minute and end_minute <= 1440),
  constraint extra_hours_most check (end_minute - start_minute <= 60)
);
create unique index extra_hours_once on extra_hours (date, therapist_id, session) where ended_at is null;
create index extra_hours_day on extra_hours (location, date) where ended_at is null;
