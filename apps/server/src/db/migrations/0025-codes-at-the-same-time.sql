-- Which two billing codes a payer pays for at the same time: docs/decisions/0143. Each pair is `97153+97155`, the lower
-- code first. Empty: none; null: the payer has not said.
alter table payer add column concurrent text[];
alter table payer add constraint payer_concurrent check (
  array_position(concurrent, null) is null and cardinality(concurrent) <= 36
    and array_to_string(concurrent, ',') ~ '^(9715[1-8][+]9715[1-8](,9715[1-8][+]9715[1-8])*)?$'
);
