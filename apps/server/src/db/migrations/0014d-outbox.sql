-- Messages to people whose day changed, released by a coordinator: docs/decisions/0119. A row is kept from the release on,
-- whatever becomes of it.
create table message (
  id uuid primary key default gen_random_uuid(), -- also the Message-ID, the same at every try
  location text not null references location (value),
  date date not null,
  person text not null, -- therapist:ID or client:ID
  number integer not null, -- counts a person's messages of a date
  version text not null, -- of the line that was released
  way text not null check (way in ('email', 'text')),
  address text not null check (length(address) between 1 and 254),
  words text not null check (length(words) between 1 and 500),
  released_by uuid references account (id),
  released_at timestamptz not null,
  tries integer not null default 0,
  next_try_at timestamptz not null,
  taken_until timestamptz, -- a server is sending it; when that server dies, another may from then on
  sent_at timestamptz,
  failed_at timestamptz,
  fault text,
  check (num_nonnulls(sent_at, failed_at) <= 1)
);
-- Two releases at the same moment both want the next number: one gets it.
create unique index message_number on message (location, date, person, number);
create index message_due on message (next_try_at) where sent_at is null and failed_at is null;
