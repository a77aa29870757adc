-- Whether a series is a meeting's: its later dates leave out whoever has a session with a client or is away then.
alter table weekly_series add column meeting boolean not null default false;
