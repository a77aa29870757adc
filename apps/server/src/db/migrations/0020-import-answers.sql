-- Which of our columns a column of a file is, and (kind 'causes') which cause a text is: docs/decisions/0141.
-- `column_key`: its letters and digits, in lower case.
create table import_answer (
  kind text not null,
  column_key text not null,
  answer text not null, -- the name of our column, or the id of a cause; '-': none, it is ignored
  answered_at timestamptz not null default now(),
  primary key (kind, column_key),
  constraint import_answer_kind
    check (kind in ('therapists', 'clients', 'appointments', 'authorizations', 'credentials', 'causes')),
  constraint import_answer_column check (length(column_key) between 1 and 400),
  constraint import_answer_answer check (length(answer) between 1 and 60)
);
