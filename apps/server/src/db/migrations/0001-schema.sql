-- The store. SQL at the level of PostgreSQL 15.
-- Clinic times are wall time (timestamp without time zone, on the clinic's own clock); events are instants (timestamptz).
-- Windows are half-open. docs/decisions says why.

create extension if not exists btree_gist;

create table location (
  value text primary key,
  label text not null unique,
  group_name text not null,
  zone text not null
);
insert into location (value, label, group_name, zone) values
  ('altamonte', 'Altamonte', 'Central Florida', 'America/New_York'),
  ('deerfield', 'Deerfield', 'South Florida', 'America/New_York'),
  ('orlando', 'Orlando', 'Central Florida', 'America/New_York'),
  ('palm beach', 'Palm Beach', 'South Florida', 'America/New_York'),
  ('tampa', 'Tampa', 'West Florida', 'America/New_York');

create table setting (
  key text primary key,
  value jsonb not null
);

-- Accounts and sessions ---------------------------------------------------------------------------------------------

create table account (
  id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email) and length(email) <= 254),
  name text not null,
  role text not null check (role in ('scheduler', 'admin')),
  locations text[], -- null: all
  password_hash text not null,
  demo boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (email)
);

create table session (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references account (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_why text check (ended_why in ('signed-out', 'idle', 'expired', 'disabled', 'password'))
);
create index session_account on session (account_id) where ended_at is null;

-- A token bucket for each account and each address, shared by all processes.
create table login_budget (
  key text primary key,
  tokens double precision not null,
  refilled_at timestamptz not null
);

-- People ------------------------------------------------------------------------------------------------------------

create table therapist (
  id text primary key,
  first_name text not null check (length(btrim(first_name)) between 1 and 80),
  last_name text not null check (length(btrim(last_name)) between 1 and 80),
  display_name text not null,
  location text not null references location (value),
  specialization text not null check (specialization in ('BCBA', 'RBT', 'BT')),
  gender text not null check (gender in ('Male', 'Female')),
  start_date date not null,
  consistency integer check (consistency between 0 and 100),
  deleted_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index therapist_display_name on therapist (lower(display_name)) where deleted_at is null;
create index therapist_location on therapist (location) where deleted_at is null;

create table therapist_availability (
  id uuid primary key default gen_random_uuid(),
  therapist_id text not null references therapist (id) on delete cascade,
  day_of_week smallint not null check (day_of_week between 0 and 6), -- 0 is Sunday
  start_minute smallint not null check (start_minute between 0 and 1440),
  end_minute smallint not null check (end_minute between 0 and 1440),
  check (start_minute < end_minute),
  constraint availability_overlap exclude using gist (
    therapist_id with =, day_of_week with =, int4range(start_minute, end_minute) with &&
  )
);

create table client (
  id text primary key,
  first_name text not null check (length(btrim(first_name)) between 1 and 80),
  last_name text not null check (length(btrim(last_name)) between 1 and 80),
  display_name text not null,
  location text not null references location (value),
  gender text not null check (gender in ('Male', 'Female')),
  priority integer not null default 100 check (priority between 1 and 1000), -- percent
  two_to_one boolean not null default false,
  care_team_only boolean not null default false,
  rbt_or_above boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index client_display_name on client (lower(display_name));
create index client_location on client (location);

create table client_restriction (
  id uuid primary key default gen_random_uuid(),
  client_id text not null references client (id) on delete cascade,
  requires_gender text check (requires_gender in ('Male', 'Female')),
  excludes_therapist_id text references therapist (id),
  check (num_nonnulls(requires_gender, excludes_therapist_id) = 1)
);
create unique index client_restriction_once on client_restriction
  (client_id, coalesce(requires_gender, ''), coalesce(excludes_therapist_id, ''));

-- The calendar ------------------------------------------------------------------------------------------------------

-- Counts every change to a location's day, so that "has this day moved on?" is one comparison.
create table location_day (
  location text not null references location (value),
  date date not null,
  version bigint not null default 0,
  primary key (location, date)
);

create table weekly_series (
  id uuid primary key default gen_random_uuid(),
  location text not null references location (value),
  client_id text references client (id),
  therapist_id text references therapist (id),
  service text not null check (service in ('direct', 'supervision', 'parent-training', 'admin')),
  subject text not null,
  day_of_week smallint not null check (day_of_week between 0 and 6),
  start_minute smallint not null,
  end_minute smallint not null,
  from_date date not null,
  until_date date,
  made_until date not null, -- appointments exist up to this date
  check (start_minute < end_minute)
);

create table appointment (
  id uuid primary key default gen_random_uuid(),
  wire_id text not null, -- the Id people see; an import may hold one twice
  location text not null references location (value),
  client_id text references client (id), -- null: administrative time
  therapist_id text references therapist (id), -- null: nobody has it
  booked_therapist_id text references therapist (id), -- who had it before a commit changed it
  service text not null check (service in ('direct', 'supervision', 'parent-training', 'admin')),
  subject text not null,
  -- FHIR's spellings; on the wire: Scheduled, Confirmed, Completed, Cancelled, No Show, deleted.
  status text not null check (status in ('pending', 'booked', 'fulfilled', 'cancelled', 'noshow', 'entered-in-error')),
  starts timestamp not null,
  ends timestamp not null,
  -- Where the therapist is: rows of one place may overlap (a group, or a clash that was imported), others never.
  place text not null,
  client_place text not null,
  seat smallint not null default 1 check (seat in (1, 2)), -- 2: the second therapist of a 2:1 client
  group_key text,
  clash boolean not null default false, -- taken from an import that double-books; shown until changed
  parent_id uuid references appointment (id) deferrable, -- the session this is a piece of
  series_id uuid references weekly_series (id),
  commit_id uuid, -- the commit that wrote this state
  family_told_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  occupies boolean generated always as (status in ('pending', 'booked', 'fulfilled')) stored,
  check (starts < ends),
  check (starts::date = (ends - interval '1 microsecond')::date),
  check ((service = 'admin') = (client_id is null)),
  check (service <> 'admin' or therapist_id is not null),
  -- One therapist is in one place at a time. Administrative time may be given up, so it claims no place.
  constraint therapist_in_one_place exclude using gist (
    therapist_id with =, place with <>, tsrange(starts, ends) with &&
  ) where (occupies and therapist_id is not null and service <> 'admin'),
  -- A client has one direct session at a time, two if 2:1 (one a seat).
  constraint client_one_direct_session exclude using gist (
    client_id with =, seat with =, client_place with <>, tsrange(starts, ends) with &&
  ) where (occupies and service = 'direct')
);
create index appointment_day on appointment (location, (starts::date));
create index appointment_therapist on appointment (therapist_id, starts);
create index appointment_client on appointment (client_id, starts);
create index appointment_wire_id on appointment (wire_id);
create index appointment_parent on appointment (parent_id) where parent_id is not null;

create sequence appointment_number start 1000000; -- for the wire Ids we make ourselves

-- A second seat is for 2:1 clients only.
create function appointment_seat() returns trigger language plpgsql as $$
begin
  if new.seat = 2 and not exists (select 1 from client c where c.id = new.client_id and c.two_to_one) then
    raise exception 'client % has one therapist at a time', new.client_id
      using errcode = '23514', constraint = 'second_seat_is_for_two_to_one';
  end if;
  return new;
end $$;
create trigger appointment_seat before insert or update of seat, client_id on appointment
  for each row when (new.seat = 2) execute function appointment_seat();

-- A session is never given to a therapist who has left by then. Whoever writes one holds the therapist's row until the
-- commit: a deletion at the same moment waits, and then finds the session; or it was first, and the write is refused
-- like a double booking.
create function session_of_someone_here() returns trigger language plpgsql as $$
declare
  left_at timestamp;
begin
  select t.deleted_at at time zone l.zone into left_at
  from therapist t join location l on l.value = new.location
  where t.id = new.therapist_id for share of t;
  if left_at <= new.starts then
    raise exception 'therapist % has left', new.therapist_id
      using errcode = '23P01', constraint = 'session_of_someone_here';
  end if;
  return null;
end $$;
-- After, not before: only then is `occupies` known.
create trigger session_of_someone_here after insert or update of therapist_id, starts, status on appointment
  for each row when (new.therapist_id is not null and new.occupies) execute function session_of_someone_here();

-- Absences are facts: never deleted, withdrawn at most.
create table absence (
  id uuid primary key default gen_random_uuid(),
  location text not null references location (value),
  therapist_id text references therapist (id),
  client_id text references client (id),
  date date not null,
  start_minute smallint not null check (start_minute between 0 and 1440),
  end_minute smallint not null check (end_minute between 0 and 1440),
  reported_by uuid references account (id),
  reported_at timestamptz not null default now(),
  withdrawn_by uuid references account (id),
  withdrawn_at timestamptz,
  check (start_minute < end_minute),
  check (num_nonnulls(therapist_id, client_id) = 1),
  constraint absence_therapist_once exclude using gist (
    therapist_id with =, date with =, int4range(start_minute, end_minute) with &&
  ) where (withdrawn_at is null and therapist_id is not null),
  constraint absence_client_once exclude using gist (
    client_id with =, date with =, int4range(start_minute, end_minute) with &&
  ) where (withdrawn_at is null and client_id is not null)
);
create index absence_day on absence (location, date) where withdrawn_at is null;

-- Proposals and commits ---------------------------------------------------------------------------------------------

create table proposal (
  id text primary key, -- p_ and random letters
  location text not null references location (value),
  dates date[] not null,
  revision integer not null default 1,
  created_by uuid references account (id),
  created_at timestamptz not null default now()
);

create table proposal_revision (
  proposal_id text not null references proposal (id),
  revision integer not null,
  queries jsonb not null,
  pins jsonb not null,
  -- By date: the problem solved, the engine's answer, how wire cells map to sessions, the day's version.
  days jsonb not null,
  data jsonb not null, -- possible_solutions as sent
  metadata jsonb not null,
  backed_up_therapists jsonb not null,
  created_by uuid references account (id),
  created_at timestamptz not null default now(),
  primary key (proposal_id, revision)
);

create table schedule_commit (
  id uuid primary key default gen_random_uuid(),
  proposal_id text not null,
  revision integer not null,
  location text not null references location (value),
  sent_location text, -- where a page said another location than the proposal's
  choice jsonb not null,
  choice_key text not null,
  changes jsonb not null, -- every appointment touched: before and after
  summary jsonb not null,
  reply jsonb not null,
  workbook bytea not null,
  committed_by uuid references account (id),
  committed_at timestamptz not null default now(),
  undone_by uuid references account (id),
  undone_at timestamptz,
  foreign key (proposal_id, revision) references proposal_revision (proposal_id, revision)
);
create unique index schedule_commit_once on schedule_commit (proposal_id) where undone_at is null;
create index schedule_commit_location on schedule_commit (location, committed_at);

-- What happened to an appointment, and why. Never rewritten.
create table appointment_event (
  id bigint generated always as identity primary key,
  appointment_id uuid not null references appointment (id),
  at timestamptz not null default now(),
  account_id uuid references account (id),
  what text not null,
  reason text,
  commit_id uuid references schedule_commit (id),
  before jsonb,
  after jsonb
);
create index appointment_event_of on appointment_event (appointment_id, id);

-- A key of a submit and what it was used for: the same request again gets the commit's own bytes, another is refused.
create table idempotency_key (
  account_id uuid not null references account (id),
  key text not null check (length(key) between 1 and 200),
  body_hash text not null,
  commit_id uuid not null references schedule_commit (id),
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);

-- Import ------------------------------------------------------------------------------------------------------------

-- Which row of an export became what, so that a second run changes nothing.
create table import_row (
  kind text not null check (kind in ('therapist', 'client', 'appointment')),
  key text not null,
  content_hash text not null,
  target_id text not null,
  target_version integer not null,
  imported_at timestamptz not null default now(),
  primary key (kind, key)
);

-- Audit -------------------------------------------------------------------------------------------------------------

-- Append-only, each row's hash over its content and the hash before it in its chain.
create table audit (
  chain smallint not null,
  number bigint not null,
  at timestamptz not null,
  account_id uuid,
  action text not null,
  subject_kind text not null,
  subject_ids text[] not null,
  location text,
  detail jsonb not null,
  request_id text,
  prev_hash bytea not null,
  hash bytea not null,
  primary key (chain, number)
);
create index audit_at on audit (at);

create table audit_head (
  chain smallint primary key,
  number bigint not null,
  hash bytea not null
);

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit trail is append-only' using errcode = '42501';
end $$;
create trigger audit_append_only before update or delete or truncate on audit
  for each statement execute function audit_is_append_only();
create trigger appointment_event_append_only before update or delete or truncate on appointment_event
  for each statement execute function audit_is_append_only();
