-- The sessions that a family was told are cancelled, in an answer that told them nothing else; null for every other
-- answer: docs/decisions/0161.
alter table call_answer
  add column cancelled jsonb,
  add constraint call_answer_cancelled check (cancelled is null or (answer = 'told' and client_id is not null));
