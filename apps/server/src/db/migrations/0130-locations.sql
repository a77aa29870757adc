-- Locations are data: docs/decisions/0310. An administrator adds, renames, merges and closes them.
alter table location
  add column hours jsonb not null default '[]', -- `OpeningHours` of each weekday on which it is open
  add column closed_from date, -- the first date without it
  add column merged_into text references location (value),
  add constraint location_not_into_itself check (merged_into <> value),
  add constraint location_merged_is_closed check (merged_into is null or closed_from is not null);
