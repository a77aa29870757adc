import { sql } from 'kysely';
import { addDays, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { KNOWN_DAYS, TEAM_DAYS } from '../../day/facts/day.ts';
import type { MetDay } from './continuity.ts';
import { awayFrom, keptSpans, minutesOf } from './kept-spans.ts';

/**
 * Selects how well each client knows each therapist before the date: the pairs who had a session within 90 days, and
 * how many sessions they had within 28 days. Leaves out sessions that did not take place: those cancelled or missed,
 * those that the therapist declined, and those during which the therapist or the client was away the whole time. The
 * pieces of one session count as one session.
 */
export async function selectFamiliarity(
  db: Db,
  clientIds: readonly string[],
  therapistIds: readonly string[],
  date: IsoDate,
): Promise<{ clientId: string; therapistId: string; recent: number }[]> {
  if (clientIds.length === 0 || therapistIds.length === 0) return [];
  const first = addDays(date, -KNOWN_DAYS);
  const { rows } = await sql<{ clientId: string; therapistId: string; recent: number }>`
    with session as (
      select id, parent_id, location, client_id, therapist_id, starts, ends from appointment
      where client_id = ${anyOf(clientIds)}
        and therapist_id = ${anyOf(therapistIds)}
        and occupies
        and starts >= ${first}::timestamp and starts < ${date}::timestamp
    ), ${awayFrom(['session'], sql`x.date >= ${first}::date and x.date < ${date}::date`)}
    select client_id as "clientId", therapist_id as "therapistId",
      (count(distinct coalesce(parent_id, id))
        filter (where starts >= ${addDays(date, -TEAM_DAYS)}::timestamp))::int as recent
    from (${keptSpans('session')}) kept
    where whole or not isempty(spans)
    group by client_id, therapist_id`.execute(db);
  return rows;
}

/**
 * Selects whom a person met on each of the 90 days before a date, as `selectFamiliarity` counts sessions, with the
 * minutes that took place.
 * @param locations where the sessions are; null for all locations
 */
export async function selectMet(
  db: Db,
  { type, id }: { readonly type: PersonKind; readonly id: string },
  date: IsoDate,
  locations: readonly Location[] | null,
): Promise<MetDay[]> {
  const [own, other] =
    type === 'client'
      ? ([sql.ref('client_id'), 'therapist_id'] as const)
      : ([sql.ref('therapist_id'), 'client_id'] as const);
  const first = addDays(date, -KNOWN_DAYS);
  const { rows } = await sql<MetDay>`
    with session as (
      select id, parent_id, location, client_id, therapist_id, starts, ends from appointment
      where ${own} = ${id} and ${sql.ref(other)} is not null and occupies
        and starts >= ${first}::timestamp and starts < ${date}::timestamp
        and ${locations === null ? sql`true` : sql`location = ${anyOf(locations)}`}
    ), ${awayFrom(['session'], sql`x.date >= ${first}::date and x.date < ${date}::date`)}
    select ${sql.ref(other)} as id, starts::date::text as date, count(distinct coalesce(parent_id, id))::int as sessions,
      sum(${minutesOf(sql`spans`)})::int as minutes
    from (${keptSpans('session')}) kept
    where whole or not isempty(spans)
    group by 1, 2 order by 2, 1`.execute(db);
  return rows;
}
