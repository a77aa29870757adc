-- Invitations that go out by email, through the outbox: docs/decisions/0134.

-- Each mail has a link of its own, made when it is sent. Only its SHA-256 is stored, here. `secret_hash` is that of a link
-- that was handed over.
alter table invitation alter column secret_hash drop not null;
alter table invitation add column mailed_hashes bytea[] not null default '{}';

-- Such a message concerns no changed day. Its person is `invitation:ID`, so that no call list shows it.
alter table message add column invitation_id uuid references invitation (id);
alter table message add constraint message_about check ((invitation_id is not null) = (person like 'invitation:%'));
create unique index message_invitation on message (invitation_id);
