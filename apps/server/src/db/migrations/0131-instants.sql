-- Whether someone is booked twice is a matter of instants: the clocks of two locations may differ (docs/decisions/0310).
-- `starts` and `ends` stay what the location's clock shows; `instants` follows from them and from the location's zone.
alter table appointment add column instants tstzrange;

-- A session that seems to end before it begins falls into the hour that a clock skips; it keeps its length.
create function instants_of(starts timestamp, ends timestamp, zone text) returns tstzrange language sql immutable as $$
  select tstzrange(starts at time zone zone,
    case when ends at time zone zone > starts at time zone zone then ends at time zone zone
      else (starts at time zone zone) + greatest(ends - starts, interval '0') end)
$$;

-- Holds the location's row, as the reference to it does anyway: a change of its zone, or its closing, waits for this
-- transaction, or is seen by it. Nothing is booked at a location that is closed by then.
create function take_place() returns trigger language plpgsql as $$
declare
  place record;
begin
  select l.zone, l.closed_from into place from location l where l.value = new.location for key share;
  if new.status in ('pending', 'booked', 'fulfilled') and place.closed_from <= new.starts::date then
    raise exception 'location % is closed', new.location using errcode = '23514', constraint = 'location_is_open';
  end if;
  new.instants := instants_of(new.starts, new.ends, place.zone);
  return new;
end $$;
create trigger take_place before insert or update of location, starts, ends, status, instants on appointment
  for each row execute function take_place();

create function series_at_open_location() returns trigger language plpgsql as $$
begin
  if exists (select from location l where l.value = new.location
    and l.closed_from <= coalesce(new.until_date, 'infinity'::date) for key share) then
    raise exception 'location % is closed', new.location using errcode = '23514', constraint = 'location_is_open';
  end if;
  return new;
end $$;
create trigger series_at_open_location before insert or update of location, until_date on weekly_series
  for each row execute function series_at_open_location();

-- A new zone moves every session of the location.
create function move_with_zone() returns trigger language plpgsql as $$
begin
  update appointment set instants = null where location = new.value;
  return null;
end $$;
create trigger move_with_zone after update of zone on location
  for each row when (old.zone <> new.zone) execute function move_with_zone();

alter table appointment disable trigger user;
update appointment a set instants = instants_of(a.starts, a.ends, l.zone) from location l where l.value = a.location;
alter table appointment enable trigger user;
alter table appointment
  drop constraint therapist_in_one_place, drop constraint client_one_direct_session, drop constraint admin_at_one_location;
alter table appointment
  add constraint therapist_in_one_place exclude using gist (
    instants with &&, therapist_id with =, place with <>
  ) where (occupies and therapist_id is not null and service <> 'admin'),
  add constraint client_one_direct_session exclude using gist (
    instants with &&, client_id with =, seat with =, client_place with <>
  ) where (occupies and service = 'direct'),
  add constraint admin_at_one_location exclude using gist (
    instants with &&, therapist_id with =, location with <>, place with <>
  ) where (occupies and service = 'admin');
