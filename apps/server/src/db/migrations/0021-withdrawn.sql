-- The options of a date show which removed absences took sessions back.
create index absence_withdrawn on absence (date) where withdrawn_at is not null;
