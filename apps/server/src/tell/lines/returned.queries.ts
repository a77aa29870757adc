import { sql } from 'kysely';
import { intersect, subtract, type Interval } from '@clinic/domain';
import type { ClinicDay } from '../../day/facts/day.ts';
import { awayWindows, uncoveredOf } from '../../day/facts/uncovered.ts';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';

/** An absence that was withdrawn, or replaced by a shorter one, after the last plan of its date. */
interface Withdrawn extends Interval {
  readonly person: string;
  readonly name: string;
}

/**
 * Finds the sessions without a therapist for which someone is back since the last plan: the therapist who was booked, or
 * the client. Returns who it is, in words, by the appointment's key: `Ana Ruiz is back`.
 * @param from leaves out the time before this minute
 */
export async function selectReturned(db: Db, day: ClinicDay, from: number): Promise<ReadonlyMap<string, string>> {
  // A session taken off its therapist by hand has no commit: no absence is the reason that it has no therapist.
  const open = day.appointments.filter(
    (a) =>
      a.location === day.location &&
      a.occupies &&
      a.therapistId === null &&
      a.commitId !== null &&
      a.service !== 'admin',
  );
  if (open.length === 0) return new Map();
  const ids = new Set(open.flatMap((a) => [a.bookedTherapistId, a.clientId]).filter((id) => id !== null));
  const withdrawn = await selectWithdrawn(db, day, [...ids]);
  const away = awayWindows(day);
  const isBack = (person: string, { start, end }: Interval): boolean => {
    const rest = { start: Math.max(start, from), end };
    const times = withdrawn.filter((each) => each.person === person).flatMap((each) => intersect(each, rest) ?? []);
    return subtract(times, away.get(person) ?? []).length > 0;
  };
  return new Map(
    open.flatMap((a): [string, string][] => {
      const who = [a.bookedTherapistId, a.clientId].find((id) => id !== null && isBack(id, a));
      const name = withdrawn.find(({ person }) => person === who)?.name;
      return name === undefined ? [] : [[a.key, `${name} is back`]];
    }),
  );
}

async function selectWithdrawn(db: Db, { location, date }: ClinicDay, ids: readonly string[]): Promise<Withdrawn[]> {
  const among = anyOf(ids);
  const { rows } = await sql<Withdrawn>`
    select coalesce(t.id, c.id) as person, coalesce(t.display_name, c.display_name) as name, a.start_minute as start,
      a.end_minute as "end"
    from absence a left join therapist t on t.id = a.therapist_id left join client c on c.id = a.client_id
    where a.date = ${date}::date and a.withdrawn_at is not null and (a.therapist_id = ${among} or a.client_id = ${among})
      and not exists (
        select from schedule_commit s where s.location = ${location} and s.undone_at is null
          and s.committed_at > a.withdrawn_at and s.summary->'dates' @> to_jsonb(${date}::text))`.execute(db);
  return rows;
}

/**
 * Finds the sessions, by key, that the last plan of the date had changed, if that plan was undone, and if one of these
 * sessions needs cover again. The next plan may change the others in the same way again. Leaves out sessions that have
 * changed since the undo.
 * @param now leaves out need before this minute; null counts the whole day
 */
export async function selectUndone(db: Db, day: ClinicDay, now: number | null): Promise<ReadonlySet<string>> {
  const { location, date } = day;
  const away = awayWindows(day);
  const open = day.appointments.filter(
    (a) => a.location === location && a.therapistId !== null && uncoveredOf(a, away, now).length > 0,
  );
  if (open.length === 0) return new Set();
  const { rows } = await sql<{ key: string }>`
    select e.appointment_id as key
    from schedule_commit s join appointment_event e on e.commit_id = s.id and e.what = 'undone'
      join appointment a on a.id = e.appointment_id and a.version = (e.after->>'version')::int
    where s.location = ${location} and s.undone_at is not null and s.summary->'dates' @> to_jsonb(${date}::text)
      and not exists (
        select from schedule_commit later where later.location = ${location} and later.undone_at is null
          and later.committed_at > s.undone_at and later.summary->'dates' @> to_jsonb(${date}::text))`.execute(db);
  const undone = new Set(rows.map(({ key }) => key));
  return open.some((a) => undone.has(a.key)) ? undone : new Set();
}
