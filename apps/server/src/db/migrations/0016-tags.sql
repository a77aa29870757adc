-- What a therapist brings, and what a client needs: docs/decisions/0120. `tag_key` is the `nameKey` of the tag, by which
-- the two are compared. An open date is one that is not limited.
create table therapist_tag (
  id uuid primary key default gen_random_uuid(),
  therapist_id text not null references therapist (id) on delete cascade,
  tag text not null,
  tag_key text not null,
  from_date date,
  until_date date,
  constraint therapist_tag_length check (length(btrim(tag)) between 1 and 60),
  constraint therapist_tag_dates check (from_date <= until_date),
  constraint therapist_tag_once exclude using gist (
    therapist_id with =, tag_key with =, daterange(from_date, until_date, '[]') with &&
  )
);
create table client_need (
  client_id text not null references client (id) on delete cascade,
  tag text not null,
  tag_key text not null,
  must boolean not null, -- false: better, but not needed
  constraint client_need_once primary key (client_id, tag_key),
  constraint client_need_length check (length(btrim(tag)) between 1 and 60)
);
