-- Who must be told of a changed day, and what each was told last: docs/decisions/0090.

-- The dates whose call list is open: what changes on one of them from then on must be told.
create table call_day (
  location text not null references location (value),
  date date not null,
  opened_at timestamptz not null default now(),
  primary key (location, date)
);

-- Each appointment as it stood on an open date before its first change there; without a state: it was not there. The
-- calendar at the opening is these rows, and of all other appointments what they are now.
create table call_before (
  location text not null,
  date date not null,
  appointment_id uuid not null,
  client_id text,
  therapist_id text,
  service text,
  starts timestamp,
  ends timestamp,
  primary key (location, date, appointment_id),
  check (num_nonnulls(service, starts, ends) in (0, 3))
);

-- Whom an appointment takes time of: a session that did not take place was still theirs.
create function is_told(status text) returns boolean language sql immutable as $$
  select status in ('pending', 'booked', 'fulfilled', 'noshow')
$$;

-- By trigger, so that no way of writing the calendar can forget it. The writer holds the row, so that of two changes the
-- first one's state is kept.
create function keep_before_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into call_before (location, date, appointment_id, client_id, therapist_id, service, starts, ends)
    select d.location, d.date, old.id,
      case when is_told(old.status) then old.client_id end, case when is_told(old.status) then old.therapist_id end,
      case when is_told(old.status) then old.service end,
      case when is_told(old.status) then old.starts end, case when is_told(old.status) then old.ends end
    from call_day d where d.location = old.location and d.date = old.starts::date
    on conflict do nothing;
  end if;
  if tg_op = 'INSERT' then
    insert into call_before (location, date, appointment_id)
    select d.location, d.date, new.id from call_day d where d.location = new.location and d.date = new.starts::date
    on conflict do nothing;
  elsif tg_op = 'UPDATE' then
    insert into call_before (location, date, appointment_id)
    select d.location, d.date, new.id from call_day d where d.location = new.location and d.date = new.starts::date
      and (new.location, new.starts::date) <> (old.location, old.starts::date)
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger keep_before_insert after insert on appointment for each row execute function keep_before_change();
create trigger keep_before_delete after delete on appointment for each row execute function keep_before_change();
create trigger keep_before_update after update on appointment for each row
  when (old.client_id is distinct from new.client_id or old.therapist_id is distinct from new.therapist_id
    or old.service <> new.service or old.status <> new.status or old.starts <> new.starts or old.ends <> new.ends
    or old.location <> new.location)
  execute function keep_before_change();

-- What each person was told of a date at a location, by whom and how. Never rewritten. `day`: what they were told; null: what
-- they were told is void, and the state at the opening counts again.
create table call_answer (
  id bigint generated always as identity primary key,
  location text not null references location (value),
  date date not null,
  therapist_id text references therapist (id),
  client_id text references client (id),
  answer text not null check (answer in ('told', 'sheet', 'not-told', 'left-message', 'no-answer', 'said-no')),
  note text check (length(note) <= 500),
  version text not null, -- of the line that was seen
  day jsonb,
  at timestamptz not null,
  account_id uuid references account (id),
  check (num_nonnulls(therapist_id, client_id) = 1)
);
create index call_answer_day on call_answer (location, date);

create trigger call_answer_append_only before update or delete or truncate on call_answer
  for each statement execute function audit_is_append_only();

-- When a date's day sheet was sent. Every sending stays.
create table day_sheet (
  location text not null references location (value),
  date date not null,
  sent_at timestamptz not null,
  account_id uuid references account (id),
  primary key (location, date, sent_at)
);

-- Who is ringing whom, so that two do not ring the same family.
create table call_claim (
  location text not null references location (value),
  date date not null,
  person text not null, -- therapist:ID or client:ID
  account_id uuid not null references account (id),
  at timestamptz not null,
  primary key (location, date, person)
);
