-- The answers that repeated a no which stood, and so stored nothing of their own: docs/decisions/0105. They are taken back
-- with it. Empty for repetitions from before, and in rows of a server of the version before.
alter table call_decline add column repeated_by text[] not null default '{}';
