-- The person's day that a message was about, or that a therapist saw on their own page: docs/decisions/0090. Null for rows
-- of a server of the version before.
alter table message add column day jsonb;
alter table own_day_seen add column day jsonb;
