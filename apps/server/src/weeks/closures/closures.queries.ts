import { sql } from 'kysely';
import { isoDate, type IsoDate, type Location } from '@clinic/domain';
import type { AppointmentChange } from '../../day/appointment-states.ts';
import type { Closure } from '../../day/facts/closures.ts';
import { datedOf, selectAppointmentRows } from '../../day/facts/clinic-day.queries.ts';
import type { DatedAppointment } from '../../day/facts/day.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';

/** A closure as the list shows it. */
export interface ListedClosure extends Closure {
  readonly act: string;
  readonly cause: string | null;
  readonly by: string | null;
  readonly at: string;
  readonly changes: readonly AppointmentChange[];
}

const listed = sql`c.id, c.act, c.location, c.first_date::text as "firstDate", c.first_minute as "firstMinute",
  c.last_date::text as "lastDate", c.last_minute as "lastMinute", c.name, c.holiday, c.cause_id as cause,
  (select a.name from account a where a.id = c.recorded_by) as by, c.recorded_at as at, c.changes`;

/** The standing closures and holidays of these locations (all, if null) that last until a date or later. */
export async function selectListed(
  db: Db,
  locations: readonly Location[] | null,
  from: IsoDate,
): Promise<ListedClosure[]> {
  const { rows } = await sql<ListedClosure>`
    select ${listed} from closure c
    where c.reopened_at is null and c.last_date >= ${from}::date
      and (${locations === null} or c.location = ${anyOf(locations ?? [])})
    order by c.first_date, c.first_minute, c.location, c.id`.execute(db);
  return rows;
}

/** A standing closure, locked until the transaction ends; undefined if there is none. */
export async function lockClosure(trx: Db, id: string): Promise<ListedClosure | undefined> {
  const { rows } = await sql<ListedClosure>`
    select ${listed} from closure c where c.id = ${id} and c.reopened_at is null for update of c`.execute(trx);
  return rows[0];
}

/** The sessions and administrative time that are still to take place at these locations on these dates. */
export async function selectToTakePlace(
  db: Db,
  locations: readonly Location[],
  from: IsoDate,
  until: IsoDate,
): Promise<DatedAppointment[]> {
  const rows = await selectAppointmentRows(db)
    .where('location', 'in', [...locations])
    .where(sql<boolean>`starts::date between ${from}::date and ${until}::date`)
    .where('occupies', '=', true)
    .where('status', 'in', ['pending', 'booked'])
    .orderBy('starts')
    .orderBy('id')
    .execute();
  return rows.map(datedOf);
}

/** How many absences of the locations' people touch these dates. */
export async function countAbsences(
  db: Db,
  locations: readonly Location[],
  from: IsoDate,
  until: IsoDate,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from absence a left join therapist t on t.id = a.therapist_id
      left join client c on c.id = a.client_id
    where a.withdrawn_at is null and a.date between ${from}::date and ${until}::date
      and coalesce(t.location, c.location) = ${anyOf(locations)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The families' names and first telephone numbers, by client. */
export async function selectFamilies(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { name: string; phone: string | null }>> {
  const { rows } = await sql<{ id: string; name: string; phone: string | null }>`
    select c.id, c.display_name as name,
      (select p.phone from contact p where p.client_id = c.id and p.phone is not null order by p.rank limit 1) as phone
    from client c where c.id = ${anyOf(ids)}`.execute(db);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** The people of changed sessions, once each. */
export const peopleOf = (changes: readonly AppointmentChange[]) => {
  const ids = (list: readonly (string | null)[]): number => new Set(list.filter((id) => id !== null)).size;
  return {
    families: ids(changes.map(({ clientId }) => clientId)),
    staff: ids(changes.map(({ before, after }) => (before ?? after).therapistId)),
  };
};

/** How many sessions were changed: the pieces of one count once, and administrative time not at all. */
export const sessionsOf = (changes: readonly AppointmentChange[]): number =>
  new Set(changes.filter(({ clientId }) => clientId !== null).map(({ of, date }) => `${isoDate(date)} ${of}`)).size;
