-- A message is dropped while what it is about hangs on someone's yes: docs/decisions/0241.
alter table message drop constraint message_dropped_why_check;
alter table message
  add constraint message_dropped_why_check check (
    dropped_why in (
      'told', 'page', 'sheet', 'said-no', 'changed', 'over', 'newer', 'address', 'ended', 'waits', 'promise', 'undone', 'away',
      'left', 'phone', 'off', 'ask'));
-- What a therapist was told about time in which they had lost their sessions: released, or to stand by (docs/decisions/0242).
-- Null for families, for answers that told nothing, and in rows of a server of the version before.
alter table call_answer add column free jsonb;
