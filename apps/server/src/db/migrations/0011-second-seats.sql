-- Imports ask which clients have a second seat booked: few have, whatever the history holds.
create index appointment_second_seat on appointment (client_id) where seat = 2 and occupies;
