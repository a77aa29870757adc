-- The last day with the clinic, included; null: not known. The first is `start_date`. docs/decisions/0098.
alter table therapist
  add column end_date date,
  add constraint therapist_end_after_start check (end_date >= start_date);
