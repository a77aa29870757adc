-- Sets of files that were taken from the folder for imports, and what came of each. The summary has figures and no names.
create table folder_import (
  id uuid primary key default gen_random_uuid(),
  at timestamptz not null,
  state text not null constraint folder_import_state check (state in ('waiting', 'imported', 'superseded', 'failed')),
  -- Where its files are now, below the folder for imports.
  folder text not null,
  summary jsonb not null,
  -- Hashes of the rows that were refused, so that the next import can tell new refusals from those that are known.
  refused text[] not null,
  -- When and by whom it was asked for once more, with the rows left out that are refused; null once that is done.
  wanted_at timestamptz,
  wanted_by uuid references account (id)
);
create index folder_import_at on folder_import (at);

-- The sessions that the last set has otherwise than the calendar, since they were changed here after an import.
create table import_difference (
  key text primary key,
  appointment_id uuid not null references appointment (id) on delete cascade,
  hash text not null,
  version integer not null,
  both_changed boolean not null,
  theirs jsonb not null,
  decision text constraint import_difference_decision check (decision in ('theirs', 'ours')),
  decided_by uuid references account (id),
  decided_at timestamptz
);
create index import_difference_appointment on import_difference (appointment_id);
