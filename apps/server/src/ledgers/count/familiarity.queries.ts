import { sql } from 'kysely';
import { addDays, type IsoDate } from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { KNOWN_DAYS, TEAM_DAYS } from '../../day/facts/day.ts';
import { awayFrom, keptSpans } from './kept-spans.ts';

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
