-- The limits of a therapist's hours in quarters of an hour: docs/decisions/0184. The columns in whole hours stay for a
-- server of an older release that runs beside this one: rounded down, and written by the trigger only.
alter table therapist
  add column week_minutes smallint,
  add column day_minutes smallint,
  add column guaranteed_minutes smallint,
  add constraint therapist_week_minutes check (week_minutes between 60 and 4800 and week_minutes % 15 = 0),
  add constraint therapist_day_minutes check (day_minutes between 60 and 1440 and day_minutes % 15 = 0),
  add constraint therapist_guaranteed_minutes
    check (guaranteed_minutes between 60 and 4800 and guaranteed_minutes % 15 = 0);

update therapist
  set week_minutes = week_hours * 60, day_minutes = day_hours * 60, guaranteed_minutes = guaranteed_hours * 60
  where week_hours is not null or day_hours is not null or guaranteed_hours is not null;

-- An older server writes hours. Where it writes the hours that it read, the minutes stay: it read 37 of 37.5 hours.
create function therapist_hours() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.week_minutes := coalesce(new.week_minutes, new.week_hours * 60);
    new.day_minutes := coalesce(new.day_minutes, new.day_hours * 60);
    new.guaranteed_minutes := coalesce(new.guaranteed_minutes, new.guaranteed_hours * 60);
  else
    if new.week_minutes is not distinct from old.week_minutes
      and new.week_hours is distinct from old.week_hours then
      new.week_minutes := new.week_hours * 60;
    end if;
    if new.day_minutes is not distinct from old.day_minutes
      and new.day_hours is distinct from old.day_hours then
      new.day_minutes := new.day_hours * 60;
    end if;
    if new.guaranteed_minutes is not distinct from old.guaranteed_minutes
      and new.guaranteed_hours is distinct from old.guaranteed_hours then
      new.guaranteed_minutes := new.guaranteed_hours * 60;
    end if;
  end if;
  new.week_hours := new.week_minutes / 60;
  new.day_hours := new.day_minutes / 60;
  new.guaranteed_hours := new.guaranteed_minutes / 60;
  return new;
end $$;
create trigger therapist_hours
  before insert or update of week_hours, day_hours, guaranteed_hours, week_minutes, day_minutes, guaranteed_minutes
  on therapist for each row execute function therapist_hours();
