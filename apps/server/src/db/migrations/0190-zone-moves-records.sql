-- A new zone moves every session of the location as other programs see it, so it is a new version for them: of sessions,
-- and of days with free times (docs/decisions/0330). What an import compares stays as it was imported.
create or replace function move_with_zone() returns trigger language plpgsql as $$
begin
  with moved as (
    update appointment set instants = null, version = version + 1, updated_at = now() where location = new.value
    returning id, version)
  update import_row r set target_version = moved.version from moved
  where r.kind = 'appointment' and r.target_id = moved.id::text and r.target_version = moved.version - 1;
  update location_day set version = version + 1 where location = new.value;
  return null;
end $$;
