-- The servers on this database: what each can send, and how its settings differ. docs/decisions/0268.
create table server (
  -- The machine, and the address where it listens: a server that restarts there replaces its row.
  place text primary key,
  ways text[] not null,
  -- A hash of each setting that must be the same on every server, by the setting's name; no value.
  settings jsonb not null,
  seen_at timestamptz not null
);
