import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';

/**
 * Counts double bookings. A pair of appointments counts if a therapist has two clients at once, outside a group. It
 * also counts if a client has two direct sessions at once, outside the two seats of a 2:1 client. Does not rely on the
 * constraints that should prevent such pairs.
 */
export async function overlappingPairs(db: Db): Promise<number> {
  // Two joins are faster here than one with `or`. A long run repeats this check constantly, on a growing table.
  const { rows } = await sql<{ pairs: number }>`
    with standing as (select * from appointment where status in ('pending', 'booked', 'fulfilled'))
    select count(*)::int as pairs from (
      select a.id, b.id from standing a
        join standing b on b.therapist_id = a.therapist_id and a.id < b.id and a.starts < b.ends and b.starts < a.ends
        where a.client_id is not null and b.client_id is not null
          and (a.group_key is null or a.group_key is distinct from b.group_key)
      union
      select a.id, b.id from standing a
        join standing b on b.client_id = a.client_id and a.id < b.id and a.starts < b.ends and b.starts < a.ends
        join client c on c.id = a.client_id
        where a.service = 'direct' and b.service = 'direct' and (a.seat = b.seat or not c.two_to_one)
    ) as pair`.execute(db);
  return rows[0]?.pairs ?? -1;
}

/**
 * Finds traces of changes that were written only in part: states, history lines, keys or audit entries without their
 * commit; commits that lack one of these; and commits that their appointments contradict.
 */
export async function halfWritten(db: Db): Promise<string[]> {
  const { rows } = await sql<{ what: string; id: string }>`
    with touched as (
      select s.id as commit_id, s.undone_at, c.value as change
      from schedule_commit s cross join jsonb_array_elements(s.changes) as c
    ), told as (
      select commit_id, count(*) filter (where what <> 'undone') as written,
        count(*) filter (where what = 'undone') as undone
      from appointment_event where commit_id is not null group by commit_id
    ), trail as (
      -- One line a location touched; its own is the commit's.
      select action, subject as id, count(*) filter (where audit.location = s.location) as times
      from audit cross join unnest(subject_ids) as subject left join schedule_commit s on s.id::text = subject
      where action in ('schedule.committed', 'schedule.undone') group by action, subject
    )
    select 'an appointment of no commit' as what, a.id::text from appointment a
      where a.commit_id is not null and not exists (select 1 from schedule_commit s where s.id = a.commit_id)
    union all
    select 'a history that is not whole', s.id::text from schedule_commit s left join told t on t.commit_id = s.id
      where coalesce(t.written, 0) <> jsonb_array_length(s.changes)
        or coalesce(t.undone, 0) <> case when s.undone_at is null then 0 else jsonb_array_length(s.changes) end
    union all
    select 'an appointment that is not as its commit says', t.commit_id::text
      from touched t left join appointment a on a.id = (t.change->>'key')::uuid
      where t.undone_at is null and (a.id is null or a.version < (t.change->'after'->>'version')::int
        or a.version = (t.change->'after'->>'version')::int and (
          a.therapist_id is distinct from t.change->'after'->>'therapistId' or a.status <> t.change->'after'->>'status'
          or a.starts <> (t.change->'after'->>'starts')::timestamp or a.ends <> (t.change->'after'->>'ends')::timestamp)
        or a.version > (t.change->'after'->>'version')::int and not exists (
          select 1 from appointment_event later where later.appointment_id = a.id and later.id > (
            select max(own.id) from appointment_event own
            where own.appointment_id = a.id and own.commit_id = t.commit_id)))
    union all
    select 'a commit that is not in the audit trail once', s.id::text from schedule_commit s
      left join trail on trail.action = 'schedule.committed' and trail.id = s.id::text
      where coalesce(trail.times, 0) <> 1
    union all
    select 'a line of the audit trail for no commit', trail.id from trail
      where not exists (select 1 from schedule_commit s where s.id::text = trail.id)
    union all
    select 'an undo that is not in the audit trail once', s.id::text from schedule_commit s
      left join trail on trail.action = 'schedule.undone' and trail.id = s.id::text
      where (s.undone_at is not null)::int <> coalesce(trail.times, 0)
    union all
    select 'a key that outlived its commit', k.key from idempotency_key k join schedule_commit s on s.id = k.commit_id
      where s.undone_at is not null
    limit 20`.execute(db);
  return rows.map(({ what, id }) => `${what}: ${id}`);
}

/** Returns the whole calendar as one hash, to detect any change. */
export async function calendarHash(db: Db): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select md5(string_agg(a::text, '|' order by a.id)) as hash from appointment a`.execute(db);
  return rows[0]?.hash ?? '';
}

/**
 * The sessions that a commit gave to a therapist although the therapist had said no to them, or the client's family did
 * not want the therapist.
 */
export async function givenInSpite(db: Db, commit: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from appointment a join call_decline d on d.therapist_id = a.therapist_id and d.date = a.starts::date
    where a.commit_id = ${commit} and a.occupies and d.ended_at is null
      and coalesce(a.parent_id, a.id)::text = any(d.sessions)`.execute(db);
  return rows.map((row) => row.id);
}
