-- Absences that therapists report on their own page, until a coordinator confirms them: docs/decisions/0117. A report
-- changes no day by itself.
create table absence_report (
  id uuid primary key default gen_random_uuid(),
  therapist_id text not null references therapist (id),
  first_date date not null,
  first_minute smallint not null check (first_minute between 0 and 1440),
  last_date date not null,
  last_minute smallint not null check (last_minute between 0 and 1440),
  cause text not null check (cause in ('sick', 'family-reason', 'leave', 'weather', 'other')),
  reported_by uuid references account (id),
  reported_at timestamptz not null,
  decision text check (decision in ('confirmed', 'declined', 'withdrawn')),
  decided_by uuid references account (id),
  decided_at timestamptz,
  check ((first_date, first_minute) < (last_date, last_minute)),
  check ((decision is null) = (decided_at is null))
);
create index absence_report_open on absence_report (last_date) where decision is null;
create index absence_report_therapist on absence_report (therapist_id, last_date);
