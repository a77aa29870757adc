-- Who said no to which sessions of a date: docs/decisions/0105. A decline holds for every plan of that date and location
-- until it is taken back; rows are never deleted.
create table call_decline (
  id bigint generated always as identity primary key,
  location text not null references location (value),
  date date not null,
  therapist_id text not null references therapist (id),
  client_id text references client (id), -- set: this client's family asked for someone else
  scope text not null check (scope in ('session', 'today', 'until')),
  sessions text[] not null, -- as first booked (the parent of pieces); time given by them needs cover
  until_minute smallint check (until_minute between 1 and 1440),
  away jsonb not null, -- `until`: the windows of absence it added
  wall_minute smallint not null, -- when, on the clinic's wall
  at timestamptz not null,
  account_id uuid references account (id),
  ended_at timestamptz,
  ended_by uuid references account (id),
  constraint call_decline_until check ((scope = 'until') = (until_minute is not null))
);
create index call_decline_day on call_decline (location, date) where ended_at is null;
create index call_decline_date on call_decline (date) where ended_at is null;
