-- What payers require of therapists: docs/decisions/0142. `name_key`: the `nameKey` of the payer's name, by which an
-- authorization means it. Null: nothing is required.
create table payer (
  name_key text primary key,
  name text not null,
  credential text, -- at least this one
  tag text,
  constraint payer_name check (length(btrim(name)) between 1 and 60),
  constraint payer_credential check (credential in ('RBT', 'BCBA')),
  constraint payer_tag check (length(btrim(tag)) between 1 and 60)
);
