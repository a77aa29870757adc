-- Whether the person who is away does not know of it yet: docs/decisions/0240. Null: nobody said, and the cause decides, as
-- in rows from before and in those of a server of the version before.
alter table absence add column untold boolean;
