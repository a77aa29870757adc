-- The ledgers look up what each therapist declined on some dates: docs/decisions/0101.
create index call_decline_therapist on call_decline (therapist_id, date) where ended_at is null;
