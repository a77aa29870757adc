-- What names are compared by: `nameKey` of packages/domain, made in JavaScript only, stored, and unique. PostgreSQL's
-- lower() knows other letters than JavaScript's (docs/decisions/0080-one-name-key.md).

alter table therapist add column name_key text;
alter table client add column name_key text;

drop index therapist_display_name;
drop index client_display_name;

-- An e-mail address is stored as it is compared (`emailKey`).
alter table account drop constraint account_email_check;
alter table account add constraint account_email_length check (length(email) between 1 and 254);
