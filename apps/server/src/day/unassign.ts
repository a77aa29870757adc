import { sql } from 'kysely';
import { anyOf } from '../db/any-of.ts';
import { isoAt } from '../platform/clock.ts';
import type { LocationDay } from './facts/versions.ts';
import { settleClashes } from './clashes.ts';
import type { Db } from '../db/connection.ts';
import type { Act } from '../access/act.ts';

/**
 * Takes the therapists off these sessions, which then need cover, and cancels administrative time. Records every change
 * in the history. A group's appointment stays in its group.
 * @returns the days of other sessions that are no longer double-booked
 */
export async function unassign(trx: Db, act: Act, ids: readonly string[], reason: string): Promise<LocationDay[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ place: string }>`
    with changed as (
      select id, therapist_id, status, service, place,
        case when service = 'admin' then 'cancelled' else status end as status_after,
        case when service = 'admin' then therapist_id end as therapist_after
      from appointment where id = ${anyOf(ids, 'uuid')}
    ), recorded as (
      insert into appointment_event (appointment_id, account_id, what, reason, before, after)
      select id, ${act.caller.id}, case when service = 'admin' then 'cancelled' else 'unassigned' end, ${reason},
        jsonb_build_object('therapistId', therapist_id, 'status', status),
        jsonb_build_object('therapistId', therapist_after, 'status', status_after)
      from changed
    )
    select place from changed where place like 'clash:%'`.execute(trx);
  await sql`
    update appointment set
      therapist_id = case when service = 'admin' then therapist_id end,
      booked_therapist_id = null,
      status = case when service = 'admin' then 'cancelled' else status end,
      place = coalesce('group:' || group_key, id::text),
      clash = client_place like 'clash:%',
      commit_id = null,
      version = version + 1,
      updated_at = ${isoAt(act.at)}
    where id = ${anyOf(ids, 'uuid')}`.execute(trx);
  return settleClashes(
    trx,
    rows.map(({ place }) => place),
  );
}
