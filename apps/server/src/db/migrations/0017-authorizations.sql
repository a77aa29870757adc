-- What a client's payer has authorized: docs/decisions/0130. `units` of 15 minutes, in all or for each week or month.
create table client_authorization (
  id uuid primary key default gen_random_uuid(),
  client_id text not null references client (id) on delete cascade,
  payer text not null,
  code text not null,
  number text not null default '',
  from_date date not null,
  until_date date not null,
  units integer not null,
  period text not null default 'total',
  constraint client_authorization_payer check (length(btrim(payer)) between 1 and 60),
  constraint client_authorization_code check (code ~ '^9715[1-8]$'),
  constraint client_authorization_number check (length(number) <= 60),
  constraint client_authorization_units check (units between 1 and 100000),
  constraint client_authorization_period check (period in ('total', 'week', 'month')),
  -- At most two years, so that what was used of it is counted within a bounded time.
  constraint client_authorization_dates check (from_date <= until_date and until_date - from_date <= 731),
  constraint client_authorization_once unique (client_id, code, number, from_date)
);
