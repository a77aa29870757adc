-- How to reach people: docs/decisions/0095. An empty text is one that is not known. `rank` is the order in which to try.
create table contact (
  id uuid primary key default gen_random_uuid(),
  client_id text references client (id) on delete cascade,
  therapist_id text references therapist (id) on delete cascade,
  rank smallint not null,
  name text not null,
  relation text not null default '',
  phone text not null default '', -- as typed; what a telephone dials is made of it (domain `dialable`)
  email text not null default '',
  language text not null default '',
  preferred text not null default '',
  constraint contact_of_one_person check (num_nonnulls(client_id, therapist_id) = 1),
  constraint contact_rank check (rank between 1 and 10),
  constraint contact_name_length check (length(btrim(name)) between 1 and 120),
  constraint contact_text_lengths check (
    length(relation) <= 60 and length(phone) <= 60 and length(email) <= 254 and length(language) <= 60
  ),
  constraint contact_preferred_way check (
    preferred = ''
    or preferred in ('phone', 'text') and phone <> ''
    or preferred = 'email' and email <> ''
  )
);
create unique index contact_of_client on contact (client_id, rank) where client_id is not null;
create unique index contact_of_therapist on contact (therapist_id, rank) where therapist_id is not null;
