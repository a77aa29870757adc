-- More reasons why a message was dropped before it was sent: docs/decisions/0136.
alter table message drop constraint message_dropped_why_check;
alter table message
  add constraint message_dropped_why_check check (
    dropped_why in (
      'told', 'page', 'sheet', 'said-no', 'changed', 'over', 'newer', 'address', 'ended', 'waits', 'promise', 'undone', 'away',
      'left', 'phone', 'off'));

-- Whether a no was taken back is read with each call list that has one; the index of open declines does not find it.
create index call_decline_of_day on call_decline (location, date);
