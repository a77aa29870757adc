-- Rules that read one row and depend on another hold in whatever order two transactions run (docs/decisions/0081).

-- A second seat is for 2:1 clients only. The writer holds the client's row until the commit: a save that takes 2:1 off at
-- the same moment waits, and then finds the session; or it was first, and the session is refused.
create or replace function appointment_seat() returns trigger language plpgsql as $$
declare
  pair boolean;
begin
  if tg_op = 'UPDATE' and new.seat = old.seat and new.client_id is not distinct from old.client_id
    and not (new.status in ('pending', 'booked', 'fulfilled')
      and (old.status not in ('pending', 'booked', 'fulfilled') or new.starts > old.starts)) then
    return new;
  end if;
  select c.two_to_one into pair from client c where c.id = new.client_id for share;
  if pair is not true then
    raise exception 'client % has one therapist at a time', new.client_id
      using errcode = '23514', constraint = 'second_seat_is_for_two_to_one';
  end if;
  return new;
end $$;
drop trigger appointment_seat on appointment;
create trigger appointment_seat before insert or update of seat, client_id, status, starts on appointment
  for each row when (new.seat = 2) execute function appointment_seat();

-- And 2:1 stays while a second seat is booked from today on. Looked at when the transaction ends: an import may take 2:1
-- off first and give the sessions other seats after.
create function two_to_one_stays() returns trigger language plpgsql as $$
begin
  if exists (select from client c where c.id = new.id and not c.two_to_one) and exists (
    select from appointment a join location l on l.value = a.location
    where a.client_id = new.id and a.seat = 2 and a.occupies and a.starts >= (now() at time zone l.zone)::date) then
    raise exception 'client % has second seats booked', new.id
      using errcode = '23514', constraint = 'two_to_one_while_second_seats_are_booked';
  end if;
  return null;
end $$;
create constraint trigger two_to_one_stays after update of two_to_one on client deferrable initially deferred
  for each row when (old.two_to_one and not new.two_to_one) execute function two_to_one_stays();

-- Administrative time of one therapist is at one location at a time. What breaks this already is flagged, as a clash in an
-- import is, and may stay until it is changed.
with twice as (
  select distinct a.id from appointment a
  join appointment b on b.therapist_id = a.therapist_id and b.location <> a.location
    and b.starts < a.ends and a.starts < b.ends and b.place <> a.place
  where a.service = 'admin' and b.service = 'admin' and a.occupies and b.occupies
)
update appointment a set clash = true, place = 'clash:admin:' || a.therapist_id || ':' || a.starts::date
from twice where twice.id = a.id;
alter table appointment add constraint admin_at_one_location exclude using gist (
  tsrange(starts, ends) with &&, therapist_id with =, location with <>, place with <>
) where (occupies and service = 'admin');
