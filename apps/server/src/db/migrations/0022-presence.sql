-- Who is working on what: docs/decisions/0139. A row belongs to a page's open event stream and ends with it. A row that
-- was not seen for a minute belongs to a server that died, and counts no more.
create table presence (
  tab text primary key check (length(tab) between 8 and 64),
  account_id uuid not null references account (id),
  location text not null references location (value),
  date date not null,
  what text not null check (what in ('options', 'calls')),
  seen_at timestamptz not null
);
