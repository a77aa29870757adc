-- A session is never given to a therapist who has left by then. Whoever writes one holds the therapist's row until the
-- commit: a deletion at the same moment waits, and then finds the session; or it was first, and the write is refused
-- like a double booking.
create function session_of_someone_here() returns trigger language plpgsql as $$
declare
  left_at timestamp;
begin
  select t.deleted_at at time zone l.zone into left_at
  from therapist t join location l on l.value = new.location
  where t.id = new.therapist_id for share of t;
  if left_at <= new.starts then
    raise exception 'therapist % has left', new.therapist_id
      using errcode = '23P01', constraint = 'session_of_someone_here';
  end if;
  return null;
end $$;
-- After, not before: only then is `occupies` known.
create trigger session_of_someone_here after insert or update of therapist_id, starts, status on appointment
  for each row when (new.therapist_id is not null and new.occupies) execute function session_of_someone_here();
