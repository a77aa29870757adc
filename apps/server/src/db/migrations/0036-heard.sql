-- The person's day that a message was about, or that a therapist saw on their own page: docs/decisions/0090. Null for rows
-- of a server of the version before. Such a server leaves the day as it is when it stores that a newer version was seen,
-- so the day says which version it is of.
alter table message add column day jsonb;
alter table own_day_seen add column day jsonb, add column day_version text;
