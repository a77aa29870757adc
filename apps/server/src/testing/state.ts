import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';

/** Each appointment on a date as one line, for comparisons: `08:30-11:30 Kai Wood/Ana Ruiz booked`. */
export async function dayOf(db: Db, date: string, client?: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select to_char(a.starts, 'HH24:MI') || '-' || to_char(a.ends, 'HH24:MI') || ' '
      || coalesce(t.display_name, 'nobody') || coalesce('/' || b.display_name, '') || ' ' || a.status as line
    from appointment a
    left join therapist t on t.id = a.therapist_id
    left join therapist b on b.id = a.booked_therapist_id
    where a.starts::date = ${date}::date and (${client ?? null}::text is null or a.client_id = ${client ?? null})
      and a.status <> 'entered-in-error'
    order by a.starts, 1`.execute(db);
  return rows.map((r) => r.line);
}

/** Counts the pairs of appointments that double-book a therapist or a client by the calendar's own rules. */
export async function doubleBookings(db: Db): Promise<number> {
  // Compares only appointments of the same person, because comparing all pairs takes seconds.
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select a.id, b.id from appointment a join appointment b using (therapist_id)
      where a.id < b.id and a.occupies and b.occupies and a.starts < b.ends and b.starts < a.ends
        and a.service <> 'admin' and b.service <> 'admin' and a.place <> b.place
      union
      select a.id, b.id from appointment a join appointment b using (client_id)
      where a.id < b.id and a.occupies and b.occupies and a.starts < b.ends and b.starts < a.ends
        and a.service = 'direct' and b.service = 'direct' and a.seat = b.seat and a.client_place <> b.client_place
    ) as pair`.execute(db);
  return rows[0]?.n ?? -1;
}
