-- The promise to ring a family again, with its minute of the day and the time without a therapist that it is about:
-- docs/decisions/0222. Null if they were promised nothing, and in rows of a server of the version before.
alter table call_answer
  add column ring_again jsonb,
  add constraint call_answer_ring_again check (ring_again is null or (answer = 'told' and client_id is not null));
