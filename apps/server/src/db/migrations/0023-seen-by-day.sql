-- A day's call list asks who has seen its lines; the primary key begins with the therapist.
create index own_day_seen_day on own_day_seen (location, date);
