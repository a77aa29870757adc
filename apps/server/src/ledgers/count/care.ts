import { sql } from 'kysely';
import {
  addDays,
  CARE_WEEK,
  NO_CARE,
  sumOfCare,
  type Care,
  type IsoDate,
  type Location,
  type RecentCare,
} from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { awayFrom, keptSpans, minutesOf } from './kept-spans.ts';

type Sql = ReturnType<typeof sql>;
type Days = readonly [from: IsoDate, until: IsoDate];

/** Selects the sessions of these clients from `from` up to, but not including, `until`. */
const sessionsOf = (clientIds: readonly string[], [from, until]: Days) => sql`
  select id, parent_id, client_id, therapist_id, service, starts, ends, occupies, location, subject from appointment
  where client_id = ${anyOf(clientIds)} and status <> 'entered-in-error'
    and starts >= ${from}::timestamp and starts < ${until}::timestamp`;

/**
 * Defines the SQL table `counted`. Each of these sessions has a row. `booked` is the session's length in minutes, even
 * if the session was cancelled. `delivered` leaves out the minutes when the therapist or the client was away; it is 0
 * if the session did not take place or the therapist declined it. `spans` contains the delivered times.
 * @param sessions a query for the appointments
 * @param onDays the condition on `x.date`, the date of the sessions
 */
export function countedSessions(sessions: Sql, onDays: Sql): Sql {
  return sql`
    session as (${sessions}),
    ${awayFrom(['session'], onDays)},
    kept as (${keptSpans('session', sql`s.occupies and s.therapist_id is not null`)}), counted as (
      select kept.*, booked, case when whole then booked when not happens then 0 else ${minutesOf(sql`spans`)} end as delivered
      from kept, lateral (select (extract(epoch from ends - starts) / 60)::int as booked) length
    )`;
}

/**
 * The minutes of a counted session after this moment that have no therapist, although the client is there; in SQL.
 * The session may have no therapist at all.
 */
export const openMinutes = (from: string): Sql => sql`case when whole or ends <= ${from}::timestamp or not occupies
  then 0 else ${minutesOf(sql`tsmultirange(tsrange(greatest(starts, ${from}::timestamp), ends)) - spans
    - coalesce((select a.spans from client_away a where a.id = client_id and a.date = starts::date), '{}')`)} end`;

/**
 * Adds up the minutes of care that each of these clients had booked and lost on these days, and in the last week of
 * them, by the same rule as `missedTime`. The query reads only their sessions on these days, however long the history is.
 * @param open what `openFrom` returned for these days
 */
export async function selectCare(
  db: Db,
  clientIds: readonly string[],
  days: Days,
  open: string | null,
): Promise<Map<string, RecentCare>> {
  if (clientIds.length === 0) return new Map();
  const onDays = sql`x.date >= ${days[0]}::date and x.date < ${days[1]}::date`;
  const { rows } = await sql<Care & { client: string; lastWeek: boolean }>`
    with ${countedSessions(sessionsOf(clientIds, days), onDays)}
    select client_id as client, starts >= ${addDays(days[1], -CARE_WEEK)}::timestamp as "lastWeek",
      sum(booked)::int as booked,
      sum(booked - delivered - ${open === null ? sql`0` : openMinutes(open)})::int as lost
    from counted group by 1, 2`.execute(db);
  const care = new Map<string, RecentCare>();
  for (const { client, lastWeek, ...own } of rows) {
    const other = care.get(client) ?? NO_CARE;
    care.set(client, { ...sumOfCare(other, own), week: lastWeek ? own : other.week });
  }
  return care;
}

/** One of the sessions that add up to a care figure. */
export type CareSessionRow = {
  booked: number;
  delivered: number;
  id: string;
  location: Location;
  starts: string;
  ends: string;
  subject: string;
};
