-- Units of an authorization that were used through a date, in the calendar or not, as the payer's portal or a person says:
-- docs/decisions/0130.
alter table client_authorization
  add column prior_units integer,
  add column prior_until date,
  add constraint client_authorization_prior check (
    num_nulls(prior_units, prior_until) in (0, 2) and prior_units between 1 and 100000 and prior_until >= from_date);
