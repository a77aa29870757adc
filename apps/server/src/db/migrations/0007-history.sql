-- What is asked of a calendar and a trail of many years reads as much as of one year: docs/decisions/0071.

-- The trail is read newest first, a page at a time; rows of one instant are told apart by chain and number.
create index audit_newest on audit (at, chain, number);
drop index audit_at;
create index audit_account on audit (account_id, at, chain, number);
create index audit_subjects on audit using gin (subject_ids);

create index appointment_series on appointment (series_id, starts) where series_id is not null;
create index appointment_clash on appointment (place) where place like 'clash:%';
create index appointment_client_clash on appointment (client_place) where client_place like 'clash:%';

create index absence_date on absence (date) where withdrawn_at is null;

create index weekly_series_therapist on weekly_series (therapist_id) where therapist_id is not null;

-- The submits for a date, and those made on it by the clinic's wall.
create index schedule_commit_dates on schedule_commit using gin ((summary->'dates'));
create index schedule_commit_wall on schedule_commit (location, left(summary->>'wall', 10));

create index idempotency_key_commit on idempotency_key (commit_id);

-- The range first: a search then leads to a few hours, and not through all that a person ever had.
alter table appointment drop constraint therapist_in_one_place, drop constraint client_one_direct_session;
alter table appointment
  add constraint therapist_in_one_place exclude using gist (
    tsrange(starts, ends) with &&, therapist_id with =, place with <>
  ) where (occupies and therapist_id is not null and service <> 'admin'),
  add constraint client_one_direct_session exclude using gist (
    tsrange(starts, ends) with &&, client_id with =, seat with =, client_place with <>
  ) where (occupies and service = 'direct');
