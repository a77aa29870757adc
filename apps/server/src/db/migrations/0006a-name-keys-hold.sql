-- Before this file, in its transaction, `fillNameKeys` gives every row its key (../fill-name-keys.ts).

alter table therapist alter column name_key set not null;
alter table client alter column name_key set not null;
create unique index therapist_name_key on therapist (name_key) where deleted_at is null;
create unique index client_name_key on client (name_key);
