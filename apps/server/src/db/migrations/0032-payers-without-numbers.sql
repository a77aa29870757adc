-- Without a number, only the payer tells two authorizations with the same first day apart: docs/decisions/0132.
alter table client_authorization drop constraint client_authorization_once;
create unique index client_authorization_once
  on client_authorization (client_id, code, number, from_date, (case when number = '' then payer else '' end));
