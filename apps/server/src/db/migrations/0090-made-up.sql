-- Which lost session a session makes up, and how much of it. What is made up stays linked when either is cancelled; whoever
-- counts looks at the sessions that take place.
create table made_up (
  session uuid not null references appointment (id),
  lost uuid not null references appointment (id),
  minutes smallint not null constraint made_up_minutes check (minutes > 0),
  primary key (session, lost)
);
create index made_up_lost on made_up (lost);
