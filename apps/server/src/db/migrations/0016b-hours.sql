-- The limits of a therapist's hours: docs/decisions/0122. Null: the clinic's own limit for the week, none for the others.
alter table therapist
  add column week_hours smallint,
  add column day_hours smallint,
  add column guaranteed_hours smallint,
  add constraint therapist_week_hours check (week_hours between 1 and 80),
  add constraint therapist_day_hours check (day_hours between 1 and 24),
  add constraint therapist_guaranteed_hours check (guaranteed_hours between 1 and 80);
