-- What someone who covers a client's session should know: docs/decisions/0118. Empty: nothing written.
alter table client add column likes text not null default '';
alter table client add column helps text not null default '';
alter table client add column avoid text not null default '';
alter table client add constraint client_cover_note_length check (
  length(likes) <= 300 and length(helps) <= 300 and length(avoid) <= 300
);
