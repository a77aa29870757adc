-- The answer that a no came with; its note is the reason: docs/decisions/0169. Null: the no came with no answer.
alter table call_decline add column answer_id bigint references call_answer (id);
update call_decline d set answer_id = (
  select max(a.id) from call_answer a
  where a.location = d.location and a.date = d.date and a.at = d.at and a.answer = 'said-no'
    and (case when d.client_id is null then a.therapist_id = d.therapist_id else a.client_id = d.client_id end)
);
