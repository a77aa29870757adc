-- Messages that were dropped before they were sent, and why: docs/decisions/0136. A dropped message is due at infinity,
-- so that a server of the version before, which does not know these columns, never takes it.
alter table message
  add column dropped_at timestamptz,
  add column dropped_why text
    check (dropped_why in ('told', 'page', 'sheet', 'said-no', 'changed', 'over', 'newer', 'address', 'ended')),
  add check ((dropped_at is null) = (dropped_why is null)),
  add check (num_nonnulls(sent_at, failed_at, dropped_at) <= 1);
