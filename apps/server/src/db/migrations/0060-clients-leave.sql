-- A client's last day at the clinic, inclusive, as therapists have one. Lists and days leave out who has left without a
-- look at their sessions. Whoever had their last session more than a year ago left with it.
alter table client add column end_date date;
update client c set end_date = last.date
  from (select client_id, max(starts)::date as date from appointment where client_id is not null group by 1) last
  where last.client_id = c.id and last.date < current_date - 365;
