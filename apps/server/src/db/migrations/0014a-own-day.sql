-- Answers that therapists give on their own page: docs/decisions/0116.

-- Whether the person answered by their own page, rather than a coordinator for them.
alter table call_answer add column by_page boolean not null default false;

-- Which version of a date's change a therapist has seen on their page. Seen is not agreed: for a line that asks, the
-- answer is still open.
create table own_day_seen (
  therapist_id text not null references therapist (id),
  location text not null references location (value),
  date date not null,
  version text not null,
  at timestamptz not null,
  primary key (therapist_id, location, date)
);
