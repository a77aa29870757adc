-- An invitation's e-mail address is stored as it is compared (`emailKey`), like an account's: PostgreSQL lowers some
-- letters differently, and refused them.
alter table invitation drop constraint invitation_email_check;
alter table invitation add constraint invitation_email_length check (length(email) between 1 and 254);
