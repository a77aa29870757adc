-- The locations at which therapists were before, and the time before someone came back: docs/decisions/0208. Kept by a
-- trigger, so that an import and an older server keep it too.
create table former_stay (
  therapist_id text not null references therapist (id),
  location text not null references location (value),
  first_date date not null,
  last_date date not null, -- both dates included
  primary key (therapist_id, first_date)
);

-- A first day after the old last day means that someone came back. A new location counts from the day on which it is
-- saved; a change on the same day as the one before is a correction, and leaves no stay of its own.
create function keep_former_stay() returns trigger language plpgsql as $$
declare
  first_day date := greatest(old.start_date, (select max(last_date) + 1 from former_stay where therapist_id = old.id));
  last_day date;
begin
  if new.start_date > old.end_date then
    last_day := old.end_date;
  elsif new.location <> old.location then
    select least(old.end_date, (now() at time zone l.zone)::date - 1) into last_day from location l where l.value = old.location;
  end if;
  if first_day <= last_day then
    insert into former_stay (therapist_id, location, first_date, last_date) values (old.id, old.location, first_day, last_day);
  end if;
  return null;
end $$;
create trigger keep_former_stay after update of location, start_date on therapist
  for each row execute function keep_former_stay();
