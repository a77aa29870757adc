import { sql } from 'kysely';
import { groupBy } from '@clinic/domain';
import type { ClinicDay } from '../../../clinic-day/day.ts';
import { anyOf } from '../../../db/any-of.ts';
import type { Db } from '../../../db/connection.ts';

/**
 * Finds the sessions that have no therapist only because an absence ended, and that no plan has looked at since. Returns
 * who is back, in words, by the appointment's key: `Ana Ruiz is back`.
 */
export async function selectReturned(db: Db, day: ClinicDay): Promise<ReadonlyMap<string, string>> {
  const { location, date } = day;
  const open = day.appointments.filter(
    (a) => a.location === location && a.occupies && a.therapistId === null && a.service !== 'admin',
  );
  if (open.length === 0) return new Map();
  const keys = open.map(({ key }) => key);
  const { rows } = await sql<{ key: string; what: string; reason: string; planned: boolean }>`
    select e.appointment_id as key, e.what, e.reason, exists (
      select from schedule_commit c where c.location = ${location} and c.undone_at is null and c.committed_at > e.at
        and c.summary->'dates' @> to_jsonb(${date}::text)) as planned
    from appointment_event e where e.appointment_id = ${anyOf(keys, 'uuid')} order by e.id`.execute(db);
  const returned = [...groupBy(rows, (row) => row.key)].flatMap(([key, events]): [string, string][] => {
    const last = lastStanding(events);
    return last?.what === 'returned' && !last.planned ? [[key, last.reason]] : [];
  });
  return new Map(returned);
}

/** The last event that was not undone. */
function lastStanding<Event extends { readonly what: string }>(events: readonly Event[]): Event | undefined {
  const standing: Event[] = [];
  for (const event of events) {
    if (event.what === 'undone') standing.pop();
    else standing.push(event);
  }
  return standing.at(-1);
}
